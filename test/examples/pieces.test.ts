/** The example of answers in pieces, run as its reader runs it. */
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
    ['examples/pieces/main.ts', '--url', pages.graph.url, '--count', '60'],
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
  expect(lines()[0]).toBe('1. Title 0')
  await pages.release('p50')
  expect((await closed)[0]).toBe(0)
  expect(lines()).toHaveLength(61)
  expect(lines().slice(-2)).toEqual(['60. Title 59', 'There are more.'])
})
