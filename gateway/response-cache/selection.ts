/**
 * The selection of a fetch, read from its document once: the text and variables that distinguish its responses, the
 * schema's caching hints, and the objects in a response.
 */
import { type DocumentNode, type OperationDefinitionNode, print, type SelectionSetNode, visit } from 'graphql'
import {
  type NormalisedField,
  type NormalisedOperation,
  normalise,
  type Selection as SelectedField,
} from '../../engine/operation/normalised.ts'
import { noTypes } from '../../engine/operation/type-source.ts'
import { holds } from '../../shared/graphql/conditions.ts'
import { argumentsOf } from '../../shared/graphql/literals.ts'
import { fragmentsOf } from '../../shared/graphql/selections.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import type { FieldFacts, Guard, Hint, SchemaFacts } from './schema-facts.ts'
import type { KeyValues } from './tags.ts'

type Variables = Readonly<Record<string, unknown>>

/** The schema's hints for everything that is selected. */
export interface SelectionPolicy {
  /** In seconds; undefined if there is no hint. */
  readonly maxAge: number | undefined
  /** Whether each caller has entries of its own. */
  readonly isPrivate: boolean
  readonly guard: Pick<Guard, 'scopes'> | undefined
}

/** A field of an object, as selected there. */
interface Selected extends Pick<SelectedField, 'field' | 'when'> {
  readonly facts: FieldFacts | undefined
}

type VisitObject = (type: string, values: KeyValues) => void

/** The operation of a fetch. Types and fields that are only in the subgraph, as `_entities`, are not known. */
export function normalisedFetch(
  facts: SchemaFacts,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): NormalisedOperation {
  const types = {
    possible: () => noTypes,
    output: (type: string, field: string) => facts.type(type)?.fields.get(field)?.type,
  }
  const { query, mutation = 'Mutation' } = facts.root
  return normalise(types, document, definition, definition.operation === 'mutation' ? mutation : query)
}

export class Selection {
  /** The selection with its fragments. */
  readonly text: string
  /** Names of its variables, in order. */
  readonly variables: readonly string[]
  readonly #facts: SchemaFacts
  readonly #selections: readonly SelectedField[]
  readonly #fields = new Map<readonly SelectedField[], Map<string, readonly Selected[]>>()
  readonly #policies = new Map<string, SelectionPolicy>()

  /** `set` is the node of the selections. */
  constructor(
    facts: SchemaFacts,
    document: DocumentNode,
    set: SelectionSetNode,
    selections: readonly SelectedField[],
  ) {
    this.#facts = facts
    this.#selections = selections
    const spread = new Set<string>()
    const names = new Set<string>()
    const read = (node: SelectionSetNode): string => {
      visit(node, {
        Variable: ({ name }) => {
          names.add(name.value)
        },
        FragmentSpread: ({ name }) => {
          spread.add(name.value)
        },
      })
      return print(node)
    }
    let text = read(set)
    // The set grows during the walk: fragments in fragments are read as well.
    for (const name of spread) {
      const fragment = fragmentsOf(document).get(name)
      if (fragment !== undefined)
        text += `\nfragment ${name} on ${fragment.typeCondition.name.value} ${read(fragment.selectionSet)}`
    }
    this.text = text
    this.variables = [...names].sort()
  }

