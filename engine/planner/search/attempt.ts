/**
 * One attempt at a plan: every field of the operation gets a source, and with it the fetches come into being. If
 * there are several options it takes the one that looks cheapest, unless it is given other decisions; the options
 * that it did not take are noted for the search.
 */
import { print } from 'graphql'
import { type Conjunction, implies } from '../../operation/conditions.ts'
import type { TypeSet, TypeSets } from '../../operation/type-sets.ts'
import type { Graph, SubgraphField } from '../graph/graph.ts'
import type { Field } from '../graph/position.ts'
import type { RequiredField } from '../output/nodes.ts'
import { type Choice, type Cost, deadEnd } from './cost.ts'
import { createDraft } from './draft.ts'
import { createEstimator, type Estimate, isCheaper, isEarlier } from './estimate.ts'
import type { ContextUse, FetchGroup, Part } from './groups.ts'
import type { LookupOption, Option, Options } from './options.ts'
import { partOf } from './parts.ts'
import { mergeRequired, typenameField } from './required.ts'
import type { RequirementsFinder } from './requirements.ts'
import type { Need, Source } from './sources.ts'

export interface AttemptOptions {
  readonly graph: Graph
  readonly sets: TypeSets
  readonly options: Options
  readonly requirements: RequirementsFinder
  /** What comes first before the parts that may come later. */
  readonly selected: readonly SelectedFields[]
  /** Which option is taken at the first choices; the cheapest at all others. */
  readonly decisions: readonly number[]
  /** What it must cost less than. */
  readonly bound: Cost | undefined
  /** Whether options that look worse in every respect are choices, too. */
  readonly thorough: boolean
  /** Whether fields of all parts of the operation may be asked for together. */
  readonly whole?: boolean | undefined
  /** Counts the steps; throws `outOfSteps` if there are no more. */
  readonly step: () => void
  /** Takes the choices that were met, as they are met. */
  readonly choices: Choice[]
}

/** Every field that the client selects: leaves in the order in which they get sources, and objects. */
export interface SelectedFields {
  readonly leaves: readonly Field[]
  readonly objects: readonly Field[]
}

export interface Attempt {
  readonly groups: readonly FetchGroup[]
  readonly cost: Cost
}

/**
 * Whether the client selects a field, it leads to what the client selects, or something else of the plan has to have it
 * before.
 */
type Purpose = 'selected' | 'above' | 'needed'

/** An option and what it would cost; no option is a source that exists. */
interface Offer {
  readonly option: Option | undefined
  readonly estimate: Estimate
}

/** Yields between fields. */
export function attempting(source: AttemptOptions): Generator<undefined, Attempt, undefined> {
  return new PlanAttempt(source).run()
}

class PlanAttempt {
  readonly #sets: TypeSets
  readonly #options: Options
  readonly #requirements: RequirementsFinder
  readonly #selected: readonly SelectedFields[]
  readonly #decisions: readonly number[]
  readonly #thorough: boolean
  readonly #step: () => void
  readonly #choices: Choice[]
  readonly #whole: boolean
  readonly #draft
  /** The options that are being taken, each with what it needs: one that needs itself leads nowhere. */
  readonly #pending = new Set<string>()
  readonly #estimator

