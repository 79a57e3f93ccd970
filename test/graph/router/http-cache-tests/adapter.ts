/**
 * Plays cases of an HTTP cache through a gateway: each request of a case is an operation of a client, and the answer of
 * its origin that of a subgraph, which the gateway asks by GET. Which request an answer was made for stands in its data.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Router, startRouter, startService, supergraphOf } from '../../../support/router.ts'
import { signToken, tokenSecret } from '../../../support/token.ts'
import type { Case, CaseHeader, CaseRequest } from './cases.ts'
import { faultsOf, type Got, type SeenRequest } from './judge.ts'

export interface Outcome {
  readonly id: string
  readonly passed: boolean
  /** What was otherwise than the case expects; if that is in its preparation, it says so. */
  readonly why?: string
}

export interface How {
  /** Answers that say neither `public` nor `private` say `public`, so that `Vary` alone tells callers apart. */
  readonly isPublic?: boolean
  /** Leaves pauses out. */
  readonly atOnce?: boolean
}

export interface Adapter extends AsyncDisposable {
  readonly router: Router
  play(test: Case, how?: How): Promise<Outcome>
}

const sdl = `
  type Query { answer(id: ID!, address: String): String }
  type Mutation { change(id: ID!, address: String): String }
`

interface Playing {
  readonly requests: readonly CaseRequest[]
  readonly isPublic: boolean
  number: number
  readonly seen: SeenRequest[]
}

const dateHeaders = new Set(['date', 'expires', 'last-modified', 'if-modified-since'])

function httpDate(seconds: number, isRfc850: boolean): string {
  const date = new Date(Date.now() + seconds * 1000)
  const usual = date.toUTCString()
  if (!isRfc850) return usual
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  const [, day, month, year, time] = usual.split(' ')
  return `${days[date.getUTCDay()]}, ${day}-${month}-${year?.slice(2)} ${time} GMT`
}

/** In the order of the case, a name as often as it stands there. */
function answerHeaders(of: CaseRequest, isPublic: boolean): [string, string][] {
  const { response_headers: given = [], rfc850date = [] } = of
  const headers = given.map(([name, value]: CaseHeader): [string, string] => [
    name,
    typeof value === 'number' && dateHeaders.has(name.toLowerCase())
      ? httpDate(value, rfc850date.includes(name.toLowerCase()))
      : String(value),
  ])
  const said = headers.find(([name]) => name.toLowerCase() === 'cache-control')
  if (isPublic && said !== undefined && !/public|private/i.test(said[1])) said[1] += ', public'
  return headers
}

export async function startAdapter(): Promise<Adapter> {
  const token = await signToken({})
  const playing = new Map<string, Playing>()
  const service = await startService('origin', { sdl, resolvers: {} })
  /** The headers that a case was last answered with, for the conditions of its next request. */
  const answered = new Map<string, [string, string][]>()

  const answer = async (
    id: string,
    field: string,
    headers: IncomingHttpHeaders,
    response: ServerResponse,
  ) => {
    const play = playing.get(id)
    const number = play?.number ?? 0
    const request = play?.requests[number - 1]
    if (play === undefined || request === undefined) throw new Error(`no such case is played: ${id}`)
    play.seen.push({ number, headers })
    if (request.response_pause !== undefined) await delay(request.response_pause * 1000)
    for (const [status, more = []] of request.interim_responses ?? [])
      if (status === 102) response.writeProcessing()
      else response.writeEarlyHints({ link: '</a>; rel=preload', ...Object.fromEntries(more) })
    if (request.disconnect === true) {
      response.socket?.destroy()
      return
    }
    let status = request.response_status?.[0] ?? 200
    if (request.expected_type?.endsWith('validated')) {
      const before = new Map(answered.get(id)?.map(([name, value]) => [name.toLowerCase(), value]))
      const isKnown = (condition: string, header: string): boolean =>
        before.has(header) && headers[condition] === before.get(header)
      status = isKnown('if-none-match', 'etag') || isKnown('if-modified-since', 'last-modified') ? 304 : 500
    }
    const head = answerHeaders(request, play.isPublic)
    answered.set(id, head)
    const all = [...head.flat(), 'content-type', 'application/json']
    // Node writes a date of its own unless the case has one.
    response.sendDate = false
    response.writeHead(status, all)
    const isGraphQL = status < 500
    response.end(
      status === 304
        ? undefined
        : isGraphQL
          ? JSON.stringify({ data: { [field]: `${id} ${number}` } })
          : 'out of order',
    )
  }

  service.intercept = async ({ method, url, headers, body }, response) => {
    const { variables, query = '' } =
      method === 'GET'
        ? { variables: JSON.parse(new URL(url, service.url).searchParams.get('variables') ?? '{}') }
        : (JSON.parse(body.toString()) as { variables: { id: string }; query?: string })
    await answer(variables.id, query.includes('change') ? 'change' : 'answer', headers, response)
  }

  const router = await startRouter({
    supergraph: supergraphOf([service]),
    env: { TESSERA_RESPONSE_CACHE_BYTES: '50000000', TESSERA_JWT_SECRET: tokenSecret },
    config: {
      traffic: { all: { persisted: true } },
      headers: {
        all: {
          request: ['foo', 'bar', 'baz', 'other', 'abc', 'accept-language'].map((named) => ({
            propagate: { named },
          })),
        },
        subgraphs: {
          origin: { request: ['authorization', 'cookie'].map((named) => ({ propagate: { named } })) },
        },
      },
    },
  })

  /** The gateway takes no unsigned token. */
  const sent = (name: string, value: unknown): string =>
    name === 'Authorization' ? `Bearer ${token}` : String(value)

  const send = async (id: string, request: CaseRequest): Promise<Got> => {
    const isChange = request.request_method !== undefined && request.request_method !== 'GET'
    const headers = new Headers({ 'content-type': 'application/json' })
    for (const [name, value] of request.request_headers ?? []) headers.append(name, sent(name, value))
    const query = isChange
      ? 'mutation ($id: ID!, $address: String) { change(id: $id, address: $address) }'
      : 'query ($id: ID!, $address: String) { answer(id: $id, address: $address) }'
    const address = `${request.filename ?? ''}?${request.query_arg ?? ''}`
    const response = await fetch(`${router.origin}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables: { id, address } }),
    })
    const { data } = (await response.json()) as { data?: { answer?: string; change?: string } | null }
    const text = data?.answer ?? data?.change ?? undefined
    const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]
    return {
      number: text === undefined ? undefined : Number(text.split(' ')[1]),
      isOwn: text === undefined || text.startsWith(`${id} `),
      secondsLeft: maxAge === undefined ? undefined : Number(maxAge),
    }
  }

  return {
    router,
    async play({ id, requests }, { isPublic = false, atOnce = false } = {}) {
      const name = randomUUID()
      const play: Playing = { requests, isPublic, number: 0, seen: [] }
      playing.set(name, play)
      for (const [at, request] of requests.entries()) {
        const number = at + 1
        play.number = number
        const before = play.seen.length
        const got = await send(name, request)
        const seen = play.seen.slice(before)
        const faults = faultsOf({ requests, number, got, seen, sent })
        if (faults.length > 0)
          return {
            id,
            passed: false,
            why: `${request.setup === true ? 'preparation, ' : ''}${faults.join('; ')}`,
          }
        if (request.pause_after === true && !atOnce) await delay(3000)
      }
      return { id, passed: true }
    },
    async [Symbol.asyncDispose]() {
      await router[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}