  /** By the rules of `@cacheControl`: a field without a hint is as fresh as its parent, or as `usual`. */
  policy(type: string, atRoot: boolean, usual: number): SelectionPolicy {
    return getOrInsert(this.#policies, type, () => this.#policyOf(type, atRoot, usual))
  }

  #policyOf(type: string, atRoot: boolean, usual: number): SelectionPolicy {
    let least = Number.POSITIVE_INFINITY
    let met = false
    let isPrivate = false
    let guarded = false
    const scopes = new Set<string>()
    const apply = (hint: Hint | undefined): void => {
      if (hint === undefined) return
      met = true
      if (hint.isPrivate) isPrivate = true
      if (hint.maxAge !== undefined && hint.maxAge < least) least = hint.maxAge
    }
    const guard = (found: Guard | undefined): void => {
      if (found === undefined) return
      guarded = true
      if (found.perCaller) isPrivate = true
      for (const scope of found.scopes) scopes.add(scope)
    }
    const seen = new Set<readonly SelectedField[]>()
    const walk = (selections: readonly SelectedField[], isRoot: boolean): void => {
      if (seen.has(selections)) return
      seen.add(selections)
      for (const { field, on } of selections) {
        for (const condition of on)
          if (!isRoot || condition !== type) guard(this.#facts.type(condition)?.guard)
        const facts = this.#factsOf(field)
        if (facts === undefined) continue
        const target = this.#facts.type(facts.type)
        guard(facts.guard)
        guard(target?.guard)
        const { hint } = facts
        apply(hint)
        if (hint?.maxAge === undefined && hint?.inheritMaxAge !== true) {
          apply(target?.hint)
          const isLeast = target === undefined ? isRoot : target.hint?.maxAge === undefined
          if (isLeast && usual < least) least = usual
        } else if (target?.hint?.isPrivate === true) isPrivate = true
        if (field.selections !== undefined) walk(field.selections, false)
      }
    }
    if (!atRoot) {
      const own = this.#facts.type(type)
      apply(own?.hint)
      guard(own?.guard)
      if (own?.hint?.maxAge === undefined && usual < least) least = usual
    }
    walk(this.#selections, atRoot)
    return {
      maxAge: met ? least : undefined,
      isPrivate,
      guard: guarded ? { scopes: [...scopes].sort() } : undefined,
    }
  }

  /**
   * The possible object types of a response, or only of its lists. A connection stands for its lists even if none of
   * them is selected, because its count and its page info change with them.
   */
  objectTypes(where: 'everywhere' | 'in lists'): ReadonlySet<string> {
    const found = new Set<string>()
    const outside = new Set<readonly SelectedField[]>()
    const inside = new Set<readonly SelectedField[]>()
    const add = (type: string): void => {
      for (const each of [type, ...this.#facts.possibleTypes(type)]) found.add(each)
    }
    const walk = (selections: readonly SelectedField[], isInside: boolean): void => {
      const seen = isInside ? inside : outside
      if (seen.has(selections)) return
      seen.add(selections)
      for (const { field } of selections) {
        if (field.output === undefined || field.selections === undefined) continue
        const counts = isInside || this.#factsOf(field)?.isList === true
        if (counts) add(field.output)
        // By the specification of Relay, these types and no others are connections.
        if (field.output.endsWith('Connection'))
          for (const { isList, type } of this.#facts.type(field.output)?.fields.values() ?? [])
            if (isList) add(type)
        walk(field.selections, counts)
      }
    }
    walk(this.#selections, where === 'everywhere')
    return found
  }

  /** Visits the value, an object of the type, and all objects in it. */
  visitObjects(value: unknown, type: string, visitObject: VisitObject): void {
    const walk = (at: unknown, selections: readonly SelectedField[], of: string): void => {
      if (Array.isArray(at)) {
        for (const item of at) walk(item, selections, of)
        return
      }
      if (typeof at !== 'object' || at === null) return
      const object = at as Readonly<Record<string, unknown>>
      const named = Object.hasOwn(object, '__typename') ? object.__typename : undefined
      const own = typeof named === 'string' ? named : of
      const fields = this.#fieldsOf(selections, own)
      visitObject(own, (name) => {
        const key = fields.find(({ field }) => field.name === name && field.arguments.length === 0)?.field.key
        return key !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
      })
      for (const { field, facts } of fields)
        if (field.selections !== undefined && facts !== undefined && Object.hasOwn(object, field.key))
          walk(object[field.key], field.selections, facts.type)
    }
    walk(value, this.#selections, type)
  }

  /** The root fields that are selected with these variables, and their arguments. */
  rootFields(
    type: string,
    variables: Variables,
  ): { readonly facts: FieldFacts; readonly args: Readonly<Record<string, unknown>> }[] {
    return this.#fieldsOf(this.#selections, type).flatMap(({ field, when, facts }) => {
      if (facts === undefined || when === undefined || !holds(when.all, variables)) return []
      return [{ facts, args: { ...facts.defaults, ...argumentsOf(field, variables) } }]
    })
  }

  #factsOf({ parent, name }: NormalisedField): FieldFacts | undefined {
    return this.#facts.type(parent)?.fields.get(name)
  }

  /** All fields on objects of the type, through fragments; a fragment on any possible type counts. */
  #fieldsOf(selections: readonly SelectedField[], type: string): readonly Selected[] {
    const byType = getOrInsert(this.#fields, selections, () => new Map())
    return getOrInsert(byType, type, () =>
      selections.flatMap(({ field, when, on }) => {
        if (!on.every((condition) => this.#canBe(type, condition))) return []
        return [
          { field, when, facts: this.#facts.type(type)?.fields.get(field.name) ?? this.#factsOf(field) },
        ]
      }),
    )
  }

  /** The type may be an interface here, and some of its objects have the condition's type. */
  #canBe(type: string, condition: string): boolean {
    return (
      condition === type ||
      this.#facts.possibleTypes(condition).includes(type) ||
      this.#facts.possibleTypes(type).includes(condition)
    )
  }
}
