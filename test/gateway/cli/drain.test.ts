/** How a server stops on a signal: real processes, real signals, with clients at them and services behind them. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import { createSigner, signatureHeader } from '../../../shared/http/signature.ts'
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts'
import { allScopes, answerFrom, type GraphAnswer } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import {
  command,
  environment,
  main,
  type RunningProcess,
  readSaid,
  startProcess,
  startTessera,
} from '../../support/process.ts'
import { signToken, tokenSecret } from '../../support/token.ts'

const subgraphSecret = 'what gateway and subgraphs share'
const token = await signToken({ scope: allScopes })

interface Server extends AsyncDisposable {
  readonly process: RunningProcess
  readonly origin: string
  /** What `/health/ready` answers; undefined if nothing listens. */
  ready(): Promise<number | undefined>
  /** Tells it to stop, and waits until it says so. */
  tell(): Promise<void>
  ask(query: string): Promise<GraphAnswer>
}

async function startServer(
  args: readonly string[],
  word: string,
  upstream: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const process = startTessera([...args, '--port', '0'], {
    ...Object.fromEntries(
      ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS'].map((name) => [`TESSERA_${name}_URL`, upstream]),
    ),
    TESSERA_JWT_SECRET: tokenSecret,
    TESSERA_SUBGRAPH_SECRET: subgraphSecret,
    // Requests are counted here, and it would ask the server first which kind it is.
    TESSERA_METRICS_SERVER: 'prometheus',
    TESSERA_SHUTDOWN_GRACE_MS: '20000',
    TESSERA_LOG_LEVEL: 'warn',
    ...env,
  })
  const { origin } = new URL(await process.said(word))
  const ready = async (): Promise<number | undefined> => {
    try {
      return (await fetch(`${origin}/health/ready`)).status
    } catch {
      return undefined
    }
  }
  return {
    process,
    origin,
    ready,
    async tell() {
      expect(await ready()).toBe(200)
      process.child.kill('SIGTERM')
      while ((await ready()) === 200) await new Promise((resolve) => setImmediate(resolve))
    },
    async ask(query) {
      const body = JSON.stringify({ query })
      const answer = await postJson(`${origin}/graphql`, body, {
        authorization: `Bearer ${token}`,
        [signatureHeader]: createSigner(subgraphSecret)({
          method: 'POST',
          path: '/graphql',
          audience: args[1] ?? '',
          body,
          header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
        }),
      })
      return answerFrom(answer)
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}

const startGateway = (upstream: string, env?: Record<string, string>): Promise<Server> =>
  startServer(['serve'], 'graph', upstream, env)

interface HeldServices {
  readonly server: FaultyServer
  open(): void
}

/** Stands before the services and lets nothing through until it is opened. */
async function startHeldServices(services: Sandbox): Promise<HeldServices> {
  const opened = Promise.withResolvers<void>()
  const server = await startFaultyServer(async (response, { method, url, headers, body }) => {
    await opened.promise
    const answer = await fetch(services.url + url, {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'application/json' },
      body: body === '' ? null : body,
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  return { server, open: opened.resolve }
}

const scalar = (value: number): string =>
  `{ metrics { query(query: "${value}", time: "1") { scalar { value } } } }`
const scalarData = (value: number): unknown => ({ metrics: { query: { scalar: { value: String(value) } } } })
const like = `mutation { likeMessage(input: { userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }) { liked } }`

describe.each([
  ['serve', 'graph', ['serve']],
  ['subgraph', 'metrics', ['subgraph', 'metrics']],
])('tessera %s that gets a signal to stop', (command, word, args) => {
  test('says that it is not ready, finishes what runs, refuses what comes, and exits with 0', async () => {
    await using sandbox = await startSandbox()
    const gate = await startHeldServices(sandbox)
    await using _ = gate.server
    await using server = await startServer(args, word, gate.server.url)
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
    let answered = 0
    const count = (answer: GraphAnswer): GraphAnswer => {
      answered += 1
      return answer
    }
    const running = numbers.map((value) => server.ask(scalar(value)).then(count))
    const writing = command === 'serve' ? server.ask(like).then(count) : undefined
    const all = numbers.length + (writing === undefined ? 0 : 1)
    await gate.server.reached(all)

    await server.tell()
    expect(await server.ready()).toBe(503)
    expect((await fetch(`${server.origin}/health/live`)).status).toBe(200)
    const refused = await server.ask(scalar(9))
    expect(refused.status).toBe(503)
    expect(refused.errors[0]?.extensions.code).toBe('SERVICE_STOPPING')
    expect(refused.headers.get('connection')).toBe('close')
    expect([gate.server.arrived.length, answered]).toEqual([all, 0])

    gate.open()
    for (const [i, answer] of (await Promise.all(running)).entries()) {
      expect([answer.status, answer.errors]).toEqual([200, []])
      expect(answer.data).toEqual(scalarData(i + 1))
    }
    if (writing !== undefined) {
      expect((await writing).data).toEqual({ likeMessage: { liked: true } })
      expect(sandbox.writes).toHaveLength(1)
    }
    expect(await server.process.ended).toBe(0)
    expect(await server.ready()).toBeUndefined()
    // The key that it starts with has neither an issuer nor an audience, which is said at the start.
    const said = server.process.output().split('\n')
    const loud = said.filter(
      (line) => /"level":(40|50|60)/.test(line) && !line.includes('TOKENS OF ANY ISSUER'),
    )
    expect(loud).toEqual([])
  })

  test('under load, answers whole whatever reached a service, and the rest never got there', async () => {
    await using sandbox = await startSandbox()
    await using server = await startServer(args, word, sandbox.url)
    const whole = new Set<number>()
    const refused = new Set<number>()
    const broken = new Set<number>()
    let next = 0
    const enough = Promise.withResolvers<void>()
    const client = async (): Promise<void> => {
      for (;;) {
        next += 1
        const number = next
        try {
          const { status, data } = await server.ask(scalar(number))
          if (status === 503) refused.add(number)
          else {
            expect([status, data]).toEqual([200, scalarData(number)])
            whole.add(number)
          }
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          broken.add(number)
          // The process has ended.
          if (((error.cause as { code?: string } | undefined)?.code ?? '') === 'ECONNREFUSED') return
        }
        if (whole.size >= 200) enough.resolve()
      }
    }
    const clients = Promise.all(Array.from({ length: 12 }, client))
    await Promise.race([enough.promise, clients])
    await server.tell()
    expect(await server.process.ended).toBe(0)
    await clients
    const reached = new Set(sandbox.calls('metrics.query').map(({ query }) => Number(query.get('query'))))
    expect([...reached].filter((number) => !whole.has(number))).toEqual([])
    expect(whole.size).toBe(reached.size)
    expect(whole.size + refused.size + broken.size).toBe(next)
  })

  test('does not wait longer than its grace, cancels what it leaves, and exits with 0', async () => {
    await using sandbox = await startSandbox()
    const gate = await startHeldServices(sandbox)
    await using _ = gate.server
    await using server = await startServer(args, word, gate.server.url, { TESSERA_SHUTDOWN_GRACE_MS: '200' })
    const running = server.ask(scalar(1)).catch((error: Error) => error.name)
    await gate.server.reached(1)
    await server.tell()
    expect(await running).toBe('TypeError')
    expect(await server.process.ended).toBe(0)
    await gate.server.aborted
  })
})

/** For a while nobody can tell it from one that stands still; one that is about to end refuses connections. */
async function expectToStay(server: Server): Promise<void> {
  for (let i = 0; i < 40; i++) {
    expect(await server.ready()).toBe(503)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

test('a long answer that is read slowly is not cut when the server gets a signal to stop', async () => {
  const pad = 'x'.repeat(24 * 1024 * 1024)
  const result = [{ metric: { pad }, values: [[1, '1']] }]
  const text = JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })
  await using metrics = await startFaultyServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(text)
  })
  await using server = await startGateway(metrics.url)
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  const body = JSON.stringify({
    query: '{ metrics { queryRange(query: "up", start: "1", end: "2", step: "1s") { raw } } }',
  })
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'readable')
  await server.tell()
  await expectToStay(server)
  const chunks: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
  const answer = Buffer.concat(chunks).toString()
  expect(answer.length).toBeGreaterThan(pad.length)
  const head = answer.indexOf('\r\n\r\n')
  expect(answer.length - head - 4).toBe(Number(/content-length: (\d+)/.exec(answer)?.[1]))
  expect(JSON.parse(answer.slice(head + 4)).errors).toBeUndefined()
  expect(await server.process.ended).toBe(0)
})

test('an upload that is under way is finished, and a new one gets status 503 with Retry-After', async () => {
  await using sandbox = await startSandbox()
  await using server = await startGateway(sandbox.url)
  const half = Buffer.alloc(256 * 1024, 7)
  const begun = await server.ask(
    `mutation { insertVideo(input: { snippet: { title: "T" }, contentType: "video/mp4", contentLength: "${half.length * 2}" }) { upload { url } } }`,
  )
  const { url } = begun.data.insertVideo.upload
  const put = httpRequest(url, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4', 'content-length': half.length * 2 },
  })
  const answered = once(put, 'response')
  put.write(half)
  while (sandbox.calls('videos.upload').length === 0) await new Promise((resolve) => setImmediate(resolve))
  await server.tell()
  await expectToStay(server)
  const other = await fetch(url, { method: 'PUT', body: 'x' })
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '1'])
  put.end(half)
  const [response] = await answered
  expect(response.statusCode).toBe(201)
  response.resume()
  expect(await server.process.ended).toBe(0)
  expect(sandbox.uploads.map(({ bytes }) => bytes)).toEqual([half.length * 2])
})

