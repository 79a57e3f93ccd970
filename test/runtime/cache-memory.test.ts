/** The weights of what is kept are estimates; the heap says whether the bound on them is a bound on memory. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { environment } from '../support/process.ts'

const child = fileURLToPath(new URL('./cache-memory-child.ts', import.meta.url))

/** Bytes by which the heap grew, and which were noted: for all kinds of documents, or for each. */
async function keep(documents: number, estimatedBytes: number, ...apart: readonly 'apart'[]) {
  const flags = ['--max-old-space-size=700', '--min-semi-space-size=16', '--single-threaded-gc']
  const options = [...flags, child, String(documents), String(estimatedBytes), ...apart]
  const { stdout } = await promisify(execFile)(process.execPath, options, { env: environment() })
  return JSON.parse(stdout) as Record<string, { grown: number; noted: number }>
}

test('documents that together weigh more grow the heap by no more than what may be kept', async () => {
  const { all } = await keep(100, 2_500_000)
  expect(all!.grown).toBeLessThan(2_500_000 * 1.25)
})

test('what is noted for documents of each kind is near what the heap holds of them', async () => {
  const kinds = Object.entries(await keep(60, 1_000_000_000, 'apart'))
  expect(kinds).toHaveLength(8)
  for (const [kind, { grown, noted }] of kinds) {
    expect(noted, kind).toBeGreaterThan(grown * 0.5)
    // What is shared, and made or let go of meanwhile, is more than what a few of the smallest take.
    expect(noted, kind).toBeLessThan(Math.max(0, grown) * 4 + 2_000_000)
  }
})
