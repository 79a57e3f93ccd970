/**
 * The join directives of a supergraph as data: which subgraph has which type, with which keys, and which subgraph
 * resolves which field. https://specs.apollo.dev/join/v0.5
 *
 * Their arguments contain GraphQL. If one cannot be parsed, a `SupergraphError` names it.
 */
import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type SelectionSetNode,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'
import { parseFieldSet } from '../../shared/graphql/field-set.ts'
import { parseTypeText } from '../../shared/graphql/parse-text.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { argument, type WithArguments } from './features.ts'
import { SupergraphError } from './index.ts'

export interface FieldSet {
  /** As it is written. Equal texts share one object within a supergraph. */
  readonly text: string
  readonly selectionSet: SelectionSetNode
}

interface JoinType {
  readonly graph: string
  readonly key: FieldSet | undefined
  readonly resolvable: boolean
  readonly interfaceObject: boolean
}

/** An argument whose value comes from an object further up (`@fromContext`). */
export interface ContextArgument {
  readonly argument: string
  readonly context: string
  readonly type: TypeNode
  readonly selection: FieldSet
}

export interface JoinField {
  /** Undefined if no subgraph resolves the field under this type's own name. */
  readonly graph: string | undefined
  readonly external: boolean
  readonly requires: FieldSet | undefined
  readonly provides: FieldSet | undefined
  readonly type: TypeNode | undefined
  /** The name of the subgraph that resolved the field before. */
  readonly override: string | undefined
  readonly overrideLabel: string | undefined
  readonly usedOverridden: boolean
  readonly contextArguments: readonly ContextArgument[]
}

interface NameInGraph {
  readonly graph: string
  readonly name: string
}

function directivesNamed({ directives = [] }: TypeDefinitionNode, name: string) {
  return directives.filter((directive) => directive.name.value === name)
}

function stringIn(of: WithArguments, name: string): string | undefined {
  const value = argument(of, name)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined
}

function booleanIn(of: WithArguments, name: string, byDefault: boolean): boolean {
  const value = argument(of, name)
  return value?.kind === Kind.BOOLEAN ? value.value : byDefault
}

type DirectedField = Pick<FieldDefinitionNode, 'name' | 'directives'>

/** Reads the join directives of one supergraph, and parses equal field sets once. */
export class JoinReader {
  readonly #fieldSets = new Map<string, FieldSet>()
  // Most directives name only the subgraph, and one node represents them on all fields.
  readonly #joinFields = new Map<ConstDirectiveNode, JoinField>()
  readonly #joinTypes = new Map<ConstDirectiveNode, JoinType>()

  typesOf({ name, directives = [] }: TypeDefinitionNode): readonly JoinType[] {
    return directives.flatMap((directive) =>
      directive.name.value === 'join__type' ? this.#joinType(directive, name.value) : [],
    )
  }

