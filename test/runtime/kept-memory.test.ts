/** The weights of what is kept are estimates; the heap says whether the bound on them is a bound on memory. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const child = fileURLToPath(new URL('./kept-memory-child.ts', import.meta.url))

test('250 documents that weigh much grow the heap by no more than what may be kept', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=700', child, '250'])
  const { grown, keptBytes } = JSON.parse(stdout) as { grown: number; keptBytes: number }
  expect(grown).toBeLessThan(keptBytes * 1.25)
})
