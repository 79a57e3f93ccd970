/** Standard output that takes nothing: a real process whose disk is full, or whose reader is held up. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerFrom } from '../../support/graph.ts'
import { lastingPort } from '../../support/port.ts'
import { postJson } from '../../support/post-json.ts'
import { command, environment, readSaid } from '../../support/process.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/wait.ts'

const body = '{"query":"{ __typename }"}'

/** `tessera …`, with the standard output that the caller gives it. */
function start(args: readonly string[], stdout: 'pipe' | number, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: temporaryFolder(),
    env: { ...environment(), ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  const said = readSaid()
  child.stderr?.on('data', said.hear)
  return {
    child,
    said,
    exited: once(child, 'exit'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await this.exited
    },
  }
}

test('a server whose log cannot be written because the disk is full continues, and ends when it is told to', async () => {
  const port = await lastingPort()
  await using server = start(['serve', '--port', String(port)], openSync('/dev/full', 'w'))
  const origin = `http://127.0.0.1:${port}`
  await until(
    async () =>
      fetch(`${origin}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the server answers',
  )
  // More lines than are written at once.
  for (let index = 0; index < 100; index += 1)
    expect(await answerFrom(await postJson(`${origin}/graphql`, body))).toMatchObject({ status: 200 })
  await until(() => server.said.output().includes('the log cannot be written'), 'the log has failed')
  server.child.kill('SIGTERM')
  expect(await server.exited).toEqual([0, null])
  // Both are written by themselves, in either order.
  expect(server.said.output().trimEnd().split('\n').toSorted()).toEqual([
    'tessera: standard output cannot be written: ENOSPC: no space left on device, write',
    'tessera: the log cannot be written: ENOSPC: no space left on device, write',
  ])
})

test('a server continues if the readers of its output go away while it starts, and ends when it is told to', async () => {
  const port = await lastingPort()
  await using server = start(['serve', '--port', String(port), '--workers', '2'], 'pipe')
  const { stdout, stderr } = server.child
  // The log has a line before there is a worker.
  stdout?.once('data', () => {
    stdout.destroy()
    stderr?.destroy()
  })
  const origin = `http://127.0.0.1:${port}`
  await until(
    async () =>
      server.child.exitCode !== null ||
      (await fetch(`${origin}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      )),
    'the server answers',
  )
  expect(await answerFrom(await postJson(`${origin}/graphql`, body))).toMatchObject({ status: 200 })
  server.child.kill('SIGTERM')
  expect(await server.exited).toEqual([0, null])
})

test('the log continues if only the reader of errors goes away', async () => {
  const hooks = temporaryFile('hooks.ts', "export default { onRequest: () => console.error('seen') }")
  await using server = start(['serve', '--port', '0'], 'pipe', { TESSERA_HOOKS: hooks })
  const { stdout, stderr } = server.child
  stdout?.on('data', server.said.hear)
  const url = await server.said.word('graph', server.exited)
  stderr?.destroy()
  const refused = '{"query":"{ refused }"}'
  for (const name of ['first', 'second']) {
    expect((await postJson(url, refused, { 'x-request-id': name })).status).toBe(200)
    await until(() => server.said.output().includes(`"request":"${name}"`), `the ${name} line is written`)
  }
})

test('a command whose result cannot be written fails with one sentence', async () => {
  await using compose = start(['compose'], openSync('/dev/full', 'w'))
  expect(await compose.exited).toEqual([1, null])
  expect(compose.said.output()).toBe(
    'tessera: standard output cannot be written: ENOSPC: no space left on device, write\n',
  )
})

test('a log whose reader is held up keeps a bounded number of lines, and says how many found no room', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `x-tenant-${index}`)
  await using server = start(['serve', '--port', '0'], 'pipe', { TESSERA_LOG_HEADERS: names.join(',') })
  const { stdout } = server.child
  stdout?.on('data', server.said.hear)
  const url = await server.said.word('graph', server.exited)
  stdout?.pause()
  // Each line has 4.5 kB, and 4 MiB wait.
  const headers = Object.fromEntries(names.map((name) => [name, 'x'.repeat(200)]))
  for (let sent = 0; sent < 2000; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => postJson(url, body, headers).then(answerFrom)))
  stdout?.resume()
  await until(() => server.said.output().includes('lines of the log found no room'), 'lines were dropped')
  const [line = '{}'] = /^.*found no room.*$/m.exec(server.said.output()) ?? []
  const { dropped, level }: { dropped?: number; level?: number } = JSON.parse(line)
  expect(level).toBe(40)
  expect(dropped).toBeGreaterThan(800)
  expect(dropped).toBeLessThan(1200)
})
