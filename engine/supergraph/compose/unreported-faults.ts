/**
 * Faults that the composer accepts silently, although they open a field or break a query later. Each finding names a
 * coordinate.
 */
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  print,
  specifiedDirectives,
} from 'graphql'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { eachAppliedDirective } from '../applied-directives.ts'
import { applies, directiveNames } from '../directives.ts'
import { emptyAccessRulesIn } from '../empty-access-rules.ts'

export interface Source {
  readonly name: string
  readonly typeDefs: DocumentNode
}

/** An error of composition. */
export const errorOf = (code: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code } })

/** The faults in SDLs of subgraphs. */
export function unreportedFaultsIn(sources: readonly Source[]): GraphQLError[] {
  return [
    ...sources.flatMap(({ name, typeDefs }) =>
      emptyAccessRulesIn(typeDefs).map(({ message }) => errorOf('EMPTY_REQUIREMENT', `[${name}] ${message}`)),
    ),
    ...unequalDefaults(sources),
    ...narrowedTypes(sources),
  ]
}

/**
 * Fields whose first subgraph returns a type, and a later one an interface or a union that it belongs to. The composer
 * takes the type of the first, and clients could not select what else the later one returns.
 */
function narrowedTypes(sources: readonly Source[]): GraphQLError[] {
  const abstract = new Map<string, Set<string>>()
  for (const { typeDefs } of sources)
    for (const [general, special] of typeDefs.definitions.flatMap(subtypesOf))
      getOrInsert(abstract, general, () => new Set()).add(special)
  const first = new Map<string, { readonly subgraph: string; readonly type: string }>()
  const errors: GraphQLError[] = []
  for (const { name: subgraph, typeDefs } of sources) {
    const externals = directiveNames(typeDefs).external
    for (const [coordinate, field] of typeDefs.definitions.flatMap(outputsOf)) {
      if (field.directives?.some(({ name }) => externals.has(name.value))) continue
      const type = namedType(field.type)
      const taken = first.get(coordinate)
      if (taken === undefined) first.set(coordinate, { subgraph, type })
      else if (abstract.get(type)?.has(taken.type) === true)
        errors.push(
          errorOf(
            'FIELD_TYPE_MISMATCH',
            `Field "${coordinate}" would lose what only subgraph "${subgraph}" returns: its type is "${type}" there, and the narrower "${taken.type}" in subgraph "${taken.subgraph}". Give it the type "${type}" in both, or name "${subgraph}" first.`,
          ),
        )
    }
  }
  return errors
}

/** Interfaces and unions that the definition names, each with a type that belongs to it. */
function subtypesOf(definition: DefinitionNode): (readonly [general: string, special: string])[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION:
      return (definition.interfaces ?? []).map(({ name }) => [name.value, definition.name.value])
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.UNION_TYPE_EXTENSION:
      return (definition.types ?? []).map(({ name }) => [definition.name.value, name.value])
    default:
      return []
  }
}

/** Fields of object types and interfaces by their coordinates. */
export function outputsOf(definition: DefinitionNode): (readonly [string, FieldDefinitionNode])[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION:
      return (definition.fields ?? []).map((field) => [`${definition.name.value}.${field.name.value}`, field])
    default:
      return []
  }
}

interface Written {
  readonly subgraph: string
  /** The default as it is written. Undefined if there is none. */
  readonly value: string | undefined
}

/** The codes for unequal defaults, by the kind of input. */
const codes = {
  Argument: 'FIELD_ARGUMENT_DEFAULT_MISMATCH',
  'Input field': 'INPUT_FIELD_DEFAULT_MISMATCH',
} as const

interface Input {
  readonly kind: keyof typeof codes
  readonly coordinate: string
  readonly node: InputValueDefinitionNode
}

/**
 * Arguments and input fields that have a default in one subgraph but not in another. Clients may omit them, but a
 * query to the other subgraph is refused or has another meaning. The composer keeps such a default for an argument
 * and drops it for an input field.
 */
