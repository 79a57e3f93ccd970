/**
 * A coprocessor: a real process that calls a real server, whose responses are right, late, wrong or too long.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { startCollector } from '../../support/collector.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import {
  guardedShop,
  onlyProducts,
  shop,
  startInFront,
  startRouter,
  startService,
  supergraphOf,
} from '../../support/router.ts'

// biome-ignore lint/suspicious/noExplicitAny: questions are compared, not used
type Question = any
interface Coprocessor extends AsyncDisposable {
  readonly url: string
  readonly asked: { readonly headers: IncomingHttpHeaders; readonly question: Question }[]
  readonly connections: Set<unknown>
  answer: (question: Question, response: ServerResponse) => object | undefined
}

async function startCoprocessor(): Promise<Coprocessor> {
  const server = await startFaultyServer((response, { headers, body }) => {
    coprocessor.connections.add(response.socket)
    const question = JSON.parse(body)
    coprocessor.asked.push({ headers, question })
    const answer = coprocessor.answer(question, response)
    if (answer === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ version: 1, control: 'continue', ...answer }))
  })
  const coprocessor: Coprocessor = {
    ...server,
    url: `${server.url}/ask`,
    asked: [],
    connections: new Set(),
    answer: () => ({}),
  }
  return coprocessor
}

const everything = { headers: ['x-tenant'], identity: true, claims: ['plan'] }

test('it is sent what its stages choose, changes what it may, and ends requests', async () => {
  await using coprocessor = await startCoprocessor()
  const collector = await startCollector()
  const { router, products, reviews } = await startInFront(shop, {
    config: {
      coprocessor: {
        url: coprocessor.url,
        timeoutMs: 20_000,
        send: [{ name: 'x-gateway-secret', environment: 'COPROCESSOR_SECRET' }],
        stages: {
          request: { headers: ['x-tenant'] },
          identity: everything,
          operation: { ...everything, variables: true },
          subgraphRequest: { ...everything, text: true, variables: true, subgraphs: ['products'] },
          subgraphAnswer: { data: true, answerHeaders: ['x-of-products'], subgraphs: ['products'] },
          answer: { data: true, errors: true },
        },
      },
    },
    env: { COPROCESSOR_SECRET: 'only-for-the-coprocessor', TESSERA_TRACES_URL: `${collector.url}/v1/traces` },
  })
  products.answerHeaders = { 'x-of-products': 'fresh', 'set-cookie': 'no' }
  const send = (query: string, headers: Record<string, string> = {}) =>
    router.ask({ query, variables: { id: '7' } }, { accept: 'application/graphql-response+json', ...headers })
  const query = 'query Q($id: ID!) { product(id: $id) { id name } reviewCount }'
  coprocessor.answer = ({ stage, context }) => {
    switch (stage) {
      case 'request':
        return { context: { n: 1 }, headers: { 'x-tenant': 'changed', 'x-more': null } }
      case 'identity':
        return { identity: { subject: 'anna', scopes: ['a'], claims: { plan: 'free', email: 'private' } } }
      case 'operation':
        return { variables: { id: '8' }, context: { n: context.n + 1 } }
      case 'subgraphRequest':
        return { headers: { 'x-made': 'here' } }
      case 'subgraphAnswer':
        return { answer: { data: { product: { id: '8', name: 'Other' } } } }
      default:
        return { extensions: { n: context.n }, headers: { 'x-answered': 'yes' } }
    }
  }
  const answer = await send(query, {
    'x-tenant': 'first',
    'x-private': 'a',
    cookie: 'session=1',
    'x-request-id': 'q1',
  })
  expect([answer.status, answer.headers.get('x-answered'), answer.body]).toEqual([
    200,
    'yes',
    { data: { product: { id: '8', name: 'Other' }, reviewCount: 7 }, extensions: { n: 2 } },
  ])
  expect(products.asked[0]?.headers['x-made']).toBe('here')
  expect(JSON.parse(products.asked[0]?.body.toString() ?? '').variables).toEqual({ id: '8' })
  expect(reviews.asked[0]?.headers['x-made']).toBeUndefined()
  const caller = {
    headers: { 'x-tenant': 'changed' },
    identity: { subject: 'anna', scopes: ['a'], authenticated: true, claims: { plan: 'free' } },
  }
  const common = { version: 1, id: 'q1' }
  const operation = { name: 'Q', type: 'query', hash: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect(coprocessor.asked.map(({ question }) => question)).toEqual([
    { ...common, stage: 'request', headers: { 'x-tenant': 'first' }, method: 'POST', url: '/graphql' },
    {
      ...common,
      stage: 'identity',
      context: { n: 1 },
      headers: { 'x-tenant': 'changed' },
      identity: { scopes: [], authenticated: false, claims: {} },
    },
    { ...common, stage: 'operation', context: { n: 1 }, ...caller, operation, variables: { id: '7' } },
    {
      ...common,
      stage: 'subgraphRequest',
      context: { n: 2 },
      ...caller,
      subgraph: 'products',
      fetch: { type: 'query', text: expect.stringContaining('product'), variables: { id: '8' } },
    },
    {
      ...common,
      stage: 'subgraphAnswer',
      context: { n: 2 },
      subgraph: 'products',
      fetch: { type: 'query' },
      status: 200,
      milliseconds: expect.any(Number),
      data: { product: expect.anything() },
      answerHeaders: { 'x-of-products': 'fresh' },
    },
    {
      ...common,
      stage: 'answer',
      context: { n: 2 },
      operation,
      status: 200,
      milliseconds: expect.any(Number),
      data: { product: { id: '8', name: 'Other' }, reviewCount: 7 },
      errors: [],
    },
  ])
  for (const { headers } of coprocessor.asked)
    expect(headers['x-gateway-secret']).toBe('only-for-the-coprocessor')
  expect(products.asked[0]?.headers['x-gateway-secret']).toBeUndefined()

  products.asked.length = 0
  coprocessor.answer = ({ stage }) =>
    stage === 'operation'
      ? {
          control: { break: 429 },
          errors: [{ message: 'Too many.', extensions: { code: 'RATE_LIMITED', plan: 'free' } }],
          headers: { 'x-plan': 'free' },
        }
      : {}
  const ended = await send(query)
  expect([ended.status, ended.headers.get('x-plan'), ended.body]).toEqual([
    429,
    'free',
    { errors: [{ message: 'Too many.', extensions: { code: 'RATE_LIMITED', plan: 'free' } }] },
  ])
  expect(products.asked).toEqual([])
  // Kept connections, one after the other: as many as there were concurrent calls.
  expect(coprocessor.connections.size).toBeLessThan(4)
  await collector.named('hook subgraphRequest')
  await collector.named('hook operation')
  expect(JSON.stringify(collector.arrived.map(({ body }) => body))).not.toContain('only-for-the-coprocessor')
})

test('if it fails the request ends, unless the configuration says to continue', async () => {
  await using coprocessor = await startCoprocessor()
  const { router, products } = await startInFront(onlyProducts, {
    config: {
      coprocessor: {
        url: coprocessor.url,
        timeoutMs: 1500,
        maxBytes: 1000,
        stages: { operation: { variables: true }, answer: { onFailure: 'open' } },
      },
    },
  })
  const query = '{ products { name } }'
  const failures: Record<string, Coprocessor['answer']> = {
    late: () => undefined,
    status: (_, response) => void response.writeHead(500).end(),
    'no JSON': (_, response) => void response.end('<html>secret'),
    list: (_, response) => void response.end('[]'),
    version: () => ({ version: 2 }),
    control: () => ({ control: 'stop' }),
    'break without a status': () => ({ control: { break: 200 } }),
    'too long': () => ({ more: 'x'.repeat(2000) }),
    cut: (_, response) => void response.destroy(),
    'wrong variables': () => ({ variables: [1] }),
  }
  for (const [how, answer] of Object.entries(failures)) {
    coprocessor.answer = (question, response) =>
      question.stage === 'operation' ? answer(question, response) : {}
    const { body } = await router.ask(query)
    expect([how, body.errors?.[0]?.extensions, JSON.stringify(body).includes('secret')]).toEqual([
      how,
      { code: 'HOOK_FAILED' },
      false,
    ])
    coprocessor.answer = (question, response) =>
      question.stage === 'answer' ? answer(question, response) : {}
    expect((await router.ask(query)).body.data.products).toHaveLength(2)
  }
  expect(products.asked.length).toBe(Object.keys(failures).length)
  const counted = await router.metrics()
  for (const stage of ['operation', 'answer'])
    expect(counted).toContain(
      `tessera_hook_duration_seconds_count{stage="${stage}",source="coprocessor",result="timeout"} 1\n`,
    )
  coprocessor.answer = () => ({})
  const byId = 'query ($id: ID!) { product(id: $id) { name } }'
  const long = await router.ask({ query: byId, variables: { id: 'x'.repeat(2000) } })
  expect(long.body.errors[0].extensions.code).toBe('HOOK_FAILED')
  expect((await router.ask(query)).body.errors).toBeUndefined()
})

const allStages = {
  request: {},
  identity: {},
  operation: {},
  policies: {},
  labels: {},
  subgraphRequest: { subgraphs: ['reviews'] },
  subgraphAnswer: { subgraphs: ['reviews'] },
  answer: {},
}
type Stage = keyof typeof allStages

async function startAsked(onFailure: 'closed' | 'open') {
  const coprocessor = await startCoprocessor()
  const services = [
    await startService('products', guardedShop.products),
    await startService('reviews', guardedShop.reviews),
  ]
  const router = await startRouter({
    supergraph: supergraphOf(services),
    config: { coprocessor: { url: coprocessor.url, timeoutMs: 20_000, onFailure, stages: allStages } },
  })
  const decided: Partial<Record<Stage, object>> = {
    policies: { policies: ['staff'] },
    labels: { labels: ['new-reviews'] },
  }
  return {
    coprocessor,
    /** What clients get if one stage answers so. */
    async answered(query: string, stage?: Stage, answer: Coprocessor['answer'] = () => undefined) {
      coprocessor.answer = (question, response) =>
        question.stage === stage ? answer(question, response) : (decided[question.stage as Stage] ?? {})
      return (await router.ask(query)).body
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([router, coprocessor, ...services].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

const guarded = '{ products { name price stars } }'
const parts = '{ reviewCount products { name } }'
const gone: Coprocessor['answer'] = (_, response) => void response.writeHead(503).end()
const failed = expect.objectContaining({ extensions: { code: 'HOOK_FAILED' } })

test('it decides policies and labels, and a failure of any stage is contained as documented', async () => {
  await using asked = await startAsked('closed')
  expect(await asked.answered(guarded)).toEqual({ data: { products: [{ name: 'n0', price: 7, stars: 9 }] } })
  const questions = new Map(asked.coprocessor.asked.map(({ question }) => [question.stage, question]))
  expect(questions.get('policies').policies.sort()).toEqual(['owner', 'staff', 'there'])
  expect(questions.get('labels').labels).toEqual(['new-reviews'])

  for (const stage of ['request', 'identity', 'operation', 'policies', 'answer'] as const)
    expect([stage, await asked.answered(guarded, stage, gone)]).toEqual([stage, { errors: [failed] }])
  for (const answer of [{ policies: 'staff' }, { policies: [7] }, {}, { control: { break: 403 } }])
    expect(await asked.answered(guarded, 'policies', () => answer)).toEqual({ errors: [failed] })
  for (const answer of [gone, () => ({ labels: 7 }), () => ({ control: { break: 403 } })])
    expect(await asked.answered(guarded, 'labels', answer)).toEqual({
      data: { products: [{ name: 'n0', price: 7, stars: 1 }] },
    })
  for (const stage of ['subgraphRequest', 'subgraphAnswer'] as const)
    expect([stage, await asked.answered(parts, stage, gone)]).toEqual([
      stage,
      {
        data: { reviewCount: null, products: [{ name: 'n0' }] },
        errors: [expect.objectContaining({ extensions: { code: 'HOOK_FAILED', service: 'reviews' } })],
      },
    ])
  // What is the way of hooks in code to end a request is here an unknown key.
  for (const stage of ['request', 'operation', 'subgraphRequest', 'answer'] as const)
    expect(await asked.answered(parts, stage, () => ({ refuse: { message: 'No.' } }))).toEqual({
      data: { reviewCount: 5, products: [{ name: 'n0' }] },
    })
})

test('with open a failure of any stage is as if it had not been asked', async () => {
  await using asked = await startAsked('open')
  for (const stage of Object.keys(allStages) as Stage[]) {
    const { data, errors } = await asked.answered(
      '{ reviewCount products { name price stars } }',
      stage,
      gone,
    )
    const [price, stars] = [stage === 'policies' ? null : 7, stage === 'labels' ? 1 : 9]
    expect([stage, data]).toEqual([stage, { reviewCount: 5, products: [{ name: 'n0', price, stars }] }])
    expect([stage, errors?.length ?? 0]).toEqual([stage, stage === 'policies' ? 1 : 0])
  }
})
