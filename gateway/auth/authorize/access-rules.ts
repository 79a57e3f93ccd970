/**
 * Every authorization rule of a supergraph, by the place that it guards.
 *
 * It reads the supergraph instead of the API schema, because only the supergraph has the directives. A type that
 * clients cannot see may also implement an interface that they can see. A rule on an interface also binds the
 * implementing types, unless it is the sum of their own rules, which composers write there.
 */

import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  type FieldDefinitionNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  type NamedTypeNode,
} from 'graphql'
import { applies, type DirectiveNames, directiveNames } from '../../../engine/supergraph/directives.ts'
import { argument } from '../../../engine/supergraph/features.ts'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { append, getOrInsert } from '../../../shared/runtime/maps.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import {
  allOf,
  always,
  authenticated,
  type Claim,
  implies,
  policyClaim,
  type Requirement,
  requirementFrom,
  scopeClaim,
} from './requirement.ts'
import { stepUpClaim, stepUpOf } from './step-up.ts'

/** What must hold at one place: the conjunction of requirements. Empty: open to everybody. */
export type AccessRequirements = readonly Requirement[]

export const open: AccessRequirements = []

interface TypeEntry {
  readonly name: string
  readonly isInterface: boolean
  readonly rules: Requirement[]
  readonly interfaces: Set<string>
  readonly fields: Map<string, FieldEntry>
}

interface FieldEntry {
  readonly output: string
  readonly rules: Requirement[]
}

/** `[["a", "b"], ["c"]]` as alternatives. Anything but a string or a list is ignored, as in Apollo Router. */
function alternatives(
  value: ConstValueNode | undefined,
  claim: (name: string) => Claim,
): readonly (readonly Claim[])[] {
  if (value?.kind === Kind.STRING) return [[claim(value.value)]]
  if (value?.kind !== Kind.LIST) return []
  return value.values.flatMap((inner) => {
    if (inner.kind === Kind.STRING) return [[claim(inner.value)]]
    if (inner.kind !== Kind.LIST) return []
    return [inner.values.flatMap((item) => (item.kind === Kind.STRING ? [claim(item.value)] : []))]
  })
}

function requirementsOf(
  directives: readonly ConstDirectiveNode[] | undefined,
  names: DirectiveNames,
): Requirement[] {
  const found: Requirement[] = []
  for (const directive of directives ?? []) {
    const name = directive.name.value
    if (names.authenticated.has(name)) found.push([[authenticated]])
    else if (names.requiresScopes.has(name))
      found.push(requirementFrom(alternatives(argument(directive, 'scopes'), scopeClaim)))
    else if (names.policy.has(name))
      found.push(requirementFrom(alternatives(argument(directive, 'policies'), policyClaim)))
    else if (names.stepUp.has(name)) found.push([[authenticated, stepUpClaim(stepUpOf(directive))]])
  }
  return found.filter((requirement) => !implies(always, requirement))
}

const keyOf = (requirement: Requirement): string => JSON.stringify(requirement)

/** Each requirement once. */
export function distinctRequirements(requirements: Iterable<Requirement>): AccessRequirements {
  const distinct = new Map<string, Requirement>()
  for (const requirement of requirements) distinct.set(keyOf(requirement), requirement)
  return distinct.size === 0 ? open : [...distinct.values()]
}

export const readRules = memoByObject((supergraph: DocumentNode): Rules => new Rules(supergraph))

export class Rules {
  readonly #names
  readonly #types = new Map<string, TypeEntry>()
  // Equal requirements become one object, so that they can be compared by identity.
  readonly #interned = new Map<string, Requirement>()
  readonly #implementersOf = new Map<string, string[]>()
  readonly #typeRequirements = new Map<string, AccessRequirements>()
  readonly #fieldRequirements = new Map<string, AccessRequirements>()
  /** The claims that occur anywhere, sorted. */
  readonly claims: readonly Claim[]

