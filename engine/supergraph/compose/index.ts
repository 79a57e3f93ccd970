/** Composes subgraph SDLs into a supergraph, or returns all errors. Pure: it reads and writes no files. */
import { composeServices } from '@theguild/federation-composition'
import { type DocumentNode, GraphQLError, print } from 'graphql'
import { parseSdl } from '../../../shared/graphql/parse-sdl.ts'
import { messageOf } from '../../../shared/runtime/thrown.ts'
import { apiDocumentOf } from '../api-document.ts'
import { withInterfaceFields } from './interface-fields.ts'
import { withUsualRootNames } from './root-names.ts'
import {
  errorOf,
  hiddenInputTypes,
  repeatedDirectives,
  undefinedDirectives,
  unreportedFaultsIn,
} from './unreported-faults.ts'
import { withUsualLinks } from './usual-links.ts'
import { asKnownVersion } from './versions.ts'

/** A subgraph to be composed. */
export interface SubgraphSource {
  readonly name: string
  /** The address at which gateways reach it. */
  readonly url: string
  readonly typeDefs: DocumentNode | string
}

/** The text of the supergraph, or the errors that prevent it, each with a code. */
export type Composition =
  | { readonly supergraph: string; readonly errors?: undefined }
  | { readonly supergraph?: undefined; readonly errors: readonly GraphQLError[] }

/** Composes subgraphs into a supergraph. An error names its subgraph in brackets if it concerns one. */
export function compose(sources: readonly SubgraphSource[]): Composition {
  const taken = sources.find(({ name }, index) => sources.findIndex((other) => other.name === name) < index)
  if (taken !== undefined)
    return { errors: [errorOf('SUBGRAPH_NAME_TAKEN', `There are two subgraphs named ${taken.name}.`)] }
  // The composer would name a value of an enum after it.
  if (sources.some(({ name }) => name === ''))
    return { errors: [errorOf('INVALID_SUBGRAPH_NAME', 'A subgraph has no name.')] }
  const { services, errors } = servicesFrom(sources)
  if (errors.length > 0) return { errors }
  const result = composed(services)
  if (result === undefined) return { errors: failuresOf(services) }
  return result.errors === undefined ? checked(result.supergraphSdl, services) : { errors: result.errors }
}

/** The subgraphs in the composer's form, and their errors that the composer does not report. */
export function servicesFrom(sources: readonly SubgraphSource[]): {
  readonly services: Services
  readonly errors: readonly GraphQLError[]
} {
  const services: { name: string; url: string; typeDefs: DocumentNode }[] = []
  const errors: GraphQLError[] = []
  for (const { name, url, typeDefs } of sources) {
    try {
      const written = typeof typeDefs === 'string' ? parseSdl(typeDefs) : typeDefs
      const document = asKnownVersion(name, written)
      if (document instanceof GraphQLError) errors.push(document)
      else services.push({ name, url, typeDefs: withUsualRootNames(withUsualLinks(document)) })
    } catch (error) {
      errors.push(errorOf('INVALID_GRAPHQL', `[${name}] ${messageOf(error)}`))
    }
  }
  return { services, errors: [...errors, ...unreportedFaultsIn(services)] }
}

/** The supergraph with what the composer left out, or the errors that it wrote into it. */
export function checked(sdl: string, services: Services): Composition {
  const composed = parseSdl(sdl, { noLocation: true })
  const document = withInterfaceFields(composed, services)
  const errors = [
    ...repeatedDirectives(document),
    ...undefinedDirectives(document),
    ...hiddenInputTypes(document, apiDocumentOf(document)),
  ]
  if (errors.length > 0) return { errors }
  return { supergraph: document === composed ? sdl : print(document) }
}

type Services = Parameters<typeof composeServices>[0]

/** Undefined if the library throws, as it does for some unexpected directives. */
function composed(services: Services): ReturnType<typeof composeServices> | undefined {
  try {
    return composeServices(services)
  } catch {
    return undefined
  }
}

/** The library copies all definitions at once, and calls itself for values within each other. */
const tooLarge =
  'The composer cannot take so many definitions in one subgraph, or so many brackets within each other.'

/** Finds a faulty subgraph by composing each one alone. */
function failuresOf(services: Services): readonly GraphQLError[] {
  const failure = (name: string, reason: string): GraphQLError =>
    errorOf('INVALID_SUBGRAPH', `[${name}] ${reason}`)
  const failures = services.flatMap((service) => {
    try {
      composeServices([service])
      return []
    } catch (error) {
      return failure(service.name, error instanceof RangeError ? tooLarge : messageOf(error))
    }
  })
  const names = services.map(({ name }) => name).join(', ')
  return failures.length > 0 ? failures : [failure(names, 'cannot be composed with each other')]
}
