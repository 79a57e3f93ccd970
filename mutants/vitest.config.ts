/** The tests of one area, run as `npm test` runs them: TypeScript by Node itself, which here is the mutated source. */
import { defineConfig } from 'vitest/config'
import { patienceMs } from '../test/support/patience.ts'
import { areas } from './areas.ts'

const area = areas[process.env.TESSERA_MUTANTS_AREA ?? '']
if (area === undefined)
  throw new Error('TESSERA_MUTANTS_AREA: expected the name of an area, which `npm run mutants` sets')

export default defineConfig({
  test: {
    include: [...area.tests],
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/seed.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: patienceMs, interval: 25 } },
  },
})