test.each([
  ['serve', 'graph'],
  ['subgraph nodes', 'nodes'],
])('tessera %s stops when its terminal is closed, and exits with 0', async (server, word) => {
  const command = `${process.execPath} ${main} ${server} --port 0`
  await using shell = startProcess('script', ['-qefc', `exec ${command}`, '/dev/null'], {
    env: { NO_COLOR: '1', TESSERA_LOG_LEVEL: 'silent', TERM: 'dumb' },
  })
  await shell.said(word)
  const pid = execFileSync('pgrep', ['-P', String(shell.child.pid)], { encoding: 'utf8' }).trim()
  process.kill(Number(pid), 'SIGHUP')
  expect(await shell.ended).toBe(0)
})

test('without a terminal SIGHUP reloads a gateway', async () => {
  await using sandbox = await startSandbox()
  await using server = await startGateway(sandbox.url)
  server.process.child.kill('SIGHUP')
  const generation = async (): Promise<number> =>
    ((await (await fetch(`${server.origin}/health/ready`)).json()) as { generation: { number: number } })
      .generation.number
  while ((await generation()) < 2) await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await server.ask('{ __typename }')).data).toEqual({ __typename: 'Query' })
})

test('a server with a closed standard output ends on a signal', async () => {
  const child = spawn(process.execPath, [...command, 'serve', '--port', '0'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    const said = readSaid()
    child.stdout.on('data', said.hear)
    const url = await said.word('graph', exited)
    // The last line of the start.
    await said.word('sandbox', exited)
    child.stdout.destroy()
    // A line for the log, which still waits when the server gets the signal.
    const headers = { 'content-type': 'application/json' }
    await answerFrom(await fetch(url, { method: 'POST', body: '{"query":"{ __typename }"}', headers }))
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})