  /** Undefined if the field has no `@join__field`: then every subgraph that has the type resolves it. */
  fieldsOf(field: DirectedField, typeName: string): readonly JoinField[] | undefined {
    const found = (field.directives ?? []).filter(isJoinField)
    return found.length === 0
      ? undefined
      : found.map((directive) => this.#joinField(directive, field, typeName))
  }

  /** Throws if a text in a directive of one of these fields is not valid GraphQL. */
  check(fields: readonly FieldDefinitionNode[], typeName: string): void {
    for (const field of fields)
      for (const directive of field.directives ?? [])
        if (isJoinField(directive)) this.#joinField(directive, field, typeName)
  }

  /** The interfaces of a type by subgraph. Undefined if the supergraph does not say. */
  implementsOf(definition: TypeDefinitionNode): readonly NameInGraph[] | undefined {
    return named(definition, 'join__implements', 'interface')
  }

  /** The members of a union by subgraph. Undefined if the supergraph does not say. */
  membersOf(definition: TypeDefinitionNode): readonly NameInGraph[] | undefined {
    return named(definition, 'join__unionMember', 'member')
  }

  /** The contexts that a type sets, by one of these names of `@context`. */
  contextsOf(definition: TypeDefinitionNode, names: ReadonlySet<string>): readonly string[] {
    return [...names].flatMap((directive) =>
      directivesNamed(definition, directive).map((each) => stringIn(each, 'name') ?? ''),
    )
  }

  #joinType(directive: ConstDirectiveNode, typeName: string): JoinType {
    return getOrInsert(this.#joinTypes, directive, () => ({
      graph: stringIn(directive, 'graph') ?? '',
      key: this.#fieldSet(directive, 'key', `@join__type of ${typeName}`),
      resolvable: booleanIn(directive, 'resolvable', true),
      interfaceObject: booleanIn(directive, 'isInterfaceObject', false),
    }))
  }

  #joinField(directive: ConstDirectiveNode, { name }: DirectedField, typeName: string): JoinField {
    return getOrInsert(this.#joinFields, directive, () => {
      const place = `@join__field of ${typeName}.${name.value}`
      return {
        graph: stringIn(directive, 'graph'),
        external: booleanIn(directive, 'external', false),
        requires: this.#fieldSet(directive, 'requires', place),
        provides: this.#fieldSet(directive, 'provides', place),
        type: typeIn(directive, place),
        override: stringIn(directive, 'override'),
        overrideLabel: stringIn(directive, 'overrideLabel'),
        usedOverridden: booleanIn(directive, 'usedOverridden', false),
        contextArguments: this.#contextArguments(directive, place),
      }
    })
  }

  #contextArguments(directive: ConstDirectiveNode, place: string): ContextArgument[] {
    const list = argument(directive, 'contextArguments')
    if (list?.kind !== Kind.LIST) return []
    return list.values.flatMap((value): ContextArgument[] => {
      if (value.kind !== Kind.OBJECT) return []
      const fields = { arguments: value.fields }
      const selection = this.#fieldSet(fields, 'selection', place)
      const type = typeIn(fields, place)
      if (selection === undefined || type === undefined) return []
      const name = stringIn(fields, 'name') ?? ''
      return [{ argument: name, context: stringIn(fields, 'context') ?? '', type, selection }]
    })
  }

  /** The field set of an argument. Undefined if it is absent or empty. */
  #fieldSet(of: WithArguments, name: string, place: string): FieldSet | undefined {
    const text = stringIn(of, name)
    if (text === undefined || text.trim() === '') return undefined
    return getOrInsert(this.#fieldSets, text, () => {
      return { text, selectionSet: readAt(place, name, text, 'a selection of fields', parseFieldSet) }
    })
  }
}

/** The reader of a supergraph: the rules, the planner and the response cache read the same directives. */
export const joinReaderOf = memoByObject((_supergraph: DocumentNode) => new JoinReader())

function named(
  definition: TypeDefinitionNode,
  directive: string,
  member: string,
): readonly NameInGraph[] | undefined {
  const found = directivesNamed(definition, directive)
  if (found.length === 0) return undefined
  return found.map((each) => ({
    graph: stringIn(each, 'graph') ?? '',
    name: stringIn(each, member) ?? '',
  }))
}

const isJoinField = ({ name }: ConstDirectiveNode): boolean => name.value === 'join__field'

function typeIn(of: WithArguments, place: string): TypeNode | undefined {
  const text = stringIn(of, 'type')
  return text === undefined ? undefined : readAt(place, 'type', text, 'a type', parseTypeText)
}

/** Parses the text of an argument. `place` names the directive and the element that it is on. */
function readAt<T>(
  place: string,
  argument: string,
  text: string,
  expected: string,
  read: (text: string) => T,
): T {
  try {
    return read(text)
  } catch (error) {
    throw new SupergraphError(
      `The supergraph cannot be served: in ${place}, ${argument}: ${quoted(text)} is not ${expected}: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

/** The text for a message, cut to a bounded length. */
const quoted = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
