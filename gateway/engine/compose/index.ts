/**
 * Subgraph SDLs to one supergraph, or every reason why not. Pure: it reads and writes no file.
 */
import { composeServices } from '@theguild/federation-composition'
import { type DocumentNode, GraphQLError, parse } from 'graphql'
import { messageOf } from '../../../contract/thrown.ts'

export interface SubgraphSource {
  readonly name: string
  /** Where a gateway reaches it over HTTP. */
  readonly url: string
  readonly typeDefs: DocumentNode | string
}

export type Composition =
  | { readonly supergraph: string; readonly errors?: undefined }
  | { readonly supergraph?: undefined; readonly errors: readonly GraphQLError[] }

export function compose(sources: readonly SubgraphSource[]): Composition {
  const taken = sources.find(({ name }, index) => sources.findIndex((other) => other.name === name) < index)
  if (taken !== undefined) {
    const message = `There are two subgraphs of the name ${taken.name}.`
    return { errors: [new GraphQLError(message, { extensions: { code: 'SUBGRAPH_NAME_TAKEN' } })] }
  }
  const services: { name: string; url: string; typeDefs: DocumentNode }[] = []
  const errors: GraphQLError[] = []
  for (const { name, url, typeDefs } of sources) {
    try {
      services.push({ name, url, typeDefs: typeof typeDefs === 'string' ? parse(typeDefs) : typeDefs })
    } catch (error) {
      const reason = messageOf(error)
      errors.push(new GraphQLError(`[${name}] ${reason}`, { extensions: { code: 'INVALID_GRAPHQL' } }))
    }
  }
  if (errors.length > 0) return { errors }
  const result = composed(services)
  if (result === undefined) return { errors: failuresOf(services) }
  return result.errors === undefined ? { supergraph: result.supergraphSdl } : { errors: result.errors }
}

type Services = Parameters<typeof composeServices>[0]

/** Undefined where the library throws, as it does for some directives that it does not expect. */
function composed(services: Services): ReturnType<typeof composeServices> | undefined {
  try {
    return composeServices(services)
  } catch {
    return undefined
  }
}

/** A fault of one subgraph shows where that is composed alone. */
function failuresOf(services: Services): readonly GraphQLError[] {
  const errorOf = (name: string, reason: string): GraphQLError =>
    new GraphQLError(`[${name}] ${reason}`, { extensions: { code: 'INVALID_SUBGRAPH' } })
  const failures = services.flatMap((service) => {
    try {
      composeServices([service])
      return []
    } catch (error) {
      return errorOf(service.name, messageOf(error))
    }
  })
  const names = services.map(({ name }) => name).join(', ')
  return failures.length > 0 ? failures : [errorOf(names, 'cannot be composed with each other')]
}
