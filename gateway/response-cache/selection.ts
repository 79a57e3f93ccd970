/**
 * The selection of a fetch, read from its document once: the text and variables that distinguish its responses, the
 * schema's caching hints, and the objects in a response.
 */
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  print,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { isIncluded } from '../../shared/graphql/conditions.ts'
import { type Fragments, fragmentsOf, responseKey } from '../../shared/graphql/selections.ts'
import type { FieldFacts, Guard, Hint, SchemaFacts } from './schema-facts.ts'
import type { KeyValues } from './tags.ts'

type Variables = Readonly<Record<string, unknown>>

/** The schema's hints for everything that is selected. */
export interface SelectionPolicy {
  /** In seconds; undefined if there is no hint. */
  readonly maxAge: number | undefined
  readonly isPrivate: boolean
  readonly guard: Guard | undefined
}

/** A field of an object, as selected there. */
interface Selected {
  readonly node: FieldNode
  readonly facts: FieldFacts | undefined
}

export type VisitObject = (type: string, values: KeyValues) => void

export class Selection {
  readonly set: SelectionSetNode
  /** The selection with its fragments. */
  readonly text: string
  /** Names of its variables, in order. */
  readonly variables: readonly string[]
  readonly #facts: SchemaFacts
  readonly #fragments: Fragments
  readonly #fields = new Map<SelectionSetNode, Map<string, readonly Selected[]>>()

  constructor(facts: SchemaFacts, document: DocumentNode, set: SelectionSetNode) {
    this.set = set
    this.#facts = facts
    this.#fragments = fragmentsOf(document)
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
      const fragment = this.#fragments.get(name)
      if (fragment !== undefined)
        text += `\nfragment ${name} on ${fragment.typeCondition.name.value} ${read(fragment.selectionSet)}`
    }
    this.text = text
    this.variables = [...names].sort()
  }

  /** By the rules of `@cacheControl`: a field without a hint is as fresh as its parent, or as `usual`. */
  policy(type: string, atRoot: boolean, usual: number): SelectionPolicy {
    let least = Number.POSITIVE_INFINITY
    let met = false
    let isPrivate = false
    let perCaller = false
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
      if (found.perCaller) perCaller = true
      for (const scope of found.scopes) scopes.add(scope)
    }
    const seen = new Map<SelectionSetNode, Set<string>>()
    const walk = (set: SelectionSetNode, on: string, isRoot: boolean): void => {
      const types = seen.get(set) ?? new Set()
      if (types.has(on)) return
      seen.set(set, types.add(on))
      for (const selection of set.selections) {
        if (selection.kind !== Kind.FIELD) {
          const inside =
            selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
          if (inside === undefined) continue
          const condition = inside.typeCondition?.name.value ?? on
          if (condition !== on) guard(this.#facts.type(condition)?.guard)
          walk(inside.selectionSet, condition, isRoot)
          continue
        }
        const facts = this.#facts.type(on)?.fields.get(selection.name.value)
        if (facts === undefined) continue
        const target = this.#facts.type(facts.type)
        guard(facts.guard)
        guard(target?.guard)
        const hint = facts.hint ?? undefined
        apply(hint)
        if (hint?.maxAge === undefined && hint?.inheritMaxAge !== true) {
          apply(target?.hint)
          const isLeast = target === undefined ? isRoot : target.hint?.maxAge === undefined
          if (isLeast && usual < least) least = usual
        } else if (target?.hint?.isPrivate === true) isPrivate = true
        if (selection.selectionSet !== undefined) walk(selection.selectionSet, facts.type, false)
      }
    }
    if (!atRoot) {
      const own = this.#facts.type(type)
      apply(own?.hint)
      guard(own?.guard)
      if (own?.hint?.maxAge === undefined && usual < least) least = usual
    }
    walk(this.set, type, atRoot)
    return {
      maxAge: met ? least : undefined,
      isPrivate,
      guard: guarded ? { scopes: [...scopes].sort(), perCaller } : undefined,
    }
  }

  /** The possible object types of a response. */
  objectTypes(type: string): ReadonlySet<string> {
    const found = new Set<string>()
    const walk = (set: SelectionSetNode, on: string): void => {
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) {
          const facts = this.#facts.type(on)?.fields.get(selection.name.value)
          if (facts === undefined || selection.selectionSet === undefined) continue
          for (const possible of this.#facts.possibleTypes(facts.type)) found.add(possible)
          found.add(facts.type)
          walk(selection.selectionSet, facts.type)
        } else {
          const inside =
            selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
          if (inside !== undefined) walk(inside.selectionSet, inside.typeCondition?.name.value ?? on)
        }
      }
    }
    walk(this.set, type)
    return found
  }

  /** Visits the value, an object of the type, and all objects in it. */
  visitObjects(value: unknown, type: string, visitObject: VisitObject): void {
    const walk = (at: unknown, set: SelectionSetNode, of: string): void => {
      if (Array.isArray(at)) {
        for (const item of at) walk(item, set, of)
        return
      }
      if (typeof at !== 'object' || at === null) return
      const object = at as Readonly<Record<string, unknown>>
      const named = Object.hasOwn(object, '__typename') ? object.__typename : undefined
      const own = typeof named === 'string' ? named : of
      const fields = this.#fieldsOf(set, own)
      visitObject(own, (name) => {
        const field = fields.find(({ node }) => node.name.value === name && !node.arguments?.length)
        const key = field === undefined ? undefined : responseKey(field.node)
        return key !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
      })
      for (const { node, facts } of fields) {
        const key = responseKey(node)
        if (node.selectionSet !== undefined && facts !== undefined && Object.hasOwn(object, key))
          walk(object[key], node.selectionSet, facts.type)
      }
    }
    walk(value, this.set, type)
  }

  /** The root fields that are selected with these variables, and their arguments. */
  rootFields(
    type: string,
    variables: Variables,
  ): { readonly facts: FieldFacts; readonly args: Readonly<Record<string, unknown>> }[] {
    return this.#fieldsOf(this.set, type).flatMap(({ node, facts }) => {
      if (facts === undefined || !isIncluded(node, variables)) return []
      const given = (node.arguments ?? []).flatMap(({ name, value }) => {
        const found = valueFromASTUntyped(value, { ...variables })
        return found === undefined ? [] : [[name.value, found] as const]
      })
      return [{ facts, args: { ...facts.defaults, ...Object.fromEntries(given) } }]
    })
  }

  /** All fields on objects of the type, through fragments; a fragment on any possible type counts. */
  #fieldsOf(set: SelectionSetNode, type: string): readonly Selected[] {
    let byType = this.#fields.get(set)
    if (byType === undefined) {
      byType = new Map()
      this.#fields.set(set, byType)
    }
    let fields = byType.get(type)
    if (fields === undefined) {
      fields = this.#collect(set, type, type)
      byType.set(type, fields)
    }
    return fields
  }

  #collect(set: SelectionSetNode, type: string, on: string): Selected[] {
    return set.selections.flatMap((selection): Selected[] => {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value
        const facts = this.#facts.type(type)?.fields.get(name) ?? this.#facts.type(on)?.fields.get(name)
        return [{ node: selection, facts }]
      }
      const inside =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
      if (inside === undefined) return []
      const condition = inside.typeCondition?.name.value ?? on
      const applies =
        condition === type ||
        condition === on ||
        this.#facts.possibleTypes(condition).includes(type) ||
        // The type may be an interface here, and some of its objects have the fragment's type.
        this.#facts.possibleTypes(type).includes(condition)
      return applies ? this.#collect(inside.selectionSet, type, condition) : []
    })
  }
}
