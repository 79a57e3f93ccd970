/** Bodies in chunks of one byte, against a process whose heap would not hold an object for each of them. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { type RunningProcess, startTessera } from '../support/process.ts'
import { connectRaw } from '../support/raw-client.ts'

const chunk = '1\r\n \r\n'
const chunks = 150_000
const clients = 4

/** An attacker: its body grows by one byte a chunk, and ends only on request, with the response. */
async function attack(url: string): Promise<() => Promise<string>> {
  const { socket, text, ended } = await connectRaw(url)
  socket.write(
    'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  const many = chunk.repeat(1000)
  for (let sent = 0; sent < chunks; sent += 1000) if (!socket.write(many)) await once(socket, 'drain')
  return async () => {
    socket.write('0\r\n\r\n')
    await ended
    return text()
  }
}

/** The heap that a gateway needs at its start, and half of what the attack would take. */
const bounded = {
  NODE_OPTIONS: '--max-old-space-size=120',
  TESSERA_LOG_LEVEL: 'error',
  // However busy the machine is.
  TESSERA_BODY_TIMEOUT_MS: '600000',
}

const servers: readonly (readonly [name: string, word: string, start: () => RunningProcess])[] = [
  ['a gateway', 'graph', () => startTessera(['serve', '--port', '0'], bounded)],
  [
    'a subgraph service, which asks for proof when the body is here',
    'videos',
    () =>
      startTessera(['subgraph', 'videos', '--port', '0'], {
        ...bounded,
        TESSERA_SUBGRAPH_SECRET: 's'.repeat(40),
      }),
  ],
]

test.each(servers)('four bodies of 150,000 chunks of one byte do not end %s', async (_, word, start) => {
  await using server = start()
  const { origin } = new URL(await server.said(word))
  const attacks = await Promise.all(Array.from({ length: clients }, () => attack(origin)))
  const said = await Promise.all(attacks.map((end) => end()))
  for (const each of said) expect(each).toMatch(/^HTTP\/1\.1 40[01] /)
  expect((await fetch(`${origin}/health/live`)).status).toBe(200)
})
