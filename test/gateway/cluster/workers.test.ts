/** Several workers behind one port: real processes, with clients at them and services behind them. */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { keepForFile } from '../../support/keep.ts'
import { lastingPort } from '../../support/port.ts'
import { postJson } from '../../support/post-json.ts'
import { type RunningProcess, startTessera } from '../../support/process.ts'
import { type RedisServer, startRedis, withRedis } from '../../support/redis.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { signToken, tokenSecret } from '../../support/token.ts'
import { until } from '../../support/wait.ts'

const video = '{ video(videoId: "u62wyH56M7e") { snippet { title } } }'

interface Answer {
  readonly status: number
  readonly text: string
}

/** Asks on a connection of its own, or on the agent's. */
function ask(origin: string, query: string, agent?: Agent, path = '/graphql'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, origin),
      {
        method: query === '' ? 'GET' : 'POST',
        agent: agent ?? false,
        headers: { 'content-type': 'application/json' },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        )
        response.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(query === '' ? undefined : JSON.stringify({ query }))
  })
}

/**
 * Retries as a client does when the code of an error says so: on a busy machine the primary may answer its workers
 * late.
 */
async function untilTold(busy: string, send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (!answer.text.includes(busy)) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const get = (origin: string, path: string): Promise<Answer> => ask(origin, '', undefined, path)

function workersOf({ child }: RunningProcess): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.trim().split(' ').map(Number)
}

/** How many workers there are to be, and how many serve; undefined if the primary was too busy to say. */
async function ready(
  origin: string,
): Promise<{ readonly wanted: number; readonly ready: number } | undefined> {
  return JSON.parse((await get(origin, '/health/ready')).text).workers
}

const allReady = (origin: string): Promise<void> =>
  until(async () => {
    const workers = await ready(origin)
    return workers !== undefined && workers.wanted === workers.ready
  }, 'all workers are ready')

/** The sum over the workers. One that does not answer within half a second counts as it was asked before: ask again. */
async function scraped(origin: string, name: string): Promise<number> {
  const began = performance.now()
  const { status, text } = await get(origin, '/metrics')
  if (status !== 200 || performance.now() - began >= 500) return scraped(origin, name)
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

interface Serving extends AsyncDisposable {
  readonly process: RunningProcess
  readonly origin: string
}

async function serving(
  env: Record<string, string> = {},
  options: readonly string[] = ['--port', '0'],
): Promise<Serving> {
  const process = startTessera(['serve', '--workers', '2', ...options], env)
  const { origin } = new URL(await process.said('graph'))
  await allReady(origin)
  return { process, origin, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() }
}

/** For the tests that leave it as it was, as three processes take seconds to start. */
const shared = keepForFile(await serving({ TESSERA_JWT_SECRET: tokenSecret }))

test('one command, one port: each worker answers, metrics are summed, and the address is printed once', async () => {
  await using server = await serving()
  const { origin, process } = server
  for (let n = 0; n < 10; n++) expect((await ask(origin, video)).text).toContain('"title"')
  expect(await scraped(origin, 'tessera_request_duration_seconds_count')).toBe(10)
  expect(await scraped(origin, 'tessera_workers{state="ready"}')).toBe(2)
  expect(process.output().match(/^graph /gm)).toHaveLength(1)
  process.child.kill('SIGTERM')
  expect(await process.ended).toBe(0)
  const lines = process
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => (JSON.parse(line) as { worker: number }).worker)
  expect(lines).toHaveLength(10)
  expect(new Set(lines)).toEqual(new Set([1, 2]))
})