  constructor(supergraph: DocumentNode) {
    this.#names = directiveNames(supergraph)
    const { authenticated, requiresScopes, policy, stepUp } = this.#names
    const hasRules = applies(supergraph, authenticated, requiresScopes, policy, stepUp)
    for (const definition of supergraph.definitions) {
      const isType = isTypeDefinitionNode(definition) || isTypeExtensionNode(definition)
      if (!isType || definition.kind.startsWith('InputObject')) continue
      const name = definition.name.value
      const entry = getOrInsert(this.#types, name, () => ({
        name,
        isInterface: definition.kind.startsWith('Interface'),
        rules: [],
        interfaces: new Set<string>(),
        fields: new Map(),
      }))
      entry.rules.push(...this.#read(definition.directives))
      const composite = definition as { interfaces?: NamedTypeNode[]; fields?: FieldDefinitionNode[] }
      for (const parent of composite.interfaces ?? []) entry.interfaces.add(parent.name.value)
      // Without rules every field is open.
      for (const field of hasRules ? (composite.fields ?? []) : []) {
        entry.fields.set(field.name.value, {
          output: namedType(field.type),
          rules: this.#read(field.directives),
        })
      }
    }
    for (const type of this.#types.values())
      for (const parent of type.interfaces) append(this.#implementersOf, parent, type.name)
    const claims = new Set<Claim>()
    for (const requirement of this.#interned.values())
      for (const alternative of requirement) for (const claim of alternative) claims.add(claim)
    this.claims = [...claims].sort()
  }

  isInterface(type: string): boolean {
    return this.#types.get(type)?.isInterface ?? false
  }

  /** Everything that implements an interface: objects and further interfaces. */
  implementers(name: string): readonly string[] {
    return this.#implementersOf.get(name) ?? []
  }

  /** The same without inherited rules: what Apollo Router reads. */
  ownFieldRequirements(type: string, field: string): AccessRequirements {
    const entry = this.#types.get(type)?.fields.get(field)
    if (entry === undefined) return open
    const output = this.ownTypeRequirements(entry.output)
    if (output.length === 0) return entry.rules
    return entry.rules.length === 0 ? output : distinctRequirements([...entry.rules, ...output])
  }

  /** The type's own rules and those that it inherits. */
  typeRequirements(type: string): AccessRequirements {
    return getOrInsert(this.#typeRequirements, type, () =>
      distinctRequirements(this.#withInherited(type, this.ownTypeRequirements)),
    )
  }

  /** The rules of the field itself, of its return type, and inherited ones; not those of `type`. */
  fieldRequirements(type: string, field: string): AccessRequirements {
    return getOrInsert(this.#fieldRequirements, `${type}.${field}`, () => {
      const fieldOf = (each: string) => this.#types.get(each)?.fields.get(field)
      const output = fieldOf(type)?.output
      return distinctRequirements([
        ...this.#withInherited(type, (each) => fieldOf(each)?.rules ?? open),
        ...(output === undefined ? [] : this.typeRequirements(output)),
      ])
    })
  }

  readonly #intern = (requirement: Requirement): Requirement =>
    getOrInsert(this.#interned, keyOf(requirement), () => requirement)

  #read(directives: readonly ConstDirectiveNode[] | undefined) {
    return requirementsOf(directives, this.#names).map(this.#intern)
  }

  /** The rules of a type, and those of its interfaces that are not already the sum of their implementing types' rules. */
  #withInherited(type: string, own: (type: string) => AccessRequirements): AccessRequirements {
    const inherited = [...(this.#types.get(type)?.interfaces ?? [])].flatMap((name) => {
      const rules = own(name)
      if (rules.length === 0) return []
      const sum = allOf(distinctRequirements(this.implementers(name).flatMap(own)))
      return rules.filter((rule) => sum === undefined || !implies(sum, rule))
    })
    return [...own(type), ...inherited]
  }

  readonly ownTypeRequirements = (type: string): AccessRequirements => this.#types.get(type)?.rules ?? open
}
