/**
 * Faults that the composer accepts silently, although they open a field or break a query later. Each finding names a
 * coordinate.
 */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  print,
} from 'graphql'
import { applies } from '../directives.ts'
import { emptyRulesIn } from '../empty-rules.ts'

interface Source {
  readonly name: string
  readonly typeDefs: DocumentNode
}

const errorOf = (code: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code } })

/** The faults in SDLs of subgraphs. */
export function unreportedFaultsIn(sources: readonly Source[]): GraphQLError[] {
  return [
    ...sources.flatMap(({ name, typeDefs }) =>
      emptyRulesIn(typeDefs).map(({ message }) => errorOf('EMPTY_REQUIREMENT', `[${name}] ${message}`)),
    ),
    ...unequalDefaults(sources, 'Argument', argumentsOf),
    ...unequalDefaults(sources, 'Input field', inputFieldsOf),
  ]
}

interface Written {
  readonly subgraph: string
  /** The default as it is written. Undefined if there is none. */
  readonly value: string | undefined
}

type Input = readonly [coordinate: string, definition: InputValueDefinitionNode]

/**
 * Arguments and input fields that have a default in one subgraph but not in another. Clients may omit them, but a
 * query to the other subgraph is refused or has another meaning. The composer keeps such a default for an argument
 * and drops it for an input field.
 */
function unequalDefaults(
  sources: readonly Source[],
  kind: 'Argument' | 'Input field',
  inputsOf: (definition: DefinitionNode) => readonly Input[],
): GraphQLError[] {
  const found = new Map<string, Written[]>()
  for (const { name, typeDefs } of sources)
    for (const definition of typeDefs.definitions)
      for (const [coordinate, { defaultValue }] of inputsOf(definition)) {
        const value = defaultValue === undefined ? undefined : print(defaultValue)
        found.set(coordinate, [...(found.get(coordinate) ?? []), { subgraph: name, value }])
      }
  return [...found].flatMap(([coordinate, all]) => {
    const given = all.find(({ value }) => value !== undefined)
    const lacking = all.find(({ value }) => value === undefined)
    // The composer reports different defaults itself.
    if (given === undefined || lacking === undefined) return []
    return errorOf(
      `${kind === 'Argument' ? 'FIELD_ARGUMENT' : 'INPUT_FIELD'}_DEFAULT_MISMATCH`,
      `${kind} "${coordinate}" has incompatible default values across subgraphs: it has default value ${given.value} in subgraph "${given.subgraph}" but no default value in subgraph "${lacking.subgraph}"`,
    )
  })
}

function argumentsOf(definition: DefinitionNode): readonly Input[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION:
      return (definition.fields ?? []).flatMap((field) =>
        (field.arguments ?? []).map((argument): Input => {
          const coordinate = `${definition.name.value}.${field.name.value}(${argument.name.value}:)`
          return [coordinate, argument]
        }),
      )
    default:
      return []
  }
}

function inputFieldsOf(definition: DefinitionNode): readonly Input[] {
  switch (definition.kind) {
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_EXTENSION:
      return (definition.fields ?? []).map((field) => [`${definition.name.value}.${field.name.value}`, field])
    default:
      return []
  }
}

const nameOf = (node: DefinitionNode): string => ('name' in node ? (node.name?.value ?? '') : '')

/** Custom directives that are not repeatable, and that a supergraph applies twice at one place. */
export function repeatedDirectives(supergraph: DocumentNode): GraphQLError[] {
  const once = new Set(
    supergraph.definitions.flatMap((definition) =>
      definition.kind === Kind.DIRECTIVE_DEFINITION &&
      !definition.repeatable &&
      !definition.name.value.startsWith('join__')
        ? definition.name.value
        : [],
    ),
  )
  const errors: GraphQLError[] = []
  if (!applies(supergraph, once)) return errors
  const look = (place: string, directives: readonly ConstDirectiveNode[] = []): void => {
    const seen = new Set<string>()
    const said = new Set<string>()
    for (const { name } of directives) {
      if (seen.has(name.value) && once.has(name.value) && !said.has(name.value)) {
        said.add(name.value)
        const message = `${place} gets @${name.value} more than once, with other arguments in each subgraph, and it is not repeatable`
        errors.push(errorOf('DIRECTIVE_NOT_REPEATABLE', message))
      }
      seen.add(name.value)
    }
  }
  const walk = (node: DirectedNode, place: string): void => {
    look(place, node.directives)
    for (const below of [...(node.fields ?? []), ...(node.values ?? [])])
      walk(below, `${place}.${below.name.value}`)
    for (const argument of node.arguments ?? [])
      look(`${place}(${argument.name.value}:)`, argument.directives)
  }
  for (const definition of supergraph.definitions)
    if (definition.kind !== Kind.DIRECTIVE_DEFINITION) walk(definition as DirectedNode, nameOf(definition))
  return errors
}

/** A definition, a field, an input field or an enum value. */
interface DirectedNode {
  readonly directives?: readonly ConstDirectiveNode[]
  readonly fields?: readonly (DirectedNode & { readonly name: { readonly value: string } })[]
  readonly values?: readonly (DirectedNode & { readonly name: { readonly value: string } })[]
  readonly arguments?: readonly (DirectedNode & { readonly name: { readonly value: string } })[]
}
