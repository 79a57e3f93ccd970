/**
 * A gateway sends numbers with all of their digits. A subgraph service reads what a double can hold of them, however the
 * operation comes.
 */
import { once } from 'node:events'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startSubgraphService } from '../../../gateway/hosts/subgraph.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { Metrics } from '../../../gateway/telemetry/metrics/index.ts'
import { configFrom } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'

const sdl = 'type Query { same(n: Float, id: ID): Float } type Subscription { same(n: Float, id: ID): Float }'
const same = (_: unknown, { n }: { n: number }): number => n
async function* sameOnce(_: unknown, { n }: { n: number }) {
  yield { value: n }
}
const typeDefs = parse(sdl)
const resolvers = {
  Query: { same },
  Subscription: { same: { subscribe: sameOnce, resolve: ({ value }: { value: number }) => value } },
}
const service = await startSubgraphService({
  subgraph: {
    ...{ name: 'one', typeDefs, schema: buildSubgraphSchema([{ typeDefs, resolvers }]) },
    ...{ createContext: () => ({}), close: async () => {} },
  },
  config: configFrom({}),
  port: 0,
  metrics: new Metrics(),
  log: createLogger({ level: 'silent' }),
})
keepForFile({ [Symbol.asyncDispose]: () => service.stop(100) })

const events = { accept: 'text/event-stream' }
const byUrl = (query: string, variables: string): string =>
  `${service.url}?${new URLSearchParams({ query, variables })}`
const inBody = (query: string, variables: string): string =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`

async function overWebSocket(operation: string): Promise<string> {
  const socket = new WebSocket(service.url, 'graphql-transport-ws')
  await once(socket, 'open')
  socket.send('{"type":"connection_init"}')
  await once(socket, 'message')
  socket.send(`{"type":"subscribe","id":"1","payload":${operation}}`)
  const [message] = await once(socket, 'message')
  socket.terminate()
  return String(message)
}

type Ask = (variables: string) => Promise<string>
const query = 'query ($n: Float, $id: ID) { same(n: $n, id: $id) }'
const subscription = query.replace('query', 'subscription')
const text = async (response: Promise<Response>): Promise<string> => (await response).text()

test.each<[string, Ask]>([
  ['a query by POST', (variables) => text(postJson(service.url, inBody(query, variables)))],
  ['a query by GET', (variables) => text(fetch(byUrl(query, variables)))],
  [
    'a subscription by POST',
    (variables) => text(postJson(service.url, inBody(subscription, variables), events)),
  ],
  ['a subscription by GET', (variables) => text(fetch(byUrl(subscription, variables), { headers: events }))],
  ['a query over a WebSocket', (variables) => overWebSocket(inBody(query, variables))],
  ['a subscription over a WebSocket', (variables) => overWebSocket(inBody(subscription, variables))],
])('%s', async (_, ask) => {
  expect(await ask('{"n":12345678901234567890}')).toContain('"data":{"same":12345678901234567000}')
  // An ID would be another one.
  expect(await ask('{"id":12345678901234567890}')).toContain('BAD_USER_INPUT')
})
