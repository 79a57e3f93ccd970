/**
 * Reads the supergraph of any Federation 2 composer: what clients see of it, without `@inaccessible` elements, and
 * its subgraphs. The planner distributes operations over them.
 */
import { type DocumentNode, type GraphQLSchema, Kind, type ObjectTypeDefinitionNode } from 'graphql'
import { parsingSdl } from '../../shared/graphql/parse-sdl.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import { runToEnd, type Steps } from '../../shared/runtime/steps.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { withIncrementalDirectives } from '../executor/incremental/directives.ts'
import { makingApiDocument } from './api-document.ts'
import { directiveNames, noticingApplied } from './directives.ts'
import { argument, textOf, unknownFeature } from './features.ts'
import { makingSchema } from './schema.ts'

interface SupergraphSubgraph {
  /** Its name: `@join__graph(name:)`. */
  readonly name: string
  /** Its value in the enum `join__Graph`. */
  readonly graph: string
  /** Its HTTP address. Empty if the supergraph has none. */
  readonly url: string
}

/** The content of a supergraph. */
export interface ReadSupergraph {
  readonly sdl: string
  readonly document: DocumentNode
  /** What clients see. */
  readonly apiDocument: DocumentNode
  readonly subgraphs: readonly SupergraphSubgraph[]
  /** The object types of each interface and union, including hidden ones. */
  readonly possibleTypes: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether the enum has the value, and clients must not see it. */
  isHiddenValue(enumName: string, value: string): boolean
  /** Whether there is an object type of this name, and clients must not see it. */
  isHiddenType(name: string): boolean
}

/** A supergraph with the schema that clients see. */
export interface Supergraph extends ReadSupergraph {
  /** The schema of `apiDocument`. */
  readonly apiSchema: GraphQLSchema
}

/** The text is not a supergraph. The message says why. */
export class SupergraphError extends Error {
  override readonly name = 'SupergraphError'
}

/** The subgraphs of a supergraph. Throws a `SupergraphError` if the document is none. */
export function readSubgraphs(document: DocumentNode): SupergraphSubgraph[] {
  const graphs = document.definitions.find(
    (definition) =>
      definition.kind === Kind.ENUM_TYPE_DEFINITION &&
      definition.values?.some((value) =>
        value.directives?.some((directive) => directive.name.value === 'join__graph'),
      ),
  )
  if (graphs?.kind !== Kind.ENUM_TYPE_DEFINITION) {
    throw new SupergraphError(
      'This is not a supergraph: it has no enum join__Graph whose values carry @join__graph(name:, url:). Compose the subgraphs first.',
    )
  }
  const subgraphs: SupergraphSubgraph[] = []
  for (const value of graphs.values ?? []) {
    const directive = value.directives?.find((each) => each.name.value === 'join__graph')
    const name = directive === undefined ? undefined : textOf(argument(directive, 'name'))
    if (directive === undefined || name === undefined) {
      throw new SupergraphError(
        `The supergraph does not name its subgraph ${value.name.value}: expected @join__graph(name:, url:) on it.`,
      )
    }
    subgraphs.push({ name, graph: value.name.value, url: textOf(argument(directive, 'url')) ?? '' })
  }
  return subgraphs
}

/** Throws a `SupergraphError` if the text is not a supergraph. Equal texts return the same immutable object. */
export function loadSupergraph(sdl: string): Supergraph {
  return withSchema(runToEnd(() => readingSupergraph(sdl)))
}

const withSchema = memoByObject(
  (supergraph: ReadSupergraph): Supergraph => runToEnd(() => addingSchema(supergraph)),
)

/** The last supergraph: a reload for another setting, or another gateway, usually has the same one. */
let last: ReadSupergraph | undefined

/**
 * Reads a supergraph in steps, without making the schema of what clients see. `document` is the parsed text, if the
 * caller has it. Throws a `SupergraphError`.
 */
export function* readingSupergraph(sdl: string, document?: DocumentNode): Steps<ReadSupergraph> {
  if (last?.sdl !== sdl) last = yield* readingFrom(sdl, document ?? (yield* parsed(sdl)))
  return last
}

/** Adds the schema of what clients see, in steps. Throws a `SupergraphError` if the document is not a schema. */
export function* addingSchema(supergraph: ReadSupergraph): Steps<Supergraph> {
  try {
    return { ...supergraph, apiSchema: yield* makingSchema(supergraph.apiDocument) }
  } catch (error) {
    throw new SupergraphError(`The supergraph's public schema cannot be built: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function* parsed(sdl: string): Steps<DocumentNode> {
  try {
    return yield* parsingSdl(sdl)
  } catch (error) {
    throw new SupergraphError(`The supergraph is not GraphQL: ${messageOf(error)}`, { cause: error })
  }
}

function* readingFrom(sdl: string, document: DocumentNode): Steps<ReadSupergraph> {
  const subgraphs = readSubgraphs(document)
  const unknown = unknownFeature(document)
  if (unknown !== undefined) throw new SupergraphError(`The supergraph cannot be served. ${unknown}`)
  yield* noticingApplied(document)
  const apiDocument = withIncrementalDirectives(yield* makingApiDocument(document))
  yield
  const possibleTypes = possibleTypesOf(document)
  return { sdl, document, apiDocument, subgraphs, possibleTypes, ...hiddenOf(document) }
}

function hiddenOf(document: DocumentNode): Pick<Supergraph, 'isHiddenType' | 'isHiddenValue'> {
  const { inaccessible } = directiveNames(document)
  const types = new Set<string>()
  const values = new Set<string>()
  const isHidden = ({ directives }: Pick<ObjectTypeDefinitionNode, 'directives'>): boolean =>
    directives?.some((directive) => inaccessible.has(directive.name.value)) === true
  for (const definition of document.definitions) {
    const { kind } = definition
    if (kind === Kind.OBJECT_TYPE_DEFINITION && isHidden(definition)) types.add(definition.name.value)
    if (kind !== Kind.ENUM_TYPE_DEFINITION) continue
    for (const value of definition.values ?? [])
      if (isHidden(value)) values.add(`${definition.name.value}.${value.name.value}`)
  }
  return {
    isHiddenType: (name) => types.has(name),
    isHiddenValue: (enumName, value) => values.has(`${enumName}.${value}`),
  }
}

function possibleTypesOf(document: DocumentNode): Map<string, Set<string>> {
  const possible = new Map<string, Set<string>>()
  const note = (abstract: string, type: string | undefined): void => {
    const types = getOrInsert(possible, abstract, () => new Set())
    if (type !== undefined) types.add(type)
  }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      note(definition.name.value, undefined)
      for (const type of definition.types ?? []) note(definition.name.value, type.name.value)
    } else if (definition.kind === Kind.INTERFACE_TYPE_DEFINITION) note(definition.name.value, undefined)
    else if (definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      for (const type of definition.interfaces ?? []) note(type.name.value, definition.name.value)
  }
  return possible
}
