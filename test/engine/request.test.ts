import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
import { createInProcessTransport } from '../../engine/subgraphs/index.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { executableSchema } from '../support/federation.ts'

const request = (timeoutMs = 10_000, headers: Record<string, string> = {}) =>
  createGatewayRequest({ id: 'r', deadline: performance.now() + timeoutMs, header: (name) => headers[name] })

const subgraph = (made: object[]): Subgraph => ({
  name: 's',
  typeDefs: parse('type Query { a: Int }'),
  schema: executableSchema('type Query { a: Int }', {}),
  createContext(of) {
    const context = { of }
    made.push(context)
    return context
  },
  close: () => Promise.resolve(),
})

describe('a request', () => {
  test('holds one context of each subgraph', () => {
    const made: object[] = []
    const [a, b, c] = [subgraph(made), subgraph(made), subgraph(made)]
    const one = request()
    const contexts = [a, b, a, c, b, c].map((each) => one.contextOf(each))
    expect(made).toHaveLength(3)
    expect(contexts).toEqual([made[0], made[1], made[0], made[2], made[1], made[2]])
    expect(request().contextOf(a)).not.toBe(contexts[0])
  })

  test('shows the headers of its caller', () => {
    expect(request(1000, { 'x-a': '1' }).header('x-a')).toBe('1')
    expect(request().header('x-a')).toBeUndefined()
  })

  test('tells each listener once that it is cancelled, and none that has left', () => {
    const one = request()
    const heard: string[] = []
    one.onCancel(() => heard.push('a'))
    const leave = one.onCancel(() => heard.push('b'))
    const same = () => heard.push('c')
    one.onCancel(same)
    one.onCancel(same)
    leave()
    leave()
    expect(one.cancelled).toBe(false)
    one.cancel()
    one.cancel()
    expect(one.cancelled).toBe(true)
    expect(heard).toEqual(['a', 'c', 'c'])
    one.onCancel(() => heard.push('late'))
    expect(heard.at(-1)).toBe('late')
  })

  test('is cancelled by its deadline', async () => {
    const one = request(30)
    await new Promise<void>((resolve) => one.onCancel(resolve))
    expect(one.cancelled).toBe(true)
    expect(request(-1).cancelled).toBe(true)
  })
})

/** The type is a part of the package's surface: nothing of it may be private. */
test('an object of its user is a request, too', async () => {
  const context = {}
  const own: GatewayRequest = {
    id: 'own',
    deadline: performance.now() + 10_000,
    identity: undefined,
    onError: 'PROPAGATE',
    cancelled: false,
    cacheOnly: false,
    allowance: undefined,
    notBefore: 0,
    cachePolicy: undefined,
    idempotencyKeys: undefined,
    earlierAttempt: undefined,
    replayed: false,
    resumeAfter: undefined,
    meter: { call() {} },
    header: () => undefined,
    headerNames: () => [],
    contextOf: () => context,
    onCancel: () => () => {},
    cancel() {},
    hold() {},
    release() {},
  }
  const schema = executableSchema('type Query { a: Int }', { Query: { a: () => 1 } })
  const transport = createInProcessTransport({ ...subgraph([]), schema })
  const document = parse('{ a }')
  const send = transport.prepare({
    kind: 'query',
    text: '{ a }',
    document,
    name: undefined,
    variableNames: [],
  })
  expect((await send({}, own)).data).toEqual({ a: 1 })
})