describe.skipIf(!withRedis('workers that share a Redis'))('with Redis', () => {
  let redis: RedisServer | undefined
  let together: Serving | undefined
  let env: Record<string, string> = {}
  let origin = ''
  beforeAll(async () => {
    redis = await startRedis()
    env = { TESSERA_REDIS_URL: redis.url }
    together = await serving({ TESSERA_JWT_SECRET: tokenSecret, ...env })
    origin = together.origin
  })
  afterAll(async () => {
    await together?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
  })

  test('the budget of the day is one over the workers, and never passed', async () => {
    await using server = await serving({ ...env, TESSERA_QUOTA_DAILY: '25', TESSERA_SHARE_CALLS: 'false' })
    const answers = await Promise.all(
      // No two are equal, so that none is answered with another one's work.
      Array.from({ length: 60 }, (_, n) =>
        untilTold('SERVICE_BUSY', () => ask(server.origin, video.replace('video', `v${n}: video`))),
      ),
    )
    const given = answers.filter(({ text }) => text.includes('"title"'))
    const refused = answers.filter(({ text }) => text.includes('QUOTA_EXCEEDED'))
    expect(answers.filter((one) => !given.includes(one) && !refused.includes(one))).toEqual([])
    expect([given.length, refused.length]).toEqual([25, 35])
    expect(
      (await untilTold('SERVICE_BUSY', () => ask(server.origin, '{ mediaQuota { used remaining } }'))).text,
    ).toBe('{"data":{"mediaQuota":{"used":25,"remaining":0}}}')
  })

  test('a mutation that is sent again to another worker is not executed again, and none with a key is without Redis', async () => {
    const token = await signToken({ scope: 'media.write media.read', sub: 'ada' })
    const query =
      'mutation { insertCommentThread(input: { videoId: "u62wyH56M7e", textOriginal: "Once" }) { commentThread { threadId } } }'
    const send = async (to = origin): Promise<Answer> => {
      const response = await postJson(
        `${to}/graphql`,
        { query },
        { connection: 'close', authorization: `Bearer ${token}`, 'idempotency-key': 'once' },
      )
      return { status: response.status, text: await response.text() }
    }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => untilTold('IDEMPOTENCY_UNAVAILABLE', () => send())),
    )
    expect(answers[0]?.text).toContain('threadId')
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const refused = await send(shared.origin)
    expect(refused.status).toBe(503)
    expect(refused.text).toContain('IDEMPOTENCY_UNAVAILABLE')
    expect(shared.process.output().match(/each worker has its own: idempotency keys/g)).toHaveLength(1)
  })

  test('an operation that was taught to one worker is known to the other', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', video, 'hex') } }
    const send = (body: object): Promise<string> =>
      postJson(`${origin}/graphql`, body, { connection: 'close' }).then((response) => response.text())
    expect(await send({ extensions })).toContain('PERSISTED_QUERY_NOT_FOUND')
    expect(await send({ query: video, extensions })).toContain('"title"')
    for (let known = 0; known < 6; ) {
      const answer = await send({ extensions })
      // Redis may be late on a busy machine: the client is asked for the document again.
      if (answer.includes('PERSISTED_QUERY_NOT_FOUND')) continue
      expect(answer).toContain('"title"')
      known += 1
    }
  })
})

test('a worker that is killed is replaced, what it counted stays, and the log says how it ended', async () => {
  const { origin, process } = shared
  for (let n = 0; n < 10; n++) await ask(origin, video)
  const counted = await scraped(origin, 'tessera_request_duration_seconds_count')
  const [victim] = workersOf(process)
  globalThis.process.kill(victim ?? 0, 'SIGKILL')
  await until(() => process.output().includes('ended with signal SIGKILL'), 'the end in the log')
  await until(async () => (await scraped(origin, 'tessera_worker_restarts_total')) === 1, 'a restart')
  await allReady(origin)
  expect(await scraped(origin, 'tessera_request_duration_seconds_count')).toBe(counted)
  expect(workersOf(process)).toHaveLength(2)
  expect((await ask(origin, video)).status).toBe(200)
})

test('workers that are all killed at once are replaced, again and again', async () => {
  // The sandbox is elsewhere, so that the primary has nothing but its workers.
  await using sandbox = await startSandbox()
  const port = await lastingPort()
  await using served = await serving({}, ['--port', `${port}`, '--sandbox', sandbox.url])
  for (const times of [1, 2]) {
    for (const worker of workersOf(served.process)) process.kill(worker, 'SIGKILL')
    const ends = (): number => served.process.output().split('ended with signal SIGKILL').length - 1
    await until(() => ends() === 2 * times, 'the ends in the log')
    await until(async () => (await ready(served.origin).catch(() => undefined))?.ready === 2, 'two workers')
  }
})

