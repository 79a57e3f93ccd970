/** Transports of a generation that cannot be served. */
import { expect, test } from 'vitest'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { configFrom, startGraph } from '../../support/graph.ts'
import { serveSubgraph } from '../../support/http-subgraph.ts'
import { until } from '../../support/wait.ts'

const connectionsOf = ({ server }: Awaited<ReturnType<typeof serveSubgraph>>): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)))

test('a reload that is refused leaves no connection to a subgraph, and no probe of it', async () => {
  await using subgraph = await serveSubgraph(async () => ({ data: { __typename: 'Query' } }))
  const { supergraph } = compose([{ name: 'one', typeDefs: 'type Query { one: Int }', url: subgraph.url }])
  if (supergraph === undefined) throw new Error('the subgraph does not compose')
  // Probes keep a connection open.
  const probing = { TESSERA_TRAFFIC_ALL_PROBE_MS: '100', TESSERA_EXPLORER: 'off' }
  const refused = configFrom({
    ...probing,
    TESSERA_RATE_LIMITS: '[{ "name": "few", "counts": "cost", "limit": 1, "windowSeconds": 1 }]',
  })
  {
    await using graph = await startGraph({
      graph: { supergraph },
      env: probing,
      reread: async () => ({ config: refused, supergraph }),
    })
    expect(await graph.gateway.reload()).toEqual({
      kind: 'refused',
      reasons: ['rateLimits: few counts cost, which requires the section demand'],
    })
  }
  await until(async () => (await connectionsOf(subgraph)) === 0, 'the end of all connections')
})
