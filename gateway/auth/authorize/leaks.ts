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
  isTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import {
  type DirectiveNames,
  directiveNames,
  type KnownDirective,
} from '../../../engine/supergraph/directives.ts'
import { type JoinField, type JoinReader, joinReaderOf } from '../../../engine/supergraph/join.ts'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { parseSdl } from '../../../shared/graphql/parse-sdl.ts'
import { append } from '../../../shared/runtime/maps.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import { type AccessRequirements, distinctRequirements, readRules } from './access-rules.ts'
import { requirementInWords } from './refusal.ts'
import { allOf, authenticated, implies, policiesIn, type Requirement, scopesIn } from './requirement.ts'
import { stepUpsIn } from './step-up.ts'
import { directiveNode, withDirectives } from './write-directives.ts'

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

/** Every field of a field set, as pairs of its parent type and its name. */
function* fieldsIn(set: SelectionSetNode, parent: string, types: FieldTypes): Generator<[string, string]> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* fieldsIn(selection.selectionSet, selection.typeCondition?.name.value ?? parent, types)
    if (selection.kind !== Kind.FIELD) continue
    yield [parent, selection.name.value]
    const field = types.get(parent)?.get(selection.name.value)
    if (field !== undefined && selection.selectionSet !== undefined)
      yield* fieldsIn(selection.selectionSet, namedType(field.type), types)
  }
}

export function findLeaks(supergraph: string | DocumentNode): Leak[] {
  const document = typeof supergraph === 'string' ? parseSdl(supergraph, { noLocation: true }) : supergraph
  const rules = readRules(document)
  if (rules.claims.length === 0) return []
  const inspected = document.definitions.filter(isInspected)
  const types = new Map(
    inspected.map(({ name, fields = [] }) => [
      name.value,
      new Map(fields.map((field) => [field.name.value, field])),
    ]),
  )
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

  const join = joinReaderOf(document)
  const { context: names } = directiveNames(document)
  /** The types that set each context. */
  const contexts = new Map<string, string[]>()
  for (const definition of document.definitions.filter(isTypeDefinitionNode))
    for (const context of join.contextsOf(definition, names)) append(contexts, context, definition.name.value)

  for (const { name, fields = [] } of inspected)
    for (const field of fields)
      for (const { graph = 'unknown', requires, contextArguments } of joinsOf(join, field, name.value)) {
        const checkAll = (set: SelectionSetNode, at: string): void => {
          for (const [type, each] of fieldsIn(set, at, types))
            check(name.value, field.name.value, type, each, graph.toLowerCase())
        }
        if (requires !== undefined) checkAll(requires.selectionSet, name.value)
        for (const { context, selection } of contextArguments)
          for (const type of contexts.get(context) ?? []) checkAll(selection.selectionSet, type)
      }
  return [...leaks.values()]
}

/** None if a text in them is invalid, for which planning refuses the supergraph. */
function joinsOf(join: JoinReader, field: FieldDefinitionNode, owner: string): readonly JoinField[] {
  try {
    return join.fieldsOf(field, owner) ?? []
  } catch {
    return []
  }
}

/** Objects, and the interfaces to which subgraphs add fields by `@interfaceObject`. */
const isInspected = (
  definition: DefinitionNode,
): definition is ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION

interface Closed {
  /** The same object if nothing had to be closed. */
  readonly document: DocumentNode
  readonly leaks: readonly Leak[]
}

/** A field that requires a field closed here is closed in the next round; this is the longest chain. */
const mostTurns = 100

/**
 * Closes the fields that could reveal protected values. Each gets the rules of the fields that it requires, written into
 * the document, so that every reader of the graph's rules sees them. Throws if the chain of requirements is too long.
 */
export const withoutLeaks = memoByObject((document: DocumentNode): Closed => {
  const names = directiveNames(document)
  let closed = document
  const all: Leak[] = []
  for (let turn = 0; turn < mostTurns; turn++) {
    const leaks = findLeaks(closed)
    if (leaks.length === 0) return { document: closed, leaks: all }
    all.push(...leaks)
    closed = withRules(closed, leaks, names)
  }
  throw new Error(`The fields of the supergraph require each other more than ${mostTurns} times in a row.`)
})

function withRules(document: DocumentNode, leaks: readonly Leak[], names: DirectiveNames): DocumentNode {
  const missing = new Map<string, ConstDirectiveNode[]>()
  for (const { field, lacking } of leaks)
    for (const requirement of lacking) append(missing, field, directiveOf(requirement, names))
  return withDirectives(document, (coordinate) => missing.get(coordinate) ?? [])
}

/** Each requirement was read from one directive, so one directive can express it. */
function directiveOf(requirement: Requirement, names: DirectiveNames): ConstDirectiveNode {
  const written = (directive: KnownDirective, given: Readonly<Record<string, unknown>>) => {
    const [name = directive] = names[directive]
    return directiveNode(name, given)
  }
  const claims = requirement.flat()
  const [stepUp] = stepUpsIn(claims)
  if (stepUp !== undefined) return written('stepUp', { ...stepUp })
  if (claims.every((claim) => claim === authenticated)) return written('authenticated', {})
  const scopes = requirement.map(scopesIn)
  return scopes.some((each) => each.length > 0)
    ? written('requiresScopes', { scopes })
    : written('policy', { policies: requirement.map(policiesIn) })
}
