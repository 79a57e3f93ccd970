/**
 * `npm run bench -- --incremental`: an operation over a quick service and one that takes 200 ms, whole and with the
 * slow part deferred. It measures when the first payload arrives, beside a response of the quick service alone, and
 * when the last payload arrives, beside the whole response. Requests are sent one at a time, in turns, and the
 * results are medians.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'graphql'
import { compose } from '../engine/supergraph/compose/index.ts'
import { lastingPort } from '../test/support/port.ts'
import { median } from './median.ts'

const slowMs = 200
const rounds = 60
/** The slow service is quick during the warm-up. */
const warmUp = 1000

interface Times {
  readonly first: number
  readonly whole: number
}

const asked = {
  quick: '{ items { id name } }',
  plain: '{ items { id name stars } }',
  deferred: '{ items { id name ... @defer(label: "stars") { stars } } }',
}
type Asked = keyof typeof asked

export async function measureIncremental(): Promise<void> {
  const ids = Array.from({ length: 20 }, (_, at) => String(at))
  let delayMs = 0
  const quick = await serve(() => 0, {
    items: ids.map((id) => ({ __typename: 'Item', id, name: `Item ${id}` })),
  })
  const slow = await serve(() => delayMs, { _entities: ids.map((id) => ({ stars: Number(id) })) })
  const gateway = await start([
    {
      name: 'quick',
      url: addressOf(quick),
      sdl: 'type Query { items: [Item] } type Item @key(fields: "id") { id: ID! name: String }',
    },
    { name: 'slow', url: addressOf(slow), sdl: 'type Item @key(fields: "id") { id: ID! stars: Int }' },
  ])
  try {
    const times: Record<Asked, Times[]> = { quick: [], plain: [], deferred: [] }
    for (let round = -warmUp; round < rounds; round++) {
      if (round === 0) delayMs = slowMs
      for (const name of ['quick', 'plain', 'deferred'] as const) {
        const found = await ask(gateway.url, asked[name])
        if (round >= 0) times[name].push(found)
      }
    }
    const middle = (name: Asked, what: keyof Times): number => median(times[name].map((each) => each[what]))
    const first = middle('deferred', 'first')
    const whole = middle('deferred', 'whole')
    const lines = [
      ['the quick service alone', middle('quick', 'whole')],
      ['first payload', first],
      ['plain answer', middle('plain', 'whole')],
      ['last payload', whole],
    ] as const
    for (const [what, milliseconds] of lines) console.log(`${what.padEnd(26)}${milliseconds.toFixed(2)} ms`)
    console.log(`first payload / quick alone ${(first / middle('quick', 'whole')).toFixed(3)}`)
    console.log(`last payload / plain answer ${(whole / middle('plain', 'whole')).toFixed(3)}`)
  } finally {
    gateway.process.kill()
    for (const server of [quick, slow]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

async function serve(delay: () => number, data: unknown): Promise<Server> {
  const body = JSON.stringify({ data })
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      const answer = () => response.setHeader('content-type', 'application/json').end(body)
      const milliseconds = delay()
      if (milliseconds === 0) answer()
      else setTimeout(answer, milliseconds)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`

async function start(
  services: readonly { readonly name: string; readonly url: string; readonly sdl: string }[],
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n'
  const composition = compose(
    services.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(link + sdl) })),
  )
  if (composition.errors !== undefined)
    throw new Error(composition.errors.map(({ message }) => message).join('\n'))
  const file = join(mkdtempSync(join(tmpdir(), 'tessera-bench-')), 'supergraph.graphql')
  writeFileSync(file, composition.supergraph)
  const port = await lastingPort()
  const main = fileURLToPath(new URL('../gateway/main.ts', import.meta.url))
  const gateway = spawn(process.execPath, [main, 'serve', '--supergraph', file, '--port', String(port)], {
    stdio: 'ignore',
    // Other load on the machine must not cause refusals.
    env: { ...process.env, TESSERA_MAX_WAIT_MS: '60000' },
  })
  const origin = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    const isUp = await fetch(`${origin}/health/live`).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return { url: `${origin}/graphql`, process: gateway }
    if (attempt === 900) throw new Error('the gateway did not start')
    await wait(100)
  }
}

/** Milliseconds to the first payload, or the first bytes of the body, and to the end. */
function ask(url: string, query: string): Promise<Times> {
  const body = JSON.stringify({ query })
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'multipart/mixed;incrementalSpec=v0.2, application/json',
        },
      },
      (response) => {
        let text = ''
        let first: number | undefined
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.includes('"items"')) first ??= performance.now() - started
        })
        response.on('end', () => {
          if (!text.includes('"items"') || text.includes('"errors"')) reject(new Error(`unexpected: ${text}`))
          else resolve({ first: first ?? Number.NaN, whole: performance.now() - started })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
