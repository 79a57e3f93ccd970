/**
 * One attempt at a plan: every field of the operation gets a source, which creates the fetches. If a field has
 * several options, the attempt takes the cheapest by estimate, unless other decisions are given. It records the
 * choices for the search.
 */
import { print } from 'graphql'
import { append } from '../../../shared/runtime/maps.ts'
import { type Conjunction, implies } from '../../operation/conditions.ts'
import type { TypeSet, TypeSets } from '../../operation/type-sets.ts'
import type { Graph, SubgraphField } from '../graph/graph.ts'
import type { Field } from '../graph/position.ts'
import type { RequiredField } from '../output/nodes.ts'
import { type Choice, type Cost, deadEnd } from './cost.ts'
import { areChosen, deliveryGroupOf } from './delivery.ts'
import { Draft } from './draft.ts'
import { type Estimate, Estimator, isCheaper, isEarlier } from './estimate.ts'
import type { LookupOption, Option, Options } from './field-options.ts'
import type { ContextUse, FetchGroup, RepresentedTypes } from './groups.ts'
import { mergeRequired, typenameField } from './required.ts'
import type { FindRequirements } from './requirements.ts'
import type { Need, Source } from './sources.ts'

export interface AttemptOptions {
  readonly graph: Graph
  readonly sets: TypeSets
  readonly options: Options
  readonly requirements: FindRequirements
  /** The fields by level: those of the first response, then those of later delivery groups. */
  readonly selected: readonly SelectedFields[]
  /** The option to take at each of the first choices. All others take the cheapest. */
  readonly decisions: readonly number[]
  /** The attempt must cost less than this. */
  readonly bound: Cost | undefined
  /** Whether options that are worse in every respect are tried, too. */
  readonly thorough: boolean
  /** Whether fields of all delivery groups may share fetches. */
  readonly whole?: boolean | undefined
  /** Counts a step. Throws `outOfSteps` if none is left. */
  readonly step: () => void
  /** Receives the choices in the order in which they are met. */
  readonly choices: Choice[]
}

/** The fields that the client selects: leaves in the order in which they get sources, and objects. */
export interface SelectedFields {
  readonly leaves: readonly Field[]
  readonly objects: readonly Field[]
}

export interface Attempt {
  readonly groups: readonly FetchGroup[]
  readonly cost: Cost
}

/** Why a field is requested: the client selects it, it leads to such a field, or another fetch needs it first. */
type Purpose = 'selected' | 'above' | 'needed'

/** An option with its estimate. Undefined: a source that exists already. */
interface Offer {
  readonly option: Option | undefined
  readonly estimate: Estimate
}

/** Makes one attempt, and yields between fields. */
export function attempting(source: AttemptOptions): Generator<undefined, Attempt, undefined> {
  return new PlanAttempt(source).run()
}

class PlanAttempt {
  readonly #source: AttemptOptions
  readonly #draft: Draft
  /** The options that are being taken. An option that needs itself is a dead end. */
  readonly #pending = new Set<string>()
  readonly #estimator: Estimator

  constructor(source: AttemptOptions) {
    this.#source = source
    this.#draft = new Draft(source.graph, source.bound)
    this.#estimator = new Estimator({ ...source, draft: this.#draft })
  }

