/** The weights of what is kept are estimates; the heap says whether the bound on them is a bound on memory. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const child = fileURLToPath(new URL('./kept-memory-child.ts', import.meta.url))

/** Bytes by which the heap grew, and which were noted. */
async function keep(documents: number, keptBytes: number, kind?: string) {
  const options = [child, String(documents), String(keptBytes), ...(kind === undefined ? [] : [kind])]
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=700', ...options])
  return JSON.parse(stdout) as { grown: number; noted: number }
}

test('documents that together weigh more grow the heap by no more than what may be kept', async () => {
  const { grown } = await keep(700, 5_000_000)
  expect(grown).toBeLessThan(5_000_000 * 1.25)
})

test.each(['usual', 'wide', 'fragments', 'refusedFields', 'many', 'strings', 'invalid', 'tooLarge'])(
  'what is noted for documents of the kind %s is near what the heap holds of them',
  async (kind) => {
    const { grown, noted } = await keep(60, 1_000_000_000, kind)
    expect(noted).toBeGreaterThan(grown * 0.6)
    // What is shared, and made or let go of meanwhile, is more than what a few of the smallest take.
    expect(noted).toBeLessThan(Math.max(0, grown) * 4 + 2_000_000)
  },
)
