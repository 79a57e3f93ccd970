/**
 * Closes the fields that could reveal protected values. Each gets the rules of what it requires beside its own, written
 * into the document, so that every reader of the graph's rules sees them.
 */
import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  Kind,
} from 'graphql'
import { type DirectiveNames, directiveNames } from '../../../engine/supergraph/directives.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import { findLeaks, type Leak } from './leaks.ts'
import { authenticated, policiesIn, type Requirement, scopesIn } from './requirement.ts'
import { stepUpsIn } from './step-up.ts'

export interface Closed {
  /** The same object if nothing had to be closed. */
  readonly document: DocumentNode
  /** The leaks that were closed. */
  readonly leaks: readonly Leak[]
}

/** A field that requires a field closed here is closed in the next round; this is the longest chain. */
const mostTurns = 100

/** Throws if the chain of requirements is too long. */
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
  for (const { field, lacking } of leaks) {
    const directives = lacking.map((requirement) => directiveOf(requirement, names))
    missing.set(field, [...(missing.get(field) ?? []), ...directives])
  }
  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      return definition
    const fields = (definition.fields ?? []).map((field) => {
      const more = missing.get(`${definition.name.value}.${field.name.value}`)
      return more === undefined ? field : { ...field, directives: [...(field.directives ?? []), ...more] }
    })
    return { ...definition, fields }
  })
  return { ...document, definitions }
}

/** Each requirement was read from one directive, so one directive can express it. */
function directiveOf(requirement: Requirement, names: DirectiveNames): ConstDirectiveNode {
  const claims = requirement.flat()
  const [stepUp] = stepUpsIn(claims)
  if (stepUp !== undefined) {
    const { acrValues, maxAge } = stepUp
    const age: ConstArgumentNode[] =
      maxAge === undefined ? [] : [argument('maxAge', { kind: Kind.INT, value: String(maxAge) })]
    return directive(names.stepUp, 'stepUp', [argument('acrValues', textList(acrValues)), ...age])
  }
  if (claims.every((claim) => claim === authenticated))
    return directive(names.authenticated, 'authenticated', [])
  const scopes = requirement.map(scopesIn)
  if (scopes.some((each) => each.length > 0))
    return directive(names.requiresScopes, 'requiresScopes', [argument('scopes', nested(scopes))])
  return directive(names.policy, 'policy', [argument('policies', nested(requirement.map(policiesIn)))])
}

function directive(
  names: ReadonlySet<string>,
  usual: string,
  given: readonly ConstArgumentNode[],
): ConstDirectiveNode {
  const [name = usual] = names
  return { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: name }, arguments: given }
}

const argument = (name: string, value: ConstValueNode): ConstArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: name },
  value,
})

const textList = (texts: readonly string[]): ConstValueNode => ({
  kind: Kind.LIST,
  values: texts.map((value) => ({ kind: Kind.STRING, value })),
})

const nested = (lists: readonly (readonly string[])[]): ConstValueNode => ({
  kind: Kind.LIST,
  values: lists.map(textList),
})
