/**
 * Thousands of random requests that are made to break things, to the gateway and to each subgraph service: Every
 * answer is valid GraphQL over HTTP with codes of the list. No request causes a fault of the server or shows its
 * internals. The services get only calls of their contract.
 */
import { readFileSync } from 'node:fs'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { isErrorCode } from '../../shared/errors.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import { campaignSize } from '../support/campaign-size.ts'
import { allScopes, startGraph } from '../support/graph.ts'
import { createHostileRequests, type HostileRequest } from '../support/hostile-request.ts'
import { keepForFile } from '../support/keep.ts'
import { testSeed } from '../support/seed.ts'
import { serviceSecret, startServices } from '../support/services.ts'
import { longestWaitMs } from '../support/wait.ts'

const count = Number(process.env.TESSERA_TEST_REQUESTS ?? campaignSize(2000))
/** After so many wrong answers it stops. */
const mostShown = 5
const mostBytes = 20_000_000
/** Words that would reveal the server's source, its addresses or its machine. */
const inside =
  /node_modules|\.ts:\d|\.js:\d|file:\/\/|\bat (?:async )?[\w.]+ \(|127\.0\.0\.1:|ECONN|[a-f0-9]{64}/
/** With all services there, no request is the reason for one of these. */
const faultsOfServers = new Set([
  'INTERNAL_SERVER_ERROR',
  'OPERATION_NOT_PLANNABLE',
  'HOOK_FAILED',
  'UPSTREAM_BAD_RESPONSE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'SERVICE_BUSY',
  'SERVICE_STOPPING',
])

interface Reply {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function send(
  url: string,
  authorization: Record<string, string>,
  request: HostileRequest,
): Promise<Reply> {
  const { method, search, headers, body } = request
  const response = await fetch(`${url}${search}`, {
    method,
    headers: { ...authorization, ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(longestWaitMs),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  }
}

/** The results in an answer: one, the pieces of `multipart/mixed`, or the data of events. */
function resultsIn({ type, text }: Reply): readonly Record<string, unknown>[] {
  if (/json/.test(type)) return [JSON.parse(text)].flat()
  const bodies = type.startsWith('multipart/mixed')
    ? text.split(/\r?\n\r?\n/).map((piece) => piece.split('\r\n--')[0] ?? '')
    : text.split('\n').flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []))
  return bodies.flatMap((body) => (body.trim().startsWith('{') ? JSON.parse(body) : []))
}

/** What is wrong with an answer, whatever was asked. */
function faultsIn(reply: Reply): readonly string[] {
  const { status, type, text } = reply
  const faults: string[] = []
  if (status >= 500) faults.push(`status ${status}`)
  if (text.length > mostBytes) faults.push(`${text.length} characters`)
  // Values that a client has sent may come back in messages, JSON in JSON: they have no such texts.
  const shown = inside.exec(text)
  if (shown !== null) faults.push(`says ${shown[0]}`)
  if (!/^(?:application\/(?:graphql-response\+)?json|multipart\/mixed|text\/event-stream)\b/.test(type))
    return [...faults, `content type ${type}`]
  const results = resultsIn(reply)
  if (results.length === 0) faults.push('no result')
  for (const result of results) {
    if (!['data', 'errors', 'hasNext', 'extensions'].some((name) => name in result))
      faults.push(`no result: ${JSON.stringify(result).slice(0, 200)}`)
    for (const error of [result.errors ?? []].flat() as {
      message?: unknown
      extensions?: { code?: unknown }
    }[]) {
      const code = error.extensions?.code
      if (typeof error.message !== 'string' || error.message === '') faults.push('an error without a message')
      if (!isErrorCode(code) || faultsOfServers.has(code))
        faults.push(`${String(code)}: ${String(error.message)}`)
    }
  }
  return faults
}

const graph = keepForFile(
  await startGraph({ env: { TESSERA_LOG_LEVEL: 'error', TESSERA_MAX_ROOT_FIELDS: '50' } }),
)
const services = keepForFile(await startServices(graph.sandbox.url))

describe('random hostile requests', () => {
  async function attack(
    url: string,
    authorization: Record<string, string>,
    requestOf: (seed: number) => HostileRequest,
    times: number,
  ): Promise<void> {
    const wrong: unknown[] = []
    const lanes = 8
    let next = 0
    const lane = async (): Promise<void> => {
      for (let at = next++; at < times && wrong.length < mostShown; at = next++) {
        const seed = testSeed + at
        const request = requestOf(seed)
        const reply = await send(url, authorization, request)
        const faults = faultsIn(reply)
        if (faults.length > 0)
          wrong.push({
            seed,
            faults,
            request: JSON.stringify(request).slice(0, 2000),
            reply: reply.text.slice(0, 500),
          })
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    expect(wrong).toEqual([])
    const calls = graph.sandbox.journal.filter(({ operation }) => operation === undefined)
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    graph.sandbox.reset()
  }

  test('get an answer in GraphQL from the gateway, with calls only of the contract', async () => {
    const schema = buildSchema(readFileSync(new URL('../../schema/api.graphql', import.meta.url), 'utf8'))
    const authorization = { authorization: `Bearer ${await graph.token(allScopes)}` }
    await attack(graph.url, authorization, createHostileRequests(schema), count)
    expect(graph.log).toEqual([])
    expect((await graph.ask('{ __typename }')).data).toEqual({ __typename: 'Query' })
  })

  test.each(subgraphNames)('get an answer in GraphQL from the service %s', async (name) => {
    const sdl = readFileSync(new URL(`../../schema/${name}.graphql`, import.meta.url), 'utf8')
    const schema = buildSubgraphSchema([{ typeDefs: parse(sdl) }])
    const requestOf = createHostileRequests(schema, schema.getMutationType() == null ? ['query'] : undefined)
    await attack(
      services.urls[name],
      { 'router-authorization': `Bearer ${serviceSecret}` },
      requestOf,
      count / 5,
    )
  })
})
