/** Bodies in chunks of one byte, against a process whose heap would not hold an object for each of them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type RunningProcess, startTessera } from '../support/process.ts'

const chunk = '1\r\n \r\n'
const chunks = 150_000
const clients = 4

/** An attacker: its body grows by one byte a chunk, and ends only on request. */
class Attacker {
  readonly #socket: Socket
  #said = ''

  constructor(origin: string, path: string) {
    const { hostname, port } = new URL(origin)
    this.#socket = connect(Number(port), hostname)
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => {
      this.#said += text
    })
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
  }

  async send(): Promise<void> {
    const many = chunk.repeat(1000)
    for (let sent = 0; sent < chunks; sent += 1000)
      if (!this.#socket.write(many)) await once(this.#socket, 'drain')
  }

  /** The response. */
  async end(): Promise<string> {
    const closed = once(this.#socket, 'close')
    this.#socket.write('0\r\n\r\n')
    await closed
    return this.#said
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
  const attackers = Array.from({ length: clients }, () => new Attacker(origin, '/graphql'))
  await Promise.all(attackers.map((one) => one.send()))
  const said = await Promise.all(attackers.map((one) => one.end()))
  for (const each of said) expect(each).toMatch(/^HTTP\/1\.1 40[01] /)
  expect((await fetch(`${origin}/health/live`)).status).toBe(200)
})