  constructor(source: AttemptOptions) {
    const { graph, sets, options, requirements, selected, decisions, bound, thorough, step, choices } = source
    this.#sets = sets
    this.#options = options
    this.#requirements = requirements
    this.#selected = selected
    this.#decisions = decisions
    this.#thorough = thorough
    this.#step = step
    this.#choices = choices
    const { whole = false } = source
    this.#whole = whole
    this.#draft = createDraft(graph, bound)
    this.#estimator = createEstimator({
      options: this.#options,
      requirements: this.#requirements,
      draft: this.#draft,
      step: this.#step,
    })
  }

  *run(): Generator<undefined, Attempt, undefined> {
    for (const { leaves, objects } of this.#selected) {
      for (const field of leaves) {
        this.#draft.select(this.#sourceFor(field, undefined, 'selected', field.when), field, field.when)
        yield
      }
      // An object is there even if nothing of it is selected under the same conditions.
      for (const field of objects) {
        if (this.#draft.isSelected(field, (each) => implies(field.when, each))) continue
        this.#draft.select(this.#sourceFor(field, undefined, 'selected', field.when), field, field.when)
        yield
      }
    }
    return { groups: this.#draft.groups, cost: this.#draft.cost() }
  }

  /** A source in which the field can be asked for, made if there is none. */
  #sourceFor(field: Field, only: number | undefined, purpose: Purpose, when: Conjunction): Source {
    this.#step()
    const part = partOf(when)
    const here = this.#draft.existing(field, only, part)
    const apart = purpose === 'needed' || here === undefined ? [] : this.#offersApart(field, only, here, part)
    if (apart.length === 0 && here !== undefined && (purpose === 'selected' || here.group.stage === 0))
      return here
    const offers = apart.length > 0 ? apart : this.#offersFor(field, only, here)
    if (offers.length > 1) {
      const { stages } = this.#draft.cost()
      const isBetter =
        purpose === 'selected' ? (a: Estimate, b: Estimate): boolean => isCheaper(a, b, stages) : isEarlier
      offers.sort((a, b) =>
        isBetter(a.estimate, b.estimate) ? -1 : isBetter(b.estimate, a.estimate) ? 1 : 0,
      )
    }
    const chosen = this.#choose(this.#thorough ? offers : worthwhile(offers))
    const source = chosen?.option === undefined ? here : this.#take(field, chosen.option, when)
    if (source === undefined) throw deadEnd
    return source
  }

  #offersFor(field: Field, only: number | undefined, here: Source | undefined): Offer[] {
    const offers: Offer[] = []
    if (here !== undefined) {
      const { stage } = here.group
      offers.push({ option: undefined, estimate: { stage, fetches: 0, fields: 1 + stage } })
    }
    for (const option of this.#options.of(field)) {
      if ((only !== undefined && option.graph !== only) || this.#pending.has(option.key)) continue
      const estimate = this.#estimator.option(field, option)
      if (estimate !== undefined) offers.push({ option, estimate })
    }
    return offers
  }

  /**
   * The ways to ask for a field of one part of the operation apart from another part's fetch, in which it could be
   * asked for as well: at the root, or by a look-up of its object.
   */
  #offersApart(field: Field, only: number | undefined, here: Source, part: string): Offer[] {
    // What leads to the objects of a later part without being of it itself is not asked for again.
    if (part === '' || here.group.part === part || this.#whole || partOf(field.when) !== part) return []
    const offers: Offer[] = []
    for (const option of this.#options.of(field)) {
      if (option.kind === 'above' || (only !== undefined && option.graph !== only)) continue
      if (option.kind === 'root' && field.at.field !== undefined) continue
      const estimate = this.#estimator.option(field, option)
      if (estimate !== undefined) offers.push({ option, estimate })
    }
    return offers
  }

  #choose(offers: readonly Offer[]): Offer | undefined {
    if (offers.length < 2) return offers[0]
    const taken = Math.min(this.#decisions[this.#choices.length] ?? 0, offers.length - 1)
    this.#choices.push({ taken, count: offers.length })
    return offers[taken]
  }

  #take(field: Field, option: Option, when: Conjunction): Source | undefined {
    if (this.#pending.has(option.key)) throw deadEnd
    this.#pending.add(option.key)
    const source = this.#takeOption(field, option, when)
    this.#pending.delete(option.key)
    return source
  }

  #takeOption(field: Field, option: Option, when: Conjunction): Source | undefined {
    switch (option.kind) {
      case 'above': {
        const above = this.#sourceFor(option.above, option.graph, 'above', when)
        this.#draft.select(above, option.above, when)
        return this.#draft.existing(field, option.graph, partOf(when))
      }
      case 'root':
        return this.#takeRoot(field, option.graph, when)
      case 'lookup':
        return this.#takeLookup(field, option, when)
    }
  }

  #takeRoot({ at, candidates }: Field, index: number, when: Conjunction): Source {
    const after = new Set<FetchGroup>()
    const needs: Need[] = []
    if (at.field !== undefined) {
      const source =
        this.#draft.existing(at.field, undefined, partOf(when)) ??
        this.#sourceFor(at.field, undefined, 'needed', when)
      this.#draft.select(source, at.field, when)
      after.add(source.group)
      needs.push({ source, field: at.field })
    }
    const [type = ''] = at.types.names
    const as = candidates.find((each) => each.graph === index)?.views.get(type)
    const views = new Map(as === undefined ? [] : [[type, as]])
    const lookup = { views, types: at.types, needs, requires: new Set<string>(), contexts: new Map() }
    return this.#draft.addFetch(
      at,
      {
        kind: 'root',
        graph: index,
        types: undefined,
        as,
        after,
        parts: [],
        contexts: [],
        part: partOf(when),
      },
      at.field === undefined ? undefined : lookup,
    )
  }

  #takeLookup(field: Field, option: LookupOption, when: Conjunction): Source {
    const { at } = field
    const after = new Set<FetchGroup>()
    const afterKey = new Set<FetchGroup>()
    const needs: Need[] = []
    const need = (needed: Field, on: TypeSet, ofKey: boolean): RequiredField => {
      const { key, name, below } = needed
      const types = needed.types === on ? undefined : needed.types.names
      if (below !== undefined && below.fields.length > 0) {
        const inside = below.fields.map((each) => need(each, below.types, ofKey))
        return { key, name, types, fields: below.abstract ? [typenameField, ...inside] : inside }
      }
      const source = this.#sourceFor(needed, undefined, 'needed', when)
      this.#draft.select(source, needed, when)
      after.add(source.group)
      if (ofKey) afterKey.add(source.group)
      needs.push({ source, field: needed })
      return { key, name, types, fields: below === undefined ? undefined : [] }
    }
    const required = this.#requirements.of(field, option)
    if (required === undefined) throw deadEnd
    const parts: Part[] = []
    const byKey: Part[] = []
    for (const { names, types, key, others } of required.keys) {
      const isAll = option.as !== undefined && names.length === field.types.names.length
      const part = { types: isAll ? undefined : types, typename: option.as?.name }
      const ofKey = key.map((each) => need(each, types, true))
      byKey.push({ ...part, fields: mergeRequired(ofKey) })
      const all = [...ofKey, ...others.map((each) => need(each, types, false))]
      parts.push({ ...part, fields: mergeRequired(all) })
    }
    for (const each of required.typename) need(each, each.types, true)
    const contexts = new Map<SubgraphField, ContextUse[]>()
    for (const { of, argument, from, fields } of required.contexts) {
      const use: ContextUse = {
        argument: argument.argument,
        variable: `context_${argument.argument}`,
        type: print(argument.type),
        from,
        fields: fields.map((each) => need(each, from.types, true)),
      }
      contexts.set(of, [...(contexts.get(of) ?? []), use])
    }
    const { views, types, isWhole } = lookedUp(this.#sets, field, option)
    const requires = new Set([...option.requires.values()].map(({ text }) => text))
    return this.#draft.addFetch(
      at,
      {
        kind: 'entities',
        graph: option.graph,
        types: isWhole ? undefined : types,
        as: option.as,
        after,
        parts,
        byKey: afterKey.size === after.size ? undefined : { parts: byKey, after: afterKey },
        contexts: [...contexts.values()].flat(),
        part: partOf(when),
      },
      { views, types, needs, requires, contexts },
    )
  }
}

/** The objects that a look-up brings, and how its subgraph sees them. */
function lookedUp(sets: TypeSets, field: Field, option: LookupOption) {
  // Under an interface's name every object at the position is looked up, whatever its type.
  if (option.as !== undefined && !option.as.interfaceObject) {
    const types = sets.within(field.at.types, new Set(option.views.keys()))
    return { views: option.views, types, isWhole: true }
  }
  const views = new Map([...option.views].filter(([type]) => field.types.has(type)))
  return { views, types: field.types, isWhole: field.types === field.at.types }
}

/** Without options that another beats in stage or fetches, and is worse than in neither. */
function worthwhile(offers: readonly Offer[]): readonly Offer[] {
  if (offers.length < 2) return offers
  const kept: Offer[] = []
  for (const each of offers) {
    const isBeaten = kept.some(
      ({ option, estimate }) =>
        estimate.stage <= each.estimate.stage &&
        estimate.fetches <= each.estimate.fetches &&
        (estimate.fetches === 0 ||
          estimate.stage < each.estimate.stage ||
          estimate.fetches < each.estimate.fetches ||
          (option?.graph === each.option?.graph && option?.kind === each.option?.kind)),
    )
    if (!isBeaten) kept.push(each)
  }
  return kept
}
