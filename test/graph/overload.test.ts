/** A real process that gets more than it can answer: right answers or honest refusals, and nothing left of it after. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Client, createClient } from 'graphql-ws'
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTessera } from '../support/process.ts'

const query =
  '{ chartVideos(chart: MOST_POPULAR, first: 50) { nodes { videoId snippet { title description channelTitle } statistics { viewCount likeCount } } } }'

/** Names itself a mutation wherever a client can. */
const pretender = `# mutation\nquery mutation ${query} # mutation`

/** Fewer than the gateway accepts, than the kernel keeps until they are accepted, and than a process may have open. */
function mostConnections(): number {
  const backlog = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity
  const open = readdirSync('/proc/self/fd').length
  return Math.min(4000, backlog - 64, Number(limit) - open - 200)
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

/** The longer the target, the longer the queue before the first refusal, and all of it has to be answered. */
const startOverloaded = async (targetMs = 50) => {
  const process = startTessera(['serve', '--port', '0'], {
    TESSERA_MAX_WAIT_MS: String(targetMs),
    TESSERA_SHARE_EQUAL: 'false',
    TESSERA_LOG_LEVEL: 'warn',
    // More than are under way when the first of them is refused.
    TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION: '1000',
    // What is admitted is answered, however slow the machine is.
    TESSERA_UPSTREAM_TIMEOUT_MS: '600000',
    TESSERA_REQUEST_TIMEOUT_MS: '600000',
  })
  const { origin, host } = new URL(await process.said('graph'))
  const pool = new Pool(origin, {
    connections: mostConnections(),
    headersTimeout: 600_000,
    bodyTimeout: 600_000,
  })
  return {
    process,
    origin,
    host,
    async ask(text = query): Promise<Answer> {
      const { statusCode, headers, body } = await pool.request({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text, variables: { mutation: 'mutation' } }),
      })
      const retryAfter = headers['retry-after']
      return {
        status: statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        text: await body.text(),
      }
    },
    refusals: async (): Promise<number> => {
      const metrics = await (await fetch(`${origin}/metrics`)).text()
      return Number(/^tessera_refused_total\{reason="overload"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
    },
    async [Symbol.asyncDispose]() {
      await pool.destroy()
      await process[Symbol.asyncDispose]()
    },
  }
}

const refusal = (retryAfter: number) => ({
  message: 'More requests arrive than can be answered in time.',
  extensions: { code: 'SERVICE_BUSY', retryAfter },
})

test('under overload each request is answered rightly or refused with 503, whatever it calls itself, and all is well after it', async () => {
  await using server = await startOverloaded()
  const { origin, ask } = server
  const statusOf = async (path: string): Promise<number> => (await fetch(`${origin}${path}`)).status

  const alone = await ask()
  expect(alone.status).toBe(200)
  expect(alone.text).not.toContain('"errors"')

  // Arrivals that wait for no answer, more and more of them, until enough were refused.
  const answers = { honest: [] as Answer[], pretending: [] as Answer[] }
  const asked: Promise<unknown>[] = []
  const refusedOf = (kind: keyof typeof answers): Answer[] =>
    answers[kind].filter(({ status }) => status === 503)
  const beside: number[] = []
  for (let burst = 20; Math.min(refusedOf('honest').length, refusedOf('pretending').length) < 50; ) {
    for (let n = 0; n < burst; n++) {
      asked.push(ask().then((answer) => answers.honest.push(answer)))
      asked.push(ask(pretender).then((answer) => answers.pretending.push(answer)))
    }
    if (burst % 100 === 0) beside.push(await statusOf('/health/live'), await statusOf('/metrics'))
    burst = Math.min(400, burst + 20)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(asked)

  const all = [...answers.honest, ...answers.pretending]
  expect(all).toHaveLength(asked.length)
  expect(beside.filter((status) => status !== 200)).toEqual([])
  for (const { status, retryAfter, text } of all) {
    if (status === 200) {
      expect(text === alone.text).toBe(true)
      continue
    }
    expect(status).toBe(503)
    expect(['1', '2', '3']).toContain(retryAfter)
    expect(JSON.parse(text)).toEqual({ errors: [refusal(Number(retryAfter))] })
  }
  const refused = refusedOf('honest').length + refusedOf('pretending').length
  expect(all.length - refused).toBeGreaterThan(0)

  await expect.poll(() => server.process.output()).toContain('overload is over')
  await expect.poll(() => ask()).toEqual(alone)
  expect(await server.refusals()).toBe(refused)
})

test('32 clients that each wait for their answer are never refused, however long they wait', async () => {
  // Any wait is too long by this target: what keeps them from being refused is that there are never more.
  await using server = await startOverloaded(1)
  const client = async (): Promise<number[]> => {
    const statuses: number[] = []
    // Each document is a new one, so that it is planned while others wait.
    for (let n = 0; n < 10; n++)
      statuses.push((await server.ask(query.replace('videoId', `id${n}: videoId`))).status)
    return statuses
  }
  const statuses = (await Promise.all(Array.from({ length: 32 }, client))).flat()
  expect(statuses).toHaveLength(320)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await server.refusals()).toBe(0)
})

test('each of thousands of clients that connect at the same moment gets an answer', async () => {
  await using server = await startOverloaded()
  const answers = await Promise.all(Array.from({ length: mostConnections() }, () => server.ask()))
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(answers.some(({ status }) => status === 200)).toBe(true)
})

test('operations over WebSockets pass the same queue', async () => {
  await using server = await startOverloaded()
  // It is prepared: what is measured is not the line of preparations.
  expect((await server.ask()).status).toBe(200)
  const clients = Array.from({ length: 100 }, () =>
    createClient({
      url: `ws://${server.host}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
    }),
  )
  const results: unknown[] = []
  const refused: unknown[] = []
  const asked: Promise<void>[] = []
  const ask = (client: Client): Promise<void> =>
    new Promise((resolve) => {
      client.subscribe(
        { query },
        {
          next: ({ data }) => void results.push(data),
          error(errors) {
            refused.push(errors)
            resolve()
          },
          complete: resolve,
        },
      )
    })
  for (let each = 1; refused.length < 10; each = Math.min(4, each + 1)) {
    for (const client of clients) for (let n = 0; n < each; n++) asked.push(ask(client))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(asked)
  for (const errors of refused) {
    const [error] = errors as { extensions: { retryAfter: number } }[]
    expect(errors).toEqual([refusal(error?.extensions.retryAfter ?? 0)])
  }
  expect(results.length).toBe(asked.length - refused.length)
  expect(await server.refusals()).toBe(refused.length)
  for (const client of clients) await client.dispose()
})
