import fc from 'fast-check'
import { inject } from 'vitest'

// A property that fails has found the mutant, so its example need not be shrunk.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

// The thread ran another mutant before (kept-pool.ts), which must not be active while test files are loaded.
const { __stryker__: stryker } = globalThis as {
  readonly __stryker__?: { activeMutant?: string | undefined }
}
if (stryker !== undefined && inject('mutantActivation') === 'runtime') stryker.activeMutant = undefined
