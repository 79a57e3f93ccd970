/**
 * Protected values that leave through another door: a field that `@requires` a protected one hands its value to
 * a subgraph, whose answer may tell it. A caller who may see the first must then be one who may see the second.
 *
 * Composers check the same while they compose; this reads the finished supergraph, so that one that was made
 * elsewhere, or by an older composer, is judged too.
 */

import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { argument } from '../../engine/supergraph/features.ts'
import { requirementInWords } from './refusal.ts'
import { allOf, implies } from './requirement.ts'
import { type Gate, gateOf, namedType, readRules } from './rules.ts'

export interface Leak {
  /** The field that lets the value out, `Type.field`. */
  readonly field: string
  /** The protected field behind it, `Type.field`. */
  readonly protected: string
  readonly subgraph: string
  /** What the first has to repeat, in words. */
  readonly message: string
}

type FieldTypes = ReadonlyMap<string, ReadonlyMap<string, FieldDefinitionNode>>

function typesOf(supergraph: DocumentNode): Map<string, Map<string, FieldDefinitionNode>> {
  const types = new Map<string, Map<string, FieldDefinitionNode>>()
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      continue
    const fields = new Map((definition.fields ?? []).map((field) => [field.name.value, field]))
    types.set(definition.name.value, fields)
  }
  return types
}

/** Every field of a field set, as pairs of the type that it stands on and its name. */
function fieldsIn(fieldSet: string, type: string, types: FieldTypes): [string, string][] {
  const found: [string, string][] = []
  const walk = (set: SelectionSetNode, parent: string): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT)
        walk(selection.selectionSet, selection.typeCondition?.name.value ?? parent)
      if (selection.kind !== Kind.FIELD) continue
      found.push([parent, selection.name.value])
      const field = types.get(parent)?.get(selection.name.value)
      if (field !== undefined && selection.selectionSet !== undefined)
        walk(selection.selectionSet, namedType(field.type))
    }
  }
  const [operation] = parse(`{ ${fieldSet} }`, { noLocation: true }).definitions
  if (operation?.kind === Kind.OPERATION_DEFINITION) walk(operation.selectionSet, type)
  return found
}

const isJoinField = (directive: ConstDirectiveNode): boolean => directive.name.value === 'join__field'

function textOf(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = argument(directive, name)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined
}

export function findLeaks(supergraph: string | DocumentNode): Leak[] {
  const document = typeof supergraph === 'string' ? parse(supergraph, { noLocation: true }) : supergraph
  const rules = readRules(document)
  if (rules.claims.length === 0) return []
  const types = typesOf(document)
  const leaks = new Map<string, Leak>()

  const gateAt = (type: string, field: string): Gate => [
    ...rules.typeGate(type),
    ...rules.fieldGate(type, field),
  ]
  const check = (owner: string, field: string, type: string, name: string, subgraph: string): void => {
    // A field of an interface is one of those that implement it.
    const behind = gateOf([type, ...rules.implementers(type)].flatMap((each) => gateAt(each, name)))
    const given = allOf(gateOf(gateAt(owner, field)))
    const lacking = behind.filter((requirement) => given === undefined || !implies(given, requirement))
    if (lacking.length === 0) return
    const words = lacking.map((requirement) => requirementInWords(requirement)).join(', and ')
    const leak: Leak = {
      field: `${owner}.${field}`,
      protected: `${type}.${name}`,
      subgraph,
      message: `${owner}.${field} (subgraph ${subgraph}) needs ${type}.${name}, which requires ${words}, and does not require the same.`,
    }
    leaks.set(`${leak.field} ${leak.protected} ${subgraph}`, leak)
  }

  const inspect = (definition: ObjectTypeDefinitionNode): void => {
    const owner = definition.name.value
    for (const field of definition.fields ?? [])
      for (const directive of field.directives ?? []) {
        const required = isJoinField(directive) ? textOf(directive, 'requires') : undefined
        if (required === undefined) continue
        const subgraph = (textOf(directive, 'graph') ?? 'unknown').toLowerCase()
        for (const [type, name] of fieldsIn(required, owner, types))
          check(owner, field.name.value, type, name, subgraph)
      }
  }
  for (const definition of document.definitions)
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) inspect(definition)
  return [...leaks.values()]
}
