/**
 * What clients see of a supergraph: its document without what is `@inaccessible` and without the types and directives
 * of the features that it links, which say how it is spread over subgraphs and who may see what.
 *
 * A composer can do this, too. It is done here as it is all that serving needs of one, and loading a composer takes a
 * tenth of a start.
 */
import {
  type ASTNode,
  type DocumentNode,
  isTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  type NameNode,
  specifiedDirectives,
  visit,
} from 'graphql'
import { directiveNames } from './directives.ts'
import { featuresOf } from './features.ts'

/** Directives of features, hidden from clients even where a supergraph uses them and links no feature for them. */
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

/** Those of the language need no definition, but for the youngest, which older tools do not know. */
const specified = new Set(specifiedDirectives.map(({ name }) => name).filter((name) => name !== 'oneOf'))

export function publicDocumentOf(document: DocumentNode): DocumentNode {
  const { isDirective, isType } = featureNamesOf(document)
  const { inaccessible } = directiveNames(document)
  const isHidden = (node: ASTNode): boolean =>
    'directives' in node &&
    node.directives?.some(({ name }: { readonly name: NameNode }) => inaccessible.has(name.value)) === true
  const names = new Set<string>()
  const definitions = document.definitions.filter((definition) => {
    switch (definition.kind) {
      case Kind.SCHEMA_DEFINITION:
      case Kind.SCHEMA_EXTENSION:
        return false
      case Kind.DIRECTIVE_DEFINITION:
        return !isDirective(definition.name.value) && !specified.has(definition.name.value)
      default:
        if (!isTypeDefinitionNode(definition)) return true
        if (isType(definition.name.value) || isHidden(definition)) return false
        names.add(definition.name.value)
        return true
    }
  })
  const unlessHidden = (node: ASTNode): null | undefined => (isHidden(node) ? null : undefined)
  return visit(
    { ...document, definitions },
    {
      Directive: (node) => (isDirective(node.name.value) ? null : undefined),
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
