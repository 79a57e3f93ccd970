/** Subscriptions in the engine: their plans, the result of each event, and how they end. */
import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { type CompiledOperation, createEngine, type OperationResult } from '../../../engine/index.ts'
import type { Variables } from '../../../engine/operation/variables.ts'
import { createGatewayRequest, type GatewayRequest } from '../../../engine/request.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { createLiveGraph } from '../../support/live-graph.ts'
import '../../support/matchers.ts'

function start() {
  const graph = createLiveGraph()
  const supergraph = loadSupergraph(graph.supergraph)
  const engine = createEngine({ supergraph, transports: graph.transports })
  const requestFor = (deadline = performance.now() + 10_000, resumeAfter?: string): GatewayRequest =>
    createGatewayRequest({ id: 'r', deadline, header: () => undefined, resumeAfter })
  return {
    graph,
    engine,
    requestFor,
    compile(text: string) {
      const document = parse(text)
      expect(validate(engine.schema, document)).toEqual([])
      return engine.compile({ document })
    },
  }
}

/** As a server does: each event is executed with a request of its own. */
async function* resultsOf(
  compiled: CompiledOperation,
  variables: Variables,
  request: GatewayRequest,
  requestOf: () => GatewayRequest,
): AsyncGenerator<OperationResult, undefined, undefined> {
  const source = compiled.events(variables, request)
  if ('errors' in source) {
    yield source
    return
  }
  const events = await source.open(request)
  const over = new Promise<undefined>((resolve) => request.onCancel(() => resolve(undefined)))
  try {
    while (!request.cancelled) {
      const next = await Promise.race([events.next(), over])
      if (next === undefined || next.done === true) return
      yield await compiled.execute(variables, requestOf(), next.value)
    }
  } finally {
    await events.return?.()
  }
}

const plain = (result: unknown): unknown => JSON.parse(JSON.stringify(result))

test('the root field comes from one subgraph, fields of others are fetched for each event', async () => {
  const { graph, compile, requestFor } = start()
  const compiled = compile('subscription ($of: ID) { t: ticked(of: $of) { number name } }')
  expect(compiled.plan()).toHavePlan(`
    sequence
      fetch clock
        subscription { t: ticked(of: $of) { __typename id number } }
      entities names
        t: { ... on Tick { __typename id } }
        { ... on Tick { name } }`)
  const request = requestFor(Number.POSITIVE_INFINITY)
  const results = resultsOf(compiled, { of: 'b' }, request, () => requestFor())
  const first = results.next()
  await expect.poll(() => graph.listening()).toBe(1)
  graph.tick(1, 'a')
  graph.tick(1, 'b')
  graph.tick(2, 'b')
  expect(plain((await first).value)).toEqual({ data: { t: { number: 1, name: 'tick b1' } } })
  expect(plain((await results.next()).value)).toEqual({ data: { t: { number: 2, name: 'tick b2' } } })
  expect(graph.lookups).toEqual([['b1'], ['b2']])
  // One request for the subscription, and one for each event.
  expect(graph.requests.length).toBe(3)
  expect(new Set(graph.requests).size).toBe(3)
  const last = results.next()
  request.cancel()
  expect((await last).done).toBe(true)
  expect(graph.listening()).toBe(0)
})

test('an error belongs to its event, and a null for a non-null field fails only its event', async () => {
  const { graph, compile, requestFor } = start()
  const failing = compile('subscription { ticked { number failing broken } }')
  const results = resultsOf(failing, {}, requestFor(Number.POSITIVE_INFINITY), () => requestFor())
  const first = results.next()
  await expect.poll(() => graph.listening()).toBe(1)
  graph.tick(1)
  const { data, errors } = (await first).value as OperationResult
  expect(plain({ data })).toEqual({ data: { ticked: { number: 1, failing: null, broken: null } } })
  expect(errors?.map(({ path, extensions }) => [path?.join('.'), extensions.code])).toEqual([
    ['ticked.failing', 'UPSTREAM_UNAVAILABLE'],
  ])

  const strict = resultsOf(compile('subscription { strict }'), {}, requestFor(Number.POSITIVE_INFINITY), () =>
    requestFor(),
  )
  const nulled = strict.next()
  await expect.poll(() => graph.listening('strict')).toBe(1)
  graph.send('strict', { value: null })
  graph.send('strict', { value: 2 })
  const bubbled = (await nulled).value as OperationResult
  expect(bubbled.data).toBeNull()
  expect(bubbled.errors?.length).toBe(1)
  expect(plain((await strict.next()).value)).toEqual({ data: { strict: 2 } })
})

test('events end with the error of the subgraph, or without one', async () => {
  const { graph, compile, requestFor } = start()
  const request = requestFor(Number.POSITIVE_INFINITY)
  const refused = compile('subscription { ticked(of: "refused") { number } }')
  await expect(resultsOf(refused, {}, request, () => requestFor()).next()).rejects.toThrow('no such clock')

  const compiled = compile('subscription { strict }')
  const failing = resultsOf(compiled, {}, request, () => requestFor()).next()
  await expect.poll(() => graph.listening()).toBe(1)
  graph.send('strict', tesseraError('QUOTA_EXCEEDED', 'All is spent.'))
  await expect(failing).rejects.toThrow('All is spent.')
  const ending = resultsOf(compiled, {}, request, () => requestFor()).next()
  await expect.poll(() => graph.listening()).toBe(1)
  graph.send('strict', 'done')
  expect((await ending).done).toBe(true)
})

test('wrong variables are one result, and nothing is subscribed to', async () => {
  const { graph, compile, requestFor } = start()
  const compiled = compile('subscription ($of: ID!) { ticked(of: $of) { number } }')
  const results = resultsOf(compiled, {}, requestFor(), () => requestFor())
  const { errors } = (await results.next()).value as OperationResult
  expect(errors?.[0]?.message).toContain('$of')
  expect((await results.next()).done).toBe(true)
  expect(graph.subscribed()).toBe(0)
})

test('a client resumes after its last event, if the field takes an event id', async () => {
  const { graph, compile, requestFor } = start()
  for (const number of [1, 2, 3]) graph.tick(number)
  const compiled = compile('subscription { ticked { number } }')
  const request = requestFor(Number.POSITIVE_INFINITY, 'a:1')
  const results = resultsOf(compiled, {}, request, () => requestFor())
  expect(plain((await results.next()).value)).toEqual({ data: { ticked: { number: 2 } } })
  expect(plain((await results.next()).value)).toEqual({ data: { ticked: { number: 3 } } })
})

test('sources are equal if field, arguments and variables are equal, whatever is selected', () => {
  const { compile, requestFor } = start()
  const keyOf = (text: string, variables = {}): unknown => {
    const source = compile(text).events(variables, requestFor())
    return 'errors' in source ? source.errors : source.key
  }
  const key = keyOf('subscription ($of: ID) { ticked(of: $of) { number } }', { of: 'b' })
  expect(keyOf('subscription A($of: ID) { x: ticked(of: $of) { name secret } }', { of: 'b' })).toBe(key)
  expect(keyOf('subscription ($of: ID) { ticked(of: $of) { number } }', { of: 'c' })).not.toBe(key)
  expect(keyOf('subscription { ticked(of: "b") { number } }')).not.toBe(key)
})
