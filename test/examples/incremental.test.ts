/** The example of incremental delivery, run as its reader runs it. Needs the package @apollo/client. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startPages } from '../graph/incremental/pages.ts'
import { until } from '../support/router.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('prints what the first page brought while the second one is read', async () => {
  await using pages = await startPages()
  const child = spawn(
    process.execPath,
    ['examples/incremental/main.ts', '--url', pages.graph.url, '--count', '60'],
    { cwd: root, env: { PATH: process.env.PATH ?? '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  const lines = (): string[] => out.trimEnd().split('\n')
  const closed = once(child, 'close')
  await until(() => lines().length >= 50, 'the first page is printed')
  expect(lines()).toHaveLength(50)
  expect(lines()[0]).toMatch(/^ *\d+ ms {2}1\. Title 0$/)
  await pages.release('p50')
  expect((await closed)[0]).toBe(0)
  expect(lines()).toHaveLength(61)
  expect(lines().slice(-2)).toEqual([expect.stringMatching(/ ms {2}60\. Title 59$/), 'There are more.'])
  // What one payload brought has one time, and no later payload an earlier one.
  const times = lines()
    .flatMap((line) => /^ *(\d+) ms/.exec(line)?.[1] ?? [])
    .map(Number)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
})