test('a reload exchanges all workers under load, and no request is lost', async () => {
  await using sandbox = await startSandbox({ journal: false })
  const urls = Object.fromEntries(
    ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS'].map((name) => [`TESSERA_${name}_URL`, sandbox.url]),
  )
  await using server = await serving({ ...urls, TESSERA_LOG_LEVEL: 'info' })
  const { origin, process } = server
  const before = new Set(workersOf(process))
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const bad: string[] = []
  let answered = 0
  let stopped = false
  const client = async (n: number): Promise<void> => {
    while (!stopped) {
      try {
        // Most on connections that are kept, some on new ones.
        const { status, text } = await ask(origin, video, n % 4 === 0 ? undefined : agent)
        if (status !== 200 || !text.includes('"title"')) bad.push(`${status} ${text.slice(0, 200)}`)
      } catch (error) {
        bad.push(String(error))
      }
      answered += 1
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, (_, n) => client(n)))
  process.child.kill('SIGHUP')
  await until(() => process.output().includes('all workers are new'), 'new workers')
  stopped = true
  await clients
  agent.destroy()
  expect(bad).toEqual([])
  expect(answered).toBeGreaterThan(10)
  const after = workersOf(process)
  expect(after).toHaveLength(2)
  expect(after.some((pid) => before.has(pid))).toBe(false)
})

test('a reload that cannot be served, one that is asked for during another, and the end of an old worker meanwhile leave as many workers as before', async () => {
  const file = temporaryFile('tessera.yaml', 'limits: { depth: 15 }')
  await using server = await serving({
    TESSERA_CONFIG: file,
    TESSERA_WATCH_MS: '0',
    TESSERA_LOG_LEVEL: 'info',
  })
  const { origin, process } = server
  const count = (text: string): number => process.output().split(text).length - 1
  const before = workersOf(process)
  writeFileSync(file, 'limits: { depth: -3 }')
  process.hangUp()
  await until(() => count('a new worker could not serve') === 1, 'the refusal')
  expect(process.output()).toContain('limits.depth: expected')

  const areAsBefore = (): boolean => String(workersOf(process)) === String(before)
  await until(areAsBefore, 'the end of the new worker')

  writeFileSync(file, 'limits: { depth: 16 }')
  process.hangUp()
  // The log is written later.
  await until(() => !areAsBefore(), 'the second reload')
  process.hangUp()
  globalThis.process.kill(before[1] ?? 0, 'SIGKILL')
  await until(() => count('all workers are new') === 2, 'two reloads')
  expect(count('restartInMs')).toBe(0)
  expect(count('ended with signal SIGKILL')).toBe(1)
  const after = workersOf(process)
  expect(after).toHaveLength(2)
  expect(after.some((pid) => before.includes(pid))).toBe(false)
  expect(await ready(origin)).toEqual({ wanted: 2, ready: 2 })
})

test('without Redis each configured feature that workers share is named with its cure, and nothing is served', async () => {
  const file = temporaryFile(
    'tessera.yaml',
    'rateLimits:\n  - name: callers\n    by: [caller]\n    limit: 10\n    windowSeconds: 60\n',
  )
  await using server = startTessera(['serve', '--port', '0', '--workers', '2'], {
    TESSERA_CONFIG: file,
    TESSERA_QUOTA_DAILY: '25',
  })
  expect(await server.ended).toBe(2)
  for (const feature of ['TESSERA_QUOTA_DAILY', 'rateLimits (callers)'])
    expect(server.output()).toContain(`  ${feature}: `)
  expect(server.output().match(/Set TESSERA_REDIS_URL, or run one worker/g)).toHaveLength(2)
  expect(server.output()).not.toContain('graph  ')
})

test('a configuration that cannot be served is reported once, in words', async () => {
  const { port } = new URL(shared.origin)
  await using second = startTessera(['serve', '--port', port, '--workers', '2'])
  expect(await second.ended).toBe(1)
  expect(second.output().match(/is in use/g)).toHaveLength(1)
  await using wrong = startTessera(['serve', '--workers', 'many'])
  expect(await wrong.ended).toBe(2)
  expect(wrong.output()).toContain('TESSERA_WORKERS: expected auto, or a whole number from 1 to 128')
})
