/** Refetching through a whole graph: what `node` and `nodes` cost the services behind it. */
import { parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../engine/index.ts'
import { createGatewayRequest } from '../../../engine/request.ts'
import { createInProcessTransport } from '../../../engine/subgraphs/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import { nodeKeys } from '../../../subgraphs/index.ts'
import { createMessagesSubgraph } from '../../../subgraphs/messages/index.ts'
import { createNodesSubgraph } from '../../../subgraphs/nodes/index.ts'
import { startScripted } from '../../support/scripted-service.ts'
import { faults } from '../../support/subgraph.ts'

/** Messages exist below id 1000, the intents i0 to i99 of the project demo, and its agent. */
async function startGraph() {
  const service = await startScripted(({ path, query }) => {
    if (path === '/2/tweets') {
      const ids = (query.ids ?? '').split(',').filter((id) => id.length < 4)
      return { body: ids.length === 0 ? {} : { data: ids.map((id) => ({ id, text: `text ${id}` })) } }
    }
    if (path === '/v2beta1/projects/demo/agent') return { body: { displayName: 'Desk' } }
    if (path === '/v2beta1/projects/demo/agent/intents') {
      const intents = Array.from({ length: 100 }, (_, n) => ({ name: nameOf(n), displayName: `Intent ${n}` }))
      return { body: { intents } }
    }
    return { status: 404, body: { error: { code: 404, status: 'NOT_FOUND', message: 'none' } } }
  })
  const options = { baseUrl: service.url, credential: { kind: 'none' } } as const
  const subgraphs = [
    createAgentsSubgraph(options),
    createMessagesSubgraph(options),
    createNodesSubgraph({ keys: nodeKeys }),
  ]
  const composition = compose(
    subgraphs.map(({ name, typeDefs }) => ({ name, url: `http://${name}.invalid`, typeDefs })),
  )
  if (composition.errors !== undefined) throw new Error(composition.errors.join('\n'))
  const supergraph = loadSupergraph(composition.supergraph)
  const transports = new Map(subgraphs.map((one) => [one.name, createInProcessTransport(one)]))
  const engine = createEngine({ supergraph, transports, absentNodes: true })
  return {
    arrived: service.arrived,
    async run(text: string, variables: Record<string, unknown> = {}) {
      const document = parse(text)
      expect(validate(supergraph.apiSchema, document)).toEqual([])
      const compiled = engine.compile({ document })
      const request = createGatewayRequest({
        id: 'test',
        deadline: performance.now() + 20_000,
        header: () => undefined,
      })
      const { data, errors = [] } = await compiled.execute(variables, request)
      return { data: JSON.parse(JSON.stringify(data)), errors }
    },
    async [Symbol.asyncDispose]() {
      for (const subgraph of subgraphs) await subgraph.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

const nameOf = (n: number): string => `projects/demo/agent/intents/i${n}`
const operation = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
  ... on Message { messageId text } ... on Intent { name displayName } ... on Agent { project displayName } } }`

describe('nodes', () => {
  test('of a hundred mixed ids cost one call a service', async () => {
    await using graph = await startGraph()
    const wanted = Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0
        ? {
            __typename: 'Message',
            id: toGlobalId('Message', `${n + 1}`),
            messageId: `${n + 1}`,
            text: `text ${n + 1}`,
          }
        : {
            __typename: 'Intent',
            id: toGlobalId('Intent', nameOf(n)),
            name: nameOf(n),
            displayName: `Intent ${n}`,
          },
    )
    const { data, errors } = await graph.run(operation, { ids: wanted.map(({ id }) => id) })
    expect(errors).toEqual([])
    expect(data.nodes).toEqual(wanted)
    expect(graph.arrived.map(({ path }) => path).sort()).toEqual([
      '/2/tweets',
      '/v2beta1/projects/demo/agent/intents',
    ])
  })

  test('are null if there is no such object, and an error if the id is invalid', async () => {
    await using graph = await startGraph()
    const { data, errors } = await graph.run(operation, {
      ids: [
        toGlobalId('Message', '5000'),
        'broken',
        toGlobalId('Agent', 'demo'),
        toGlobalId('Agent', 'gone'),
        toGlobalId('Intent', nameOf(500)),
        toGlobalId('MessageUser', '5'),
      ],
    })
    expect(data.nodes).toEqual([
      null,
      null,
      { __typename: 'Agent', id: toGlobalId('Agent', 'demo'), project: 'demo', displayName: 'Desk' },
      null,
      null,
      null,
    ])
    expect(faults(errors)).toEqual(['nodes.1: BAD_USER_INPUT', 'nodes.5: BAD_USER_INPUT'])
  })

  test('with only ids selected call no service', async () => {
    await using graph = await startGraph()
    const ids = [toGlobalId('Message', '5'), toGlobalId('Agent', 'demo')]
    const { data } = await graph.run('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids })
    expect(data.nodes).toEqual([
      { __typename: 'Message', id: ids[0] },
      { __typename: 'Agent', id: ids[1] },
    ])
    expect(graph.arrived).toEqual([])
  })
})

describe('node', () => {
  test("finds what the object's own id names", async () => {
    await using graph = await startGraph()
    const { data } = await graph.run('{ message(messageId: "7") { id } agent(project: "demo") { id } }')
    for (const [id, expected] of [
      [data.message.id, { text: 'text 7' }],
      [data.agent.id, { displayName: 'Desk' }],
    ] as const) {
      const found = await graph.run(
        'query ($id: ID!) { node(id: $id) { ... on Message { text } ... on Agent { displayName } } }',
        { id },
      )
      expect(found).toEqual({ data: { node: expected }, errors: [] })
    }
  })

  test('of a missing object is null, with any selection', async () => {
    await using graph = await startGraph()
    const { data, errors } = await graph.run(
      'query ($id: ID!) { node(id: $id) { id ... on Message { text } } }',
      { id: toGlobalId('Message', '5000') },
    )
    expect([data, errors]).toEqual([{ node: null }, []])
  })
})