function unequalDefaults(sources: readonly Source[]): GraphQLError[] {
  const found = new Map<string, { readonly kind: Input['kind']; readonly all: Written[] }>()
  for (const { name, typeDefs } of sources)
    for (const { kind, coordinate, node } of typeDefs.definitions.flatMap(inputsOf)) {
      const value = node.defaultValue === undefined ? undefined : print(node.defaultValue)
      getOrInsert(found, coordinate, () => ({ kind, all: [] })).all.push({ subgraph: name, value })
    }
  return [...found].flatMap(([coordinate, { kind, all }]) => {
    const given = all.find(({ value }) => value !== undefined)
    const lacking = all.find(({ value }) => value === undefined)
    // The composer reports different defaults itself.
    if (given === undefined || lacking === undefined) return []
    return errorOf(
      codes[kind],
      `${kind} "${coordinate}" has incompatible default values across subgraphs: it has default value ${given.value} in subgraph "${given.subgraph}" but no default value in subgraph "${lacking.subgraph}"`,
    )
  })
}

function inputsOf(definition: DefinitionNode): readonly Input[] {
  switch (definition.kind) {
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_EXTENSION:
      return (definition.fields ?? []).map((node) => {
        return { kind: 'Input field', coordinate: `${definition.name.value}.${node.name.value}`, node }
      })
    default:
      return outputsOf(definition).flatMap(([field, { arguments: all = [] }]) =>
        all.map((node): Input => {
          return { kind: 'Argument', coordinate: `${field}(${node.name.value}:)`, node }
        }),
      )
  }
}

/** Custom directives that are not repeatable, and that a supergraph applies twice at one place. */
export function repeatedDirectives(supergraph: DocumentNode): GraphQLError[] {
  const { definitions } = supergraph
  const once = new Set(
    definitions.flatMap((definition) =>
      definition.kind === Kind.DIRECTIVE_DEFINITION &&
      !definition.repeatable &&
      !definition.name.value.startsWith('join__')
        ? definition.name.value
        : [],
    ),
  )
  const errors: GraphQLError[] = []
  if (!applies(supergraph, once)) return errors
  const counts = new Map<string, number>()
  const types = definitions.filter(({ kind }) => kind !== Kind.DIRECTIVE_DEFINITION)
  eachAppliedDirective(types, ({ name }, place) => {
    if (!once.has(name.value)) return
    const subject = `${place()} gets @${name.value}`
    const count = (counts.get(subject) ?? 0) + 1
    counts.set(subject, count)
    if (count !== 2) return
    const message = `${subject} more than once, with other arguments in each subgraph, and it is not repeatable`
    errors.push(errorOf('DIRECTIVE_NOT_REPEATABLE', message))
  })
  return errors
}

/**
 * Directives that a supergraph applies without a definition, which other routers refuse. The composer keeps where a
 * composed directive is applied, but drops its definition if operations can have it and a subgraph lacks it.
 */
export function undefinedDirectives({ definitions }: DocumentNode): GraphQLError[] {
  const known = new Set(specifiedDirectives.map(({ name }) => name))
  for (const definition of definitions)
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) known.add(definition.name.value)
  const errors: GraphQLError[] = []
  eachAppliedDirective(definitions, ({ name: { value } }, place) => {
    if (known.has(value)) return
    known.add(value)
    const message = `${place()} gets @${value}, whose definition is lost, because operations can have it and not every subgraph defines it. Define it in every subgraph, or without locations in operations`
    errors.push(errorOf('DIRECTIVE_DEFINITION_INVALID', message))
  })
  return errors
}

/**
 * Visible input fields of hidden types, which leave no valid schema. The composer reports all other places of hidden
 * types. `seen` is what clients see of the supergraph.
 */
export function hiddenInputTypes(supergraph: DocumentNode, seen: DocumentNode): GraphQLError[] {
  const all = typesIn(supergraph)
  const visible = typesIn(seen)
  return seen.definitions.flatMap((definition) =>
    definition.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION
      ? []
      : inputsOf(definition).flatMap(({ coordinate, node }) => {
          const type = namedType(node.type)
          if (visible.has(type) || !all.has(type)) return []
          const message = `Type "${type}" is @inaccessible but is referenced by "${coordinate}", which is in the API schema.`
          return errorOf('REFERENCED_INACCESSIBLE', message)
        }),
  )
}

const typesIn = ({ definitions }: DocumentNode): Set<string> =>
  new Set(definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value))
