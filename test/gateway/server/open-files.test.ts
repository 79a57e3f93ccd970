/** What is said at the start if the system lets a process open few files. */
import { expect, test } from 'vitest'
import { command, startProcess } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const warnings = (output: string): unknown[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"openFiles"'))
    .map((line) => JSON.parse(line))

test.skipIf(process.platform !== 'linux').each([
  [500, []],
  [5000, [expect.objectContaining({ level: 40, maxConnections: 5000, openFiles: 512 })]],
])('with 512 files and at most %i connections of clients', async (most, expected) => {
  const serve = [process.execPath, ...command, 'serve', '--port', '0']
  const env = { TESSERA_MAX_CONNECTIONS: String(most) }
  await using served = startProcess('sh', ['-c', 'ulimit -n 512 && exec "$@"', 'sh', ...serve], {
    cwd: temporaryFolder(),
    env,
  })
  await served.said('graph')
  // The log is written later.
  served.child.kill()
  await served.ended
  expect(warnings(served.output())).toEqual(expected)
})
