/**
 * What clients see of a supergraph: its document without what is `@inaccessible` and without the types and directives
 * of the features that it links, which say how it is spread over subgraphs and who may see what.
 *
 * A composer can do this, too. It is done here as it is all that serving needs of one, and loading a composer takes a
 * tenth of a start.
 */
import {
  type ASTNode,
  type DirectiveDefinitionNode,
  DirectiveLocation,
  type DocumentNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  type NameNode,
  specifiedDirectives,
  visit,
} from 'graphql'
import { directiveNames } from './directives.ts'
import { featuresOf } from './features.ts'

/** Directives of features, hidden from clients even if a supergraph uses them and links no feature for them. */
const featureDirectives = [
  'authenticated',
  'context',
  'context__fromContext',
  'core',
  'cost',
  'inaccessible',
  'join__directive',
  'join__enumValue',
  'join__field',
  'join__graph',
  'join__implements',
  'join__owner',
  'join__type',
  'join__unionMember',
  'link',
  'listSize',
  'policy',
  'requiresScopes',
  'tag',
]

/** Their types. */
const featureTypes = [
  '_FieldSet',
  'context__ContextFieldValue',
  'join__ContextArgument',
  'join__DirectiveArguments',
  'join__FieldSet',
  'join__FieldValue',
  'join__Graph',
  'link__Import',
  'link__Purpose',
  'policy__Policy',
  'requiresScopes__Scope',
]

/** Which names are those of features, as this document has them. */
function featureNamesOf(document: DocumentNode) {
  const features = featuresOf(document)
  // Features of others may add directives that are meant for clients.
  const official = features.filter((feature) => feature.official)
  const imports = official.flatMap((feature) => [...feature.imports.values()])
  const prefixes = official.flatMap(({ name, namespace }) => [`${name}__`, `${namespace}__`])
  const isPrefixed = (name: string): boolean => prefixes.some((prefix) => name.startsWith(prefix))
  const directives = new Set([
    ...featureDirectives,
    ...features.flatMap(({ name, namespace }) => (name === namespace ? [] : namespace)),
    ...imports.flatMap((name) => (name.startsWith('@') ? name.slice(1) : [])),
  ])
  const types = new Set([...featureTypes, ...imports.filter((name) => !name.startsWith('@'))])
  return {
    isDirective: (name: string) => directives.has(name) || isPrefixed(name),
    isType: (name: string) => types.has(name) || isPrefixed(name),
  }
}

const specified = new Set(specifiedDirectives.map(({ name }) => name))
/** Those of the language need no definition, but for the youngest, which older tools do not know. */
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
 * What clients can do with a directive of somebody else's: those that stand in operations alone, without arguments of
 * types that they do not see. Undefined if nothing is left, or an argument would be required that they cannot give.
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

function namedTypeOf(type: InputValueDefinitionNode['type']): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type)
}

export function publicDocumentOf(document: DocumentNode): DocumentNode {
  const { isDirective, isType } = featureNamesOf(document)
  const { inaccessible } = directiveNames(document)
  const isHidden = (node: ASTNode): boolean =>
    'directives' in node &&
    node.directives?.some(({ name }: { readonly name: NameNode }) => inaccessible.has(name.value)) === true
  const names = new Set<string>()
  const hiddenNames = new Set<string>()
  for (const definition of document.definitions) {
    if (!isTypeDefinitionNode(definition)) continue
    const { value } = definition.name
    if (isType(value) || isHidden(definition)) hiddenNames.add(value)
    else names.add(value)
  }
  const isSeen = (argument: InputValueDefinitionNode): boolean =>
    !isHidden(argument) && !hiddenNames.has(namedTypeOf(argument.type))
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
  const unlessHidden = (node: ASTNode): null | undefined => (isHidden(node) ? null : undefined)
  return visit(
    { ...document, definitions },
    {
      // What somebody else's directives say in the schema is for tools that read the supergraph.
      Directive: (node) => (specified.has(node.name.value) ? undefined : null),
      FieldDefinition: unlessHidden,
      InputValueDefinition: unlessHidden,
      EnumValueDefinition: unlessHidden,
      // Members of unions and interfaces of types can still be hidden.
      UnionTypeDefinition: (node) => ({ ...node, types: those(names, node.types) }),
      ObjectTypeDefinition: (node) => ({ ...node, interfaces: those(names, node.interfaces) }),
      InterfaceTypeDefinition: (node) => ({ ...node, interfaces: those(names, node.interfaces) }),
    },
  )
}

function those(names: ReadonlySet<string>, types: readonly NamedTypeNode[] = []): NamedTypeNode[] {
  return types.filter((type) => names.has(type.name.value))
}
