/**
 * Protected values that leak through other fields. A field that `@requires` a protected field, or receives it as an
 * argument by `@fromContext`, passes its value to a subgraph, whose response may reveal it. Every caller of such a
 * field must therefore be allowed to see the protected one.
 *
 * Composers check the same during composition. This module reads the finished supergraph, so that it also judges one of
 * another or an older composer. The gateway closes these fields when it serves (`withoutLeaks`).
 */

import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { directiveNames } from '../../../engine/supergraph/directives.ts'
import { argument } from '../../../engine/supergraph/features.ts'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { parseSdl } from '../../../shared/graphql/parse-sdl.ts'
import { append } from '../../../shared/runtime/maps.ts'
import { type AccessRequirements, distinctRequirements, readRules } from './access-rules.ts'
import { requirementInWords } from './refusal.ts'
import { allOf, implies, type Requirement } from './requirement.ts'

export interface Leak {
  /** The field that reveals the value, `Type.field`. */
  readonly field: string
  /** The protected field behind it, `Type.field`. */
  readonly protected: string
  readonly subgraph: string
  /** The rules that the first must repeat, in words. */
  readonly message: string
  /** The rules that it must repeat and does not. */
  readonly lacking: readonly Requirement[]
}

type FieldTypes = ReadonlyMap<string, ReadonlyMap<string, FieldDefinitionNode>>

function typesOf(supergraph: DocumentNode): Map<string, Map<string, FieldDefinitionNode>> {
  const types = new Map<string, Map<string, FieldDefinitionNode>>()
  for (const definition of supergraph.definitions) {
    if (!isInspected(definition)) continue
    const fields = new Map((definition.fields ?? []).map((field) => [field.name.value, field]))
    types.set(definition.name.value, fields)
  }
  return types
}

/** Every field of a field set, as pairs of its parent type and its name. */
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
  const [operation] = selectionIn(fieldSet)
  if (operation?.kind === Kind.OPERATION_DEFINITION) walk(operation.selectionSet, type)
  return found
}

/** For an invalid text, which planning refuses later. */
function selectionIn(text: string): readonly DefinitionNode[] {
  try {
    return parse(text.trim().startsWith('{') ? text : `{ ${text} }`, { noLocation: true }).definitions
  } catch {
    return []
  }
}

const isJoinField = (directive: ConstDirectiveNode): boolean => directive.name.value === 'join__field'

function textOf(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = argument(directive, name)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined
}

export function findLeaks(supergraph: string | DocumentNode): Leak[] {
  const document = typeof supergraph === 'string' ? parseSdl(supergraph, { noLocation: true }) : supergraph
  const rules = readRules(document)
  if (rules.claims.length === 0) return []
  const types = typesOf(document)
  const leaks = new Map<string, Leak>()

  const gateAt = (type: string, field: string): AccessRequirements => [
    ...rules.typeRequirements(type),
    ...rules.fieldRequirements(type, field),
  ]
  const check = (owner: string, field: string, type: string, name: string, subgraph: string): void => {
    // A field of an interface is one of its implementing types.
    const behind = distinctRequirements(
      [type, ...rules.implementers(type)].flatMap((each) => gateAt(each, name)),
    )
    const own = distinctRequirements(gateAt(owner, field))
    const given = allOf(own)
    const lacking = behind.filter(
      (requirement) =>
        !own.some((each) => implies(each, requirement)) &&
        (given === undefined || !implies(given, requirement)),
    )
    if (lacking.length === 0) return
    const words = lacking.map((requirement) => requirementInWords(requirement)).join(', and ')
    const leak: Leak = {
      field: `${owner}.${field}`,
      protected: `${type}.${name}`,
      subgraph,
      message: `${owner}.${field} (subgraph ${subgraph}) needs ${type}.${name}, which requires ${words}, and does not require the same.`,
      lacking,
    }
    leaks.set(`${leak.field} ${leak.protected} ${subgraph}`, leak)
  }

  const contexts = contextsIn(document)
  const inspect = (definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode): void => {
    const owner = definition.name.value
    for (const field of definition.fields ?? [])
      for (const directive of field.directives ?? []) {
        if (!isJoinField(directive)) continue
        const subgraph = (textOf(directive, 'graph') ?? 'unknown').toLowerCase()
        const checkAll = (fieldSet: string | undefined, at: string): void => {
          for (const [type, name] of fieldSet === undefined ? [] : fieldsIn(fieldSet, at, types))
            check(owner, field.name.value, type, name, subgraph)
        }
        checkAll(textOf(directive, 'requires'), owner)
        for (const { context, selection } of contextArgumentsOf(directive))
          for (const type of contexts.get(context) ?? []) checkAll(selection, type)
      }
  }
  for (const definition of document.definitions) if (isInspected(definition)) inspect(definition)
  return [...leaks.values()]
}

/** Objects, and the interfaces to which subgraphs add fields by `@interfaceObject`. */
const isInspected = (
  definition: DefinitionNode,
): definition is ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION

/** The types that set each context. */
function contextsIn(document: DocumentNode): Map<string, string[]> {
  const { context: names } = directiveNames(document)
  const contexts = new Map<string, string[]>()
  for (const definition of document.definitions) {
    if (!('directives' in definition) || !('name' in definition) || definition.name === undefined) continue
    for (const directive of definition.directives ?? []) {
      if (!names.has(directive.name.value)) continue
      const name = textOf(directive as ConstDirectiveNode, 'name') ?? ''
      append(contexts, name, definition.name.value)
    }
  }
  return contexts
}

/** What a field takes from contexts: `contextArguments: [{ context: "…", selection: "{ … }", … }]`. */
function contextArgumentsOf(directive: ConstDirectiveNode): { context: string; selection: string }[] {
  const list = argument(directive, 'contextArguments')
  if (list?.kind !== Kind.LIST) return []
  return list.values.flatMap((item) => {
    const fields = item.kind === Kind.OBJECT ? item.fields : []
    const text = (name: string): string => {
      const value = fields.find((field) => field.name.value === name)?.value
      return value?.kind === Kind.STRING ? value.value : ''
    }
    return { context: text('context'), selection: text('selection') }
  })
}
