/**
 * Mercurius' gateway with JIT over mercurius' own subgraph services with JIT, configured as in its documentation,
 * with the product's resolvers. With a name this is that subgraph, and without one the gateway over the services in
 * `SERVICES`. It composes Federation 1, so later directives are removed from the SDL.
 */
import mercuriusFederation from '@mercuriusjs/federation'
import mercuriusGateway from '@mercuriusjs/gateway'
import fastify, { type FastifyInstance } from 'fastify'
import { Kind, parse, print, visit } from 'graphql'
import type { Subgraph } from '../../shared/subgraph.ts'
import { serviceNames } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { contextOf, subgraphFor } from './resolvers.ts'

type Field = { readonly resolve?: unknown }
type NamedType = {
  readonly name: string
  readonly resolveReference?: unknown
  getFields?(): Record<string, Field>
  resolveType?: unknown
}

const directivesOfFederation1 = ['key', 'external', 'requires', 'provides', 'extends', 'deprecated']

/** The SDL for Federation 1. Subscriptions are removed, because no candidate runs them. */
function federation1(sdl: string): string {
  return print(
    visit(parse(sdl), {
      SchemaExtension: () => null,
      DirectiveDefinition: () => null,
      Directive: ({ name }) => (directivesOfFederation1.includes(name.value) ? undefined : null),
      ObjectTypeDefinition(node) {
        if (node.name.value === 'Subscription') return null
        if (node.name.value !== 'Query') return undefined
        const { description: _, ...query } = node
        return { ...query, kind: Kind.OBJECT_TYPE_EXTENSION }
      },
    }),
  )
}

function resolversOf({ schema }: Subgraph): Record<string, Record<string, unknown>> {
  const resolvers: Record<string, Record<string, unknown>> = {}
  for (const type of Object.values(schema.getTypeMap()) as unknown as NamedType[]) {
    if (type.name.startsWith('_') || type.name === 'Subscription' || type.getFields === undefined) continue
    const own: Record<string, unknown> = {}
    for (const [name, { resolve }] of Object.entries(type.getFields())) {
      if (resolve !== undefined && !name.startsWith('_')) own[name] = resolve
    }
    const extensions = (type as { extensions?: { apollo?: { subgraph?: { resolveReference?: unknown } } } })
      .extensions
    const reference = extensions?.apollo?.subgraph?.resolveReference ?? type.resolveReference
    if (reference !== undefined) {
      own.__resolveReference = (source: object, _: unknown, context: object, info: unknown) =>
        (reference as (source: object, context: object, info: unknown) => unknown)(source, context, info)
    }
    if (Object.keys(own).length > 0) resolvers[type.name] = own
  }
  return resolvers
}

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/graphql`
}

const name = process.argv[2]
const app = fastify()
if (name === undefined) {
  const urls = JSON.parse(process.env.SERVICES ?? '[]') as { name: string; url: string }[]
  await app.register(mercuriusGateway, { jit: 1, gateway: { services: urls } })
} else {
  const known = serviceNames.find((each) => each === name)
  if (known === undefined) throw new Error(`there is no subgraph ${name}`)
  const subgraph = subgraphFor(known)
  await app.register(mercuriusFederation, {
    schema: federation1(readSchemaFile(known)),
    resolvers: resolversOf(subgraph) as never,
    jit: 1,
    context: () => contextOf(subgraph) as never,
  })
}
console.log(`ready ${await listen(app)}`)