  *run(): Generator<undefined, Attempt, undefined> {
    for (const { leaves, objects } of this.#source.selected) {
      for (const field of leaves) {
        this.#draft.select(this.#sourceFor(field, undefined, 'selected', field.when), field, field.when)
        yield
      }
      // An object is requested even if nothing of it is selected under the same conditions.
      for (const field of objects) {
        if (this.#draft.isSelected(field, (each) => implies(field.when, each))) continue
        this.#draft.select(this.#sourceFor(field, undefined, 'selected', field.when), field, field.when)
        yield
      }
    }
    return { groups: this.#draft.groups, cost: this.#draft.cost() }
  }

  /** A source that has the field, created if there is none. */
  #sourceFor(field: Field, only: number | undefined, purpose: Purpose, when: Conjunction): Source {
    this.#source.step()
    const deliveryGroup = deliveryGroupOf(when)
    const here = this.#draft.existing(field, only, deliveryGroup)
    const apart =
      purpose === 'needed' || here === undefined ? [] : this.#offersApart(field, only, here, deliveryGroup)
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
    const chosen = this.#choose(this.#source.thorough ? offers : withoutDominated(offers))
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
    for (const option of this.#source.options.of(field)) {
      if ((only !== undefined && option.graph !== only) || this.#pending.has(option.key)) continue
      const estimate = this.#estimator.option(field, option)
      if (estimate !== undefined) offers.push({ option, estimate })
    }
    return offers
  }

  /**
   * The ways to request a field of one delivery group separately from another group's fetch that could have it as
   * well: at the root, or by a lookup of its object.
   */
  #offersApart(field: Field, only: number | undefined, here: Source, deliveryGroup: string): Offer[] {
    // A field that leads to the objects of a later group, but does not belong to it, is not requested again.
    if (
      deliveryGroup === '' ||
      here.group.deliveryGroup === deliveryGroup ||
      this.#source.whole === true ||
      deliveryGroupOf(field.when) !== deliveryGroup ||
      areChosen(field.at, here.group)
    )
      return []
    const offers: Offer[] = []
    for (const option of this.#source.options.of(field)) {
      if (option.kind === 'above' || (only !== undefined && option.graph !== only)) continue
      if (option.kind === 'root' && field.at.field !== undefined) continue
      const estimate = this.#estimator.option(field, option)
      if (estimate !== undefined) offers.push({ option, estimate })
    }
    return offers
  }

  #choose(offers: readonly Offer[]): Offer | undefined {
    if (offers.length < 2) return offers[0]
    const taken = Math.min(this.#source.decisions[this.#source.choices.length] ?? 0, offers.length - 1)
    this.#source.choices.push({ taken, count: offers.length })
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
        return this.#draft.existing(field, option.graph, deliveryGroupOf(when))
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
        this.#draft.existing(at.field, undefined, deliveryGroupOf(when)) ??
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
        representations: [],
        contexts: [],
        deliveryGroup: deliveryGroupOf(when),
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
    const required = this.#source.requirements(field, option)
    if (required === undefined) throw deadEnd
    const representations: RepresentedTypes[] = []
    const byKey: RepresentedTypes[] = []
    for (const { names, types, key, others } of required.keys) {
      const isAll = option.as !== undefined && names.length === field.types.names.length
      const represented = { types: isAll ? undefined : types, typename: option.as?.name }
      const ofKey = key.map((each) => need(each, types, true))
      byKey.push({ ...represented, fields: mergeRequired(ofKey) })
      const all = [...ofKey, ...others.map((each) => need(each, types, false))]
      representations.push({ ...represented, fields: mergeRequired(all) })
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
      append(contexts, of, use)
    }
    const { views, types, isWhole } = lookedUp(this.#source.sets, field, option)
    const requires = new Set([...option.requires.values()].map(({ text }) => text))
    return this.#draft.addFetch(
      at,
      {
        kind: 'entities',
        graph: option.graph,
        types: isWhole ? undefined : types,
        as: option.as,
        after,
        representations,
        byKey: afterKey.size === after.size ? undefined : { representations: byKey, after: afterKey },
        contexts: [...contexts.values()].flat(),
        deliveryGroup: deliveryGroupOf(when),
      },
      { views, types, needs, requires, contexts },
    )
  }
}

/** The objects that a lookup returns, and the subgraph's types for them. */
function lookedUp(sets: TypeSets, field: Field, option: LookupOption) {
  // A lookup by an interface's name looks up every object at the position, whatever its type.
  if (option.as !== undefined && !option.as.interfaceObject) {
    const types = sets.within(field.at.types, new Set(option.views.keys()))
    return { views: option.views, types, isWhole: true }
  }
  const views = new Map([...option.views].filter(([type]) => field.types.has(type)))
  return { views, types: field.types, isWhole: field.types === field.at.types }
}

/** Removes options that another one beats in stages or fetches without being worse in the other. */
function withoutDominated(offers: readonly Offer[]): readonly Offer[] {
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
