/**
 * Composes a contract: the supergraph of the same subgraphs, with only the elements that its tags select visible to
 * clients.
 */
import {
  addInaccessibleToUnreachableTypes,
  composeSchemaContract,
  extractLinkImplementations,
} from '@theguild/federation-composition'
import { type DocumentNode, type GraphQLError, Kind } from 'graphql'
import { parseSdl } from '../../../shared/graphql/parse-sdl.ts'
import { messageOf } from '../../../shared/runtime/thrown.ts'
import { apiDocumentOf } from '../api-document.ts'
import { eachAppliedDirective } from '../applied-directives.ts'
import { directiveNames } from '../directives.ts'
import { argument, textOf } from '../features.ts'
import { type Composition, checked, type SubgraphSource, servicesFrom } from './index.ts'
import { errorOf, hiddenInputTypes } from './unreported-faults.ts'

interface ContractTags {
  /** Only elements with one of these tags are visible, if there are any. */
  readonly include: readonly string[]
  /** Elements with one of these tags are hidden. */
  readonly exclude: readonly string[]
}

/** Everything else becomes `@inaccessible`, including types that are no longer reachable. */
export function composeContract(sources: readonly SubgraphSource[], tags: ContractTags): Composition {
  const { services, errors } = servicesFrom(sources)
  if (errors.length > 0) return { errors }
  const unknown = unknownTags(
    services.map(({ typeDefs }) => typeDefs),
    tags,
  )
  if (unknown !== undefined) return { errors: [unknown] }
  const filter = { include: new Set(tags.include), exclude: new Set(tags.exclude) }
  const result = composeSchemaContract(services, filter, false)
  if (result.errors !== undefined) return { errors: result.errors }
  const supergraph = parseSdl(result.supergraphSdl, { noLocation: true })
  const seen = apiDocumentOf(supergraph)
  const emptied = emptiedUnion(supergraph, seen)
  if (emptied !== undefined) return { errors: [emptied] }
  const inputs = hiddenInputTypes(supergraph, seen)
  if (inputs.length > 0) return { errors: inputs }
  try {
    // The library's own public document keeps hidden members in unions, and is invalid then.
    const { resolveImportName } = extractLinkImplementations(supergraph)
    const contract = { supergraphDocumentNode: supergraph, publicDocumentNode: seen }
    return checked(addInaccessibleToUnreachableTypes(resolveImportName, contract).supergraphSdl, services)
  } catch (error) {
    const [reason] = messageOf(error).split('\n', 1)
    const message = `The selected tags leave no valid schema, because a visible element needs a hidden one: ${reason}`
    return { errors: [errorOf('EMPTY_CONTRACT', message)] }
  }
}

/** A visible union without a visible member. */
function emptiedUnion(supergraph: DocumentNode, seen: DocumentNode): GraphQLError | undefined {
  for (const union of seen.definitions) {
    if (union.kind !== Kind.UNION_TYPE_DEFINITION || (union.types ?? []).length > 0) continue
    const whole = supergraph.definitions.find(
      (each) => each.kind === Kind.UNION_TYPE_DEFINITION && each.name.value === union.name.value,
    )
    const types = whole?.kind === Kind.UNION_TYPE_DEFINITION ? (whole.types ?? []) : []
    const members = types.map(({ name }) => name.value).join(', ')
    return errorOf(
      'EMPTY_UNION',
      `The union ${union.name.value} loses all of its members (${members}): keep one of them, or take out the union and what returns it.`,
    )
  }
  return undefined
}

/** The most tags in a message, and the most characters of each. */
const mostListed = 50
const mostCharacters = 100

/** An unknown tag is an error: a misspelt one would publish what it should hide. */
function unknownTags(
  documents: readonly DocumentNode[],
  { include, exclude }: ContractTags,
): GraphQLError | undefined {
  const known = new Set(documents.flatMap((each) => tagsIn(each, directiveNames(each).tag)))
  const unknown = [...include, ...exclude].filter((tag) => !known.has(tag))
  if (unknown.length === 0) return undefined
  const sorted = [...known].sort()
  const listed = sorted.slice(0, mostListed).map((tag) => tag.slice(0, mostCharacters))
  const more = sorted.length > mostListed ? ` and ${sorted.length - mostListed} more` : ''
  const tags = sorted.length === 0 ? 'There are no tags.' : `There are: ${listed.join(', ')}${more}.`
  return errorOf('UNKNOWN_TAG', `No element has the tag ${unknown.join(', nor ')}. ${tags}`)
}

function tagsIn({ definitions }: DocumentNode, names: ReadonlySet<string>): string[] {
  const tags: string[] = []
  eachAppliedDirective(definitions, (directive) => {
    const tag = names.has(directive.name.value) ? textOf(argument(directive, 'name')) : undefined
    if (tag !== undefined) tags.push(tag)
  })
  return tags
}
