/**
 * `npm run bench -- --access`: the CPU time of checking a caller, for each way of doing it. One gateway for each
 * way runs Q1 with and without a token, in turns, so that both are equally warm. The results are medians of ratios.
 */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { Agent, createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { median } from './median.ts'
import { bodyOf, operationNamed } from './operations.ts'
import { cpuOf, start, startWorker } from './processes.ts'
import { table } from './report.ts'

const secret = 'a secret of the benchmark, shared by all of it'
const connections = 16

const client = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { crv, kty, x, y } = client.publicKey.export({ format: 'jwk' })
const jwk = { crv, kty, x, y }
const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')

const signed = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ scope: 'media.read', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('bench')
    .setExpirationTime('1d')
    .sign(new TextEncoder().encode(secret))

/** RFC 9449: a proof for one request with this token. */
function proofFor(token: string, url: string): Promise<string> {
  return new SignJWT({
    htm: 'POST',
    htu: url,
    jti: randomUUID(),
    ath: createHash('sha256').update(token).digest('base64url'),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: jwk as { kty: string } })
    .setIssuedAt()
    .sign(client.privateKey)
}

type Headers = Readonly<Record<string, string>>

interface Way {
  readonly name: string
  readonly env: Headers
  /** The headers of this many requests, made before the clock starts. */
  headers(url: string, count: number): Promise<readonly Headers[]>
}

const repeated = (headers: Headers, count: number): readonly Headers[] =>
  Array.from({ length: count }, () => headers)
const withKey = { TESSERA_JWT_SECRET: secret }

function waysBy(introspection: string): readonly Way[] {
  const introspected = {
    TESSERA_INTROSPECTION_URL: introspection,
    TESSERA_INTROSPECTION_CLIENT_ID: 'bench',
    TESSERA_INTROSPECTION_CLIENT_SECRET: secret,
  }
  const opaque = { authorization: 'Bearer an-opaque-token' }
  return [
    {
      name: 'a repeated JWT',
      env: withKey,
      headers: async (_, count) => repeated({ authorization: `Bearer ${await signed({})}` }, count),
    },
    {
      name: 'a new JWT each time (HS256)',
      env: withKey,
      headers: (_, count) =>
        Promise.all(
          Array.from({ length: count }, async () => ({
            authorization: `Bearer ${await signed({ jti: randomUUID() })}`,
          })),
        ),
    },
    {
      name: 'an opaque token, cached',
      env: introspected,
      headers: async (_, count) => repeated(opaque, count),
    },
    {
      name: 'an opaque token, introspected each time',
      env: { ...introspected, TESSERA_INTROSPECTION_CACHE_SECONDS: '0' },
      headers: async (_, count) => repeated(opaque, count),
    },
    {
      name: 'DPoP (ES256)',
      env: { ...withKey, TESSERA_DPOP: 'accept' },
      async headers(url, count) {
        const token = await signed({ cnf: { jkt: thumbprint } })
        const one = async () => ({ authorization: `DPoP ${token}`, dpop: await proofFor(token, url) })
        return Promise.all(Array.from({ length: count }, one))
      },
    },
  ]
}

/** An issuer for which every token is active. */
async function startIntrospection(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () =>
      response
        .setHeader('content-type', 'application/json')
        .end('{"active":true,"sub":"bench","scope":"media.read"}'),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect` }
}

const operation = operationNamed('Q1')
let index = 0

function ask(url: string, headers: Headers, agent: Agent): Promise<void> {
  index += 1
  const body = bodyOf(operation, index)
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      let answer = ''
      response.setEncoding('latin1')
      response.on('data', (text: string) => {
        answer += text
      })
      response.once('end', () => {
        if (response.statusCode === 200 && !answer.includes('"errors"')) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}: ${answer.slice(0, 300)}`))
      })
    })
    request.end(body)
  })
}

interface Served {
  readonly url: string
  readonly pid: number
}

/** The gateway's CPU time for each of these requests, in microseconds. */
async function cost({ url, pid }: Served, headers: readonly Headers[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const before = cpuOf([pid])
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < headers.length) {
        next += 1
        await ask(url, headers[next - 1] ?? {}, agent)
      }
    }),
  )
  agent.destroy()
  return (cpuOf([pid]) - before) / headers.length
}

export interface AccessOptions {
  readonly rounds: number
  /** Requests in each turn of a round. */
  readonly requests: number
  readonly machine: string
}

/** Returns the report as text. */
export async function measureAccess({ rounds, requests, machine }: AccessOptions): Promise<string> {
  const upstream = startWorker('./upstream.ts')
  const { url: services } = await upstream.hear<{ url: string }>()
  const introspection = await startIntrospection()
  const serve = async (env: Headers): Promise<Served> => {
    const { pid, found } = await start(
      ['gateway/main.ts', 'serve', '--port', '0'],
      {
        TESSERA_VIDEOS_URL: services,
        TESSERA_AGENTS_URL: services,
        TESSERA_MESSAGES_URL: services,
        TESSERA_METRICS_URL: services,
        TESSERA_LOG_LEVEL: 'error',
        TESSERA_MAX_WAIT_MS: '60000',
        ...env,
      },
      /graph +(http\S+)/,
    )
    return { pid, url: found }
  }
  const ways = waysBy(introspection.url)
  const served = new Map<Way, Served>()
  for (const way of ways) served.set(way, await serve(way.env))

  const anonymousCosts: number[] = []
  const found = ways.map((way) => ({ way, costs: [] as number[], ratios: [] as number[] }))
  const anybody = repeated({}, requests)
  for (let round = -1; round < rounds; round++) {
    for (const { way, costs, ratios } of found) {
      const own = served.get(way)
      if (own === undefined) continue
      const headers = await way.headers(own.url, requests)
      // The order changes from round to round.
      const before = round % 2 === 0 ? await cost(own, anybody) : undefined
      const spent = await cost(own, headers)
      const plain = before ?? (await cost(own, anybody))
      // The first round is only a warm-up.
      if (round < 0) continue
      anonymousCosts.push(plain)
      costs.push(spent)
      ratios.push(spent / plain)
    }
  }
  introspection.server.closeAllConnections()
  introspection.server.close()
  const whole = (value: number): string => value.toFixed(0)
  return [
    `# Cost of checking the caller`,
    '',
    `Q1 on ${machine}; ${rounds} rounds of ${requests} requests on ${connections} connections. Each way takes turns with requests without a token at the same gateway. CPU time of the gateway per request, medians.`,
    '',
    table(
      ['caller', 'CPU µs', 'ratio to no token'],
      [
        ['no token', whole(median(anonymousCosts)), '1.00'],
        ...found.map(({ way, costs, ratios }) => [way.name, whole(median(costs)), median(ratios).toFixed(2)]),
      ],
    ),
    '',
  ].join('\n')
}
