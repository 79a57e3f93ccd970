/** Transports of a generation that cannot be served. */
import { expect, test } from 'vitest'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { configFrom, startGraph } from '../../support/graph.ts'
import { serveSubgraph } from '../../support/http-subgraph.ts'
import { until } from '../../support/wait.ts'

const connectionsOf = ({ server }: Awaited<ReturnType<typeof serveSubgraph>>): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)))

// Probes keep a connection open.
const probing = { TESSERA_TRAFFIC_ALL_PROBE_MS: '100', TESSERA_EXPLORER: 'off' }
const rateOfCost = '[{ "name": "few", "counts": "cost", "limit": 1, "windowSeconds": 1 }]'

test.each([
  [
    'after its transports were made',
    { TESSERA_RATE_LIMITS: rateOfCost },
    [],
    'rateLimits: few counts cost, which requires the section demand',
  ],
  [
    'while they are made',
    {},
    [{ name: 'two', typeDefs: 'type Query { two: Int }', url: '' }],
    'The subgraph two has no address: expected an http or https URL.',
  ],
])(
  'a reload that is refused %s leaves no connection to a subgraph, and no probe of it',
  async (_, env, added, reason) => {
    await using subgraph = await serveSubgraph(async () => ({ data: { __typename: 'Query' } }))
    const one = { name: 'one', typeDefs: 'type Query { one: Int }', url: subgraph.url }
    const supergraphOf = (...subgraphs: Parameters<typeof compose>[0]): string => {
      const { supergraph } = compose(subgraphs)
      if (supergraph === undefined) throw new Error('the subgraphs do not compose')
      return supergraph
    }
    const refused = { config: configFrom({ ...probing, ...env }), supergraph: supergraphOf(one, ...added) }
    {
      await using graph = await startGraph({
        graph: { supergraph: supergraphOf(one) },
        env: probing,
        reread: async () => refused,
      })
      expect(await graph.gateway.reload()).toEqual({ kind: 'refused', reasons: [reason] })
    }
    await until(async () => (await connectionsOf(subgraph)) === 0, 'the end of all connections')
  },
)
