/**
 * Prepares operations before the first client requests them: they are parsed, validated, and planned for the grants
 * that they had.
 */
import { anonymous } from '../../shared/identity.ts'
import { nextTurn } from '../../shared/runtime/turns.ts'
import { isRefused } from '../auth/operation.ts'
import type { AskedOperation, Operations } from '../pipeline/operations.ts'
import type { Manifest } from '../pipeline/persisted/index.ts'

/** After this time warming ends, and the first client prepares what is left. */
const mostMilliseconds = 10_000

/** Prepares the most frequent operations of the previous generation. Returns how many the new one has, too. */
export async function warmFrom(asked: readonly AskedOperation[], operations: Operations): Promise<number> {
  const deadline = performance.now() + mostMilliseconds
  let warmed = 0
  for (const { text, operationName, operation } of asked) {
    if (performance.now() > deadline) break
    try {
      const prepared = await operations.prepare(text, operationName, deadline)
      // If the new schema refuses an operation, clients get the error when they request it.
      if (isRefused(prepared)) continue
      for (const caller of operation.callers()) await prepared.grantedTo(caller, deadline)
      prepared.asked += operation.asked
      warmed += 1
    } catch {
      // There may be too many at the same time, or no plan. A request for it gets the error.
    }
    await nextTurn()
  }
  return warmed
}

/** Prepares trusted operations in the order of their manifest. */
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
