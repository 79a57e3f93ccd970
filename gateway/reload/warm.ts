/**
 * Prepares operations before the first client requests them: they are parsed, validated, and planned for the grants
 * that they had.
 */
import { anonymous } from '../../shared/identity.ts'
import { nextTurn } from '../../shared/runtime/turns.ts'
import { isRefused } from '../auth/granted-operation.ts'
import type { AskedOperation, Operations } from '../pipeline/operations.ts'
import type { Manifest } from '../pipeline/persisted/index.ts'

/** After this time warming ends, and the first client prepares what is left. */
const mostMilliseconds = 10_000

/** Prepares the most frequent operations of the previous generation. Returns how many the new one has, too. */
export function warmFrom(asked: readonly AskedOperation[], operations: Operations): Promise<number> {
  return warm(asked, asked.length, async ({ text, operationName, operation }, deadline) => {
    const prepared = await operations.prepare(text, operationName, deadline)
    // If the new schema refuses an operation, clients get the error when they request it.
    if (isRefused(prepared)) return false
    for (const caller of operation.callers()) await prepared.grantedTo(caller, deadline)
    prepared.asked += operation.asked
    return true
  })
}

/** Prepares trusted operations in the order of their manifest. */
export function warmManifest(manifest: Manifest, operations: Operations, most: number): Promise<number> {
  return warm(manifest.values(), most, async (text, deadline) => {
    const prepared = await operations.prepare(text, undefined, deadline)
    if (isRefused(prepared)) return false
    if (prepared.requirements.open) await prepared.grantedTo(anonymous, deadline)
    return true
  })
}

async function warm<Operation>(
  all: Iterable<Operation>,
  most: number,
  prepare: (operation: Operation, deadline: number) => Promise<boolean>,
): Promise<number> {
  const deadline = performance.now() + mostMilliseconds
  let warmed = 0
  for (const operation of all) {
    if (warmed >= most || performance.now() > deadline) break
    try {
      if (await prepare(operation, deadline)) warmed += 1
    } catch {
      // There may be too many at the same time, or no plan. A request for it gets the error.
    }
    await nextTurn()
  }
  return warmed
}
