/** Prepares operations before the first client asks for them: parsed, validated, planned, each for the grants it met. */
import { anonymous } from '../../shared/identity.ts'
import { isRefused } from '../auth/operation.ts'
import type { AskedOperation, Operations } from '../pipeline/operations.ts'
import type { Manifest } from '../pipeline/persisted/index.ts'

/** Warming ends then, whatever is left: the first client prepares it. */
const mostMilliseconds = 10_000

/** Those that were asked for most of the generation before; returns how many the new one has, too. */
export async function warmFrom(asked: readonly AskedOperation[], operations: Operations): Promise<number> {
  const deadline = performance.now() + mostMilliseconds
  let warmed = 0
  for (const { text, operationName, operation } of asked) {
    if (performance.now() > deadline) break
    try {
      const prepared = await operations.prepare(text, operationName, deadline)
      // Of one that the new schema refuses, clients hear when they ask.
      if (isRefused(prepared)) continue
      for (const caller of operation.callers()) await prepared.grantedTo(caller, deadline)
      prepared.asked += operation.asked
      warmed += 1
    } catch {
      // Too many at once, or no plan: a request for it gets the error.
    }
    await nextTurn()
  }
  return warmed
}

/** Trusted operations, in the order of their manifest. */
export async function warmManifest(
  manifest: Manifest,
  operations: Operations,
  most: number,
): Promise<number> {
  const deadline = performance.now() + mostMilliseconds
  let warmed = 0
  for (const text of manifest.values()) {
    if (warmed >= most || performance.now() > deadline) break
    try {
      const prepared = await operations.prepare(text, undefined, deadline)
      if (isRefused(prepared)) continue
      if (prepared.requirements.open) await prepared.grantedTo(anonymous, deadline)
      warmed += 1
    } catch {
      // As above.
    }
    await nextTurn()
  }
  return warmed
}

/** Requests come in between. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
