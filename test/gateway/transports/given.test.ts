/** Transports that the program gives: several graphs may use them one after the other. */
import { expect, test } from 'vitest'
import { createInProcessTransport, type Transport } from '../../../engine/subgraphs/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { createHandler } from '../../../gateway/hosts/library.ts'
import { createTestSubgraph } from '../../support/federation.ts'
import { configFrom, startGraph } from '../../support/graph.ts'

const subgraphs = ['one', 'two'].map((name) =>
  createTestSubgraph(name, { sdl: `type Query { ${name}: Int }`, resolvers: { Query: { [name]: () => 1 } } }),
)

function supergraphOf(...names: readonly string[]): string {
  const sources = subgraphs.filter(({ name }) => names.includes(name))
  const { supergraph, errors } = compose(sources.map(({ name, typeDefs }) => ({ name, typeDefs, url: '' })))
  if (supergraph === undefined) throw new Error(errors.map(String).join('\n'))
  return supergraph
}

/** Transports that note when they are closed. */
function noting() {
  const closed: string[] = []
  const transports = new Map<string, Transport>()
  for (const subgraph of subgraphs) {
    const { name } = subgraph
    const transport = createInProcessTransport(subgraph)
    transports.set(name, { ...transport, close: async () => void closed.push(name) })
  }
  return { closed, transports }
}

test('a reload closes none of them, even if a supergraph in between does not have its subgraph', async () => {
  const { closed, transports } = noting()
  const config = configFrom({ TESSERA_EXPLORER: 'off' })
  let supergraph = supergraphOf('one', 'two')
  {
    await using graph = await startGraph({
      graph: { supergraph, transports },
      reread: async () => ({ config, supergraph }),
    })
    supergraph = supergraphOf('one')
    expect(await graph.gateway.reload()).toMatchObject({ kind: 'done', generation: 2 })
    supergraph = supergraphOf('one', 'two')
    expect(await graph.gateway.reload()).toMatchObject({ kind: 'done', generation: 3 })
    expect((await graph.ask('{ one two }')).data).toEqual({ one: 1, two: 1 })
    expect(closed).toEqual([])
  }
  expect(closed).toEqual(['one', 'two'])
})

test('the last of several handlers closes them and the hooks', async () => {
  const { closed, transports } = noting()
  const hooks = { close: () => void closed.push('hooks') }
  const options = { supergraph: supergraphOf('one', 'two'), transports, hooks }
  const before = createHandler(options)
  const after = createHandler(options)
  await before.close()
  expect(closed).toEqual([])
  await after.close()
  expect(closed).toEqual(['one', 'two', 'hooks'])
})
