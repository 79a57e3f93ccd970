/** Makes an executable subgraph from its name, its SDL file and its resolvers. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type DocumentNode, type GraphQLSchema, isObjectType } from 'graphql'
import { parseSdl } from '../../shared/graphql/parse-sdl.ts'
import { noteService } from '../../shared/graphql/service-schema.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { awaitListItems } from './await-list-items.ts'
import type { Sharing } from './batching/index.ts'
import type { LiveOptions } from './polling/index.ts'
import { checkRepresentations } from './representations.ts'
import {
  createUpstream,
  type FailureReader,
  type Upstream,
  type UpstreamOptions,
} from './rest-client/index.ts'
import { documentOf } from './schema-documents.ts'

/** The options of every subgraph that has a service behind it. */
export interface ServiceOptions extends Omit<UpstreamOptions, 'service' | 'failure' | 'random'> {
  /** Whether it is the sandbox's service, whose properties are known. */
  readonly isSandbox?: boolean | undefined
  /** Whether lookups of different requests with the same credential share calls, and how. They do by default. */
  readonly share?: boolean | Sharing | undefined
  /** The most ids of one list in arguments. The default is 500. */
  readonly maxIds?: number | undefined
  /** How the pollers of subscriptions work. */
  readonly live?: LiveOptions | undefined
}

/** The client of a subgraph's service, from its options and the reader of the service's failures. */
export function createServiceUpstream(
  service: string,
  options: ServiceOptions,
  failure: FailureReader,
): Upstream {
  return createUpstream({ ...options, service, failure })
}

/** The state of a subgraph's service. Its client ends with the subgraph, and so do the others. */
export const ofService = (
  upstream: Upstream,
  ...others: readonly { close(): unknown }[]
): Pick<SubgraphParts, 'state' | 'close'> => ({
  state: upstream.state,
  async close() {
    await Promise.all([...others, upstream].map((each) => each.close()))
  },
})

/** What a subgraph is made from. */
export interface SubgraphParts {
  readonly name: string
  /** The SDL. The default is the file `schema/<name>.graphql`. */
  readonly typeDefs?: string | DocumentNode | undefined
  /** A function is called when the schema is made. */
  readonly resolvers: ResolverMap | (() => ResolverMap)
  createContext(request: SubgraphRequest): object
  readonly state?: Subgraph['state']
  readonly upload?: Subgraph['upload']
  close(): Promise<void>
}

type ResolverMap = NonNullable<
  Extract<
    Exclude<Parameters<typeof buildSubgraphSchema>[0], DocumentNode>[number],
    { typeDefs: unknown }
  >['resolvers']
>

/** The schema folder is at the root, in a checkout and in a package. */
export function schemaFileUrl(name: string): URL {
  return new URL(`../../schema/${name}.graphql`, import.meta.url)
}

/** The text of an SDL file in `schema/`, by its name without the extension. */
export function readSchemaFile(name: string): string {
  const url = schemaFileUrl(name)
  try {
    return readFileSync(url, 'utf8')
  } catch (cause) {
    // Bundlers of users take the code, and leave the files.
    const why = 'tessera-graph reads its own files when it runs, so it must stay outside of bundles'
    throw new Error(`${fileURLToPath(url)} cannot be read: ${why}`, { cause })
  }
}

const parsed = new Map<string, DocumentNode>()

/**
 * An SDL file in `schema/`, parsed once in a process, because the files belong to the package and do not change
 * while it runs. It has no locations: they take twice as much memory as the rest, and only messages about faults in
 * the file use them.
 */
export function parseSchemaFile(name: string): DocumentNode {
  let document = parsed.get(name)
  if (document === undefined) {
    document = documentOf(name, () => readSchemaFile(name))
    parsed.set(name, document)
  }
  return document
}

/**
 * Makes an executable Federation 2 subgraph. Throws if a given SDL is wrong, or if a resolver belongs to no type or field of it.
 * The schema of a file in `schema/`, which tests have made, is made when an operation first needs it.
 */
export function createSubgraph({ resolvers, typeDefs: given, ...parts }: SubgraphParts): Subgraph {
  const { name } = parts
  const typeDefs = typeof given === 'string' ? parseSdl(given) : given
  let schema = typeDefs === undefined ? undefined : executable(name, typeDefs, resolvers)
  return {
    ...parts,
    get typeDefs() {
      return typeDefs ?? parseSchemaFile(name)
    },
    get schema() {
      schema ??= executable(name, parseSchemaFile(name), resolvers)
      return schema
    },
  }
}

function executable(name: string, typeDefs: DocumentNode, given: SubgraphParts['resolvers']): GraphQLSchema {
  const resolvers = typeof given === 'function' ? given() : given
  const schema = awaitListItems(
    checkRepresentations(buildSubgraphSchema([{ typeDefs, resolvers }]), typeDefs),
  )
  checkResolvers(name, schema, resolvers)
  noteService(schema, name)
  return schema
}

/** The library ignores resolvers whose names are misspelt, and their fields would be null. */
function checkResolvers(name: string, schema: GraphQLSchema, resolvers: ResolverMap): void {
  const unknown = Object.entries(resolvers).flatMap(([typeName, fields]) => {
    const type = schema.getType(typeName)
    if (type === undefined) return [typeName]
    if (!isObjectType(type)) return []
    return Object.keys(fields)
      .filter((field) => !field.startsWith('__') && !Object.hasOwn(type.getFields(), field))
      .map((field) => `${typeName}.${field}`)
  })
  if (unknown.length > 0)
    throw new Error(`the subgraph ${name} has resolvers of what is not in its schema: ${unknown.join(', ')}`)
}
