/**
 * The API document of a supergraph, from which the API schema is made: without `@inaccessible` elements, and without
 * the types and directives of linked features, which describe subgraphs and access.
 *
 * Composers have the same function. It is our own because serving needs nothing else of a composer, and loading one
 * slows down the start.
 */
import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  DirectiveLocation,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  type NameNode,
  specifiedDirectives,
  type TypeDefinitionNode,
} from 'graphql'
import { namedType } from '../../shared/graphql/named-type.ts'
import { runToEnd, type Steps } from '../../shared/runtime/steps.ts'
import { directiveNames } from './directives.ts'
import { featuresOf } from './features.ts'
import { withSeenDefault } from './seen-defaults.ts'

/** Directives of features, which are hidden even if a supergraph uses them without a link. */
const featureDirectives = [
  'authenticated',
  'context',
  'core',
  'cost',
  'inaccessible',
  'link',
  'listSize',
  'policy',
  'requiresScopes',
  'tag',
]

/** The prefixes of their other elements. */
const featurePrefixes = ['context__', 'join__', 'link__', 'policy__', 'requiresScopes__']

/** The names of features in this document. */
function featureNamesOf(document: DocumentNode) {
  const features = featuresOf(document)
  // Other features may define directives for clients.
  const official = features.filter((feature) => feature.official)
  const imports = official.flatMap((feature) => [...feature.imports.values()])
  const linked = official.flatMap(({ name, namespace }) => [`${name}__`, `${namespace}__`])
  const prefixes = [...featurePrefixes, ...linked]
  const isPrefixed = (name: string): boolean => prefixes.some((prefix) => name.startsWith(prefix))
  const directives = new Set([
    ...featureDirectives,
    ...features.flatMap(({ name, namespace }) => (name === namespace ? [] : namespace)),
    ...imports.flatMap((name) => (name.startsWith('@') ? name.slice(1) : [])),
  ])
  const types = new Set(['_FieldSet', ...imports.filter((name) => !name.startsWith('@'))])
  return {
    isDirective: (name: string) => directives.has(name) || isPrefixed(name),
    isType: (name: string) => types.has(name) || isPrefixed(name),
  }
}

const specified = new Set(specifiedDirectives.map(({ name }) => name))
/** Specified directives need no definition, except the newest one, which older tools do not know. */
const isDefinedByAll = (name: string): boolean => specified.has(name) && name !== 'oneOf'

const executableLocations: ReadonlySet<string> = new Set([
  DirectiveLocation.QUERY,
  DirectiveLocation.MUTATION,
  DirectiveLocation.SUBSCRIPTION,
  DirectiveLocation.FIELD,
  DirectiveLocation.FRAGMENT_DEFINITION,
  DirectiveLocation.FRAGMENT_SPREAD,
  DirectiveLocation.INLINE_FRAGMENT,
  DirectiveLocation.VARIABLE_DEFINITION,
])

/**
 * What clients see of a custom directive: its executable locations, and its arguments with visible types. Undefined
 * if nothing is left, or if a required argument is hidden.
 */
function executableDirective(
  directive: DirectiveDefinitionNode,
  isSeen: (argument: InputValueDefinitionNode) => boolean,
): DirectiveDefinitionNode | undefined {
  const locations = directive.locations.filter(({ value }) => executableLocations.has(value))
  const given = directive.arguments ?? []
  const isLocked = given.some((argument) => isRequired(argument) && !isSeen(argument))
  if (locations.length === 0 || isLocked) return undefined
  return { ...directive, locations, arguments: given.filter(isSeen) }
}

const isRequired = ({ type, defaultValue }: InputValueDefinitionNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined

export const apiDocumentOf = (document: DocumentNode): DocumentNode =>
  runToEnd(() => makingApiDocument(document))

/** The same in steps. */
export function* makingApiDocument(document: DocumentNode): Steps<DocumentNode> {
  const { isDirective, isType } = featureNamesOf(document)
  const { inaccessible } = directiveNames(document)
  const isHidden = (node: ASTNode): boolean =>
    'directives' in node &&
    node.directives?.some(({ name }: { readonly name: NameNode }) => inaccessible.has(name.value)) === true
  const types = new Map<string, TypeDefinitionNode>()
  const names = new Set<string>()
  const hiddenNames = new Set<string>()
  for (const definition of document.definitions) {
    if (!isTypeDefinitionNode(definition)) continue
    const { value } = definition.name
    types.set(value, definition)
    if (isType(value) || isHidden(definition)) hiddenNames.add(value)
    else names.add(value)
  }
  const isSeen = (argument: InputValueDefinitionNode): boolean =>
    !isHidden(argument) && !hiddenNames.has(namedType(argument.type))
  const definitions = document.definitions.flatMap((definition) => {
    switch (definition.kind) {
      case Kind.SCHEMA_DEFINITION:
      case Kind.SCHEMA_EXTENSION:
        return []
      case Kind.DIRECTIVE_DEFINITION: {
        const { value } = definition.name
        if (isDirective(value) || isDefinedByAll(value)) return []
        if (specified.has(value)) return definition
        return executableDirective(definition, isSeen) ?? []
      }
      default:
        if (!isTypeDefinitionNode(definition)) return definition
        return names.has(definition.name.value) ? definition : []
    }
  })
  yield
  const published: DefinitionNode[] = []
  for (const node of definitions) {
    published.push(seen(node, { types, names, isHidden }))
    yield
  }
  return { ...document, definitions: published }
}

/** What clients see: the names of types, and a test for everything else. `types` are all of them. */
interface Sight {
  readonly types: ReadonlyMap<string, TypeDefinitionNode>
  readonly names: ReadonlySet<string>
  readonly isHidden: (node: ASTNode) => boolean
}

function seen(node: DefinitionNode, { types, names, isHidden }: Sight): DefinitionNode {
  const inputs = (all: readonly InputValueDefinitionNode[] = none): readonly InputValueDefinitionNode[] =>
    all.length === 0
      ? none
      : all.filter((each) => !isHidden(each)).map((each) => withSeenDefault(plain(each), { types, isHidden }))
  const fields = (all: readonly FieldDefinitionNode[] = none): readonly FieldDefinitionNode[] =>
    all
      .filter((field) => !isHidden(field))
      .map((field) => ({ ...plain(field), arguments: inputs(field.arguments) }))
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      return { ...plain(node), interfaces: visibleTypes(names, node.interfaces), fields: fields(node.fields) }
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_EXTENSION:
      return { ...plain(node), fields: fields(node.fields) }
    case Kind.UNION_TYPE_DEFINITION:
      return { ...plain(node), types: visibleTypes(names, node.types) }
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_EXTENSION:
      return { ...plain(node), fields: inputs(node.fields) }
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_EXTENSION:
      return { ...plain(node), values: (node.values ?? []).filter((value) => !isHidden(value)).map(plain) }
    case Kind.DIRECTIVE_DEFINITION:
      return { ...node, arguments: inputs(node.arguments) }
    default:
      return 'directives' in node ? (plain(node as TypeDefinitionNode) as DefinitionNode) : node
  }
}

const none: readonly never[] = []

/** Applied custom directives are for tools that read the supergraph. */
function plain<Node extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: Node,
): Node {
  const { directives = none } = node
  if (directives.length === 0) return node
  const left = directives.filter(({ name }) => specified.has(name.value))
  return { ...node, directives: left.length === 0 ? none : left }
}

function visibleTypes(names: ReadonlySet<string>, types: readonly NamedTypeNode[] = []): NamedTypeNode[] {
  return types.filter((type) => names.has(type.name.value))
}
