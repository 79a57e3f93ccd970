/**
 * What a field would cost as a draft stands: at which stage it would come, and how many fetches and fields more. An
 * estimate looks at each part by itself, so that two parts which need the same fetch count it twice; it serves to
 * compare options, and an attempt's true cost is counted while it is made.
 */

import type { Field } from '../graph/position.ts'
import type { Draft } from './draft.ts'
import type { LookupOption, Option, Options } from './options.ts'
import type { RequirementsFinder } from './requirements.ts'

export interface Estimate {
  readonly stage: number
  readonly fetches: number
  readonly fields: number
}

export interface Estimator {
  /** Undefined if the option leads nowhere. */
  option(field: Field, option: Option): Estimate | undefined
}

export interface EstimatorOptions {
  readonly options: Options
  readonly requirements: RequirementsFinder
  readonly draft: Draft
  readonly step: () => void
}

/** A field in all subgraphs or in one. */
interface Question {
  readonly key: number
  readonly field: Field
  readonly only: number | undefined
}

/** After so many questions within each other the rest is taken to lead nowhere. */
const mostDepth = 200
/** What stands below so many fields is asked for from the root on. */
const deep = 50
/** More than there are subgraphs. */
const graphNumbers = 4096

/**
 * Fields can need each other in a circle: the key of one subgraph is in another, whose key is in the first. A field
 * that is met while it is being estimated has no estimate there; those that met one are estimated again when the
 * whole circle has been seen, until none becomes cheaper. So the time is polynomial, however many circles there are.
 */
export function createEstimator(source: EstimatorOptions): Estimator {
  return new CostEstimator(source)
}

class CostEstimator implements Estimator {
  readonly #options: Options
  readonly #requirements: RequirementsFinder
  readonly #draft: Draft
  readonly #step: () => void
  /** Undefined: it leads nowhere. */
  readonly #known = new Map<number, Estimate | undefined>()
  #knownSince = -1
  /** How deep each question stands that is not answered yet. */
  readonly #underWay = new Map<number, number>()
  /** Answers in which one that is under way was missing, and how deep the outermost of those stands. */
  readonly #tainted = new Map<number, number>()
  /** The questions with such answers, inner ones first. */
  readonly #circles: Question[] = []
  #outermost = Number.POSITIVE_INFINITY

  constructor(source: EstimatorOptions) {
    const { options, requirements, draft, step } = source
    this.#options = options
    this.#requirements = requirements
    this.#draft = draft
    this.#step = step
  }

  option(field: Field, option: Option): Estimate | undefined {
    if (this.#knownSince !== this.#draft.changes) {
      this.#known.clear()
      this.#knownSince = this.#draft.changes
    }
    this.#askAbove(field)
    return this.#ofOption(field, option)
  }

  /** Of a field, at best; in one subgraph, if one is given. */
  #ofField(field: Field, only: number | undefined): Estimate | undefined {
    const key = field.id * graphNumbers + (only === undefined ? 0 : only + 1)
    const before = this.#known.get(key)
    if (before !== undefined || this.#known.has(key)) {
      if (this.#tainted.size > 0)
        this.#outermost = Math.min(this.#outermost, this.#tainted.get(key) ?? this.#outermost)
      return before
    }
    const depth = this.#underWay.get(key)
    if (depth !== undefined) {
      this.#outermost = Math.min(this.#outermost, depth)
      return undefined
    }
    return this.#answer({ key, field, only })
  }

  #answer(question: Question): Estimate | undefined {
    const { key } = question
    const depth = this.#underWay.size
    const outer = this.#outermost
    const before = this.#circles.length
    this.#outermost = Number.POSITIVE_INFINITY
    this.#underWay.set(key, depth)
    this.#known.set(key, this.#bestOf(question))
    this.#underWay.delete(key)
    if (this.#outermost < depth || this.#circles.length > before) {
      this.#circles.push(question)
      if (this.#outermost >= depth) this.#settle(before)
      const isWhole = this.#outermost >= depth
      for (const each of isWhole ? this.#circles.splice(before) : this.#circles.slice(before)) {
        if (isWhole) this.#tainted.delete(each.key)
        else this.#tainted.set(each.key, this.#outermost)
      }
    }
    this.#outermost = Math.min(outer, this.#outermost < depth ? this.#outermost : outer)
    return this.#known.get(key)
  }

  /** Estimates those of a circle again, until none becomes cheaper. */
  #settle(first: number): void {
    for (let improved = true; improved; ) {
      improved = false
      for (let i = first; i < this.#circles.length; i++) {
        const question = this.#circles[i] as Question
        const before = this.#known.get(question.key)
        const found = this.#bestOf(question)
        if (found === undefined || (before !== undefined && !isEarlier(found, before))) continue
        this.#known.set(question.key, found)
        improved = true
      }
    }
  }

  #bestOf({ field, only }: Question): Estimate | undefined {
    this.#step()
    const here = this.#draft.existing(field, only)
    if (here !== undefined) return { stage: here.group.stage, fetches: 0, fields: 1 + here.group.stage }
    if (this.#underWay.size > mostDepth) return undefined
    let best: Estimate | undefined
    for (const option of this.#options.of(field)) {
      if (only !== undefined && option.graph !== only) continue
      const estimate = this.#ofOption(field, option)
      if (estimate !== undefined && (best === undefined || isEarlier(estimate, best))) best = estimate
      // One that costs no fetch and comes first cannot be beaten.
      if (best !== undefined && best.fetches === 0 && best.stage === 0) break
    }
    return best
  }

  #ofOption(field: Field, option: Option): Estimate | undefined {
    switch (option.kind) {
      case 'above': {
        const above = this.#ofField(option.above, option.graph)
        return above === undefined ? undefined : { ...above, fields: above.fields + 1 + above.stage }
      }
      case 'root':
        return this.#ofRoot(field, option.graph)
      case 'lookup':
        return this.#ofLookup(field, option)
    }
  }

  #ofRoot({ at }: Field, index: number): Estimate | undefined {
    if (at.field === undefined) {
      const isNew = this.#draft.isNewFetch(index, 0, at)
      return { stage: 0, fetches: isNew ? 1 : 0, fields: 1 }
    }
    const after = this.#ofField(at.field, undefined)
    if (after === undefined) return undefined
    const stage = after.stage + 1
    const isNew = this.#draft.isNewFetch(index, stage, at)
    return { stage, fetches: after.fetches + (isNew ? 1 : 0), fields: after.fields + stage + 1 }
  }

  #ofLookup(field: Field, option: LookupOption): Estimate | undefined {
    let stage = 0
    let fetches = 0
    let fields = 1
    const add = (needed: Field): boolean => {
      if (needed.below !== undefined && needed.below.fields.length > 0) return needed.below.fields.every(add)
      const estimate = this.#ofField(needed, undefined)
      if (estimate === undefined) return false
      stage = Math.max(stage, estimate.stage)
      fetches += estimate.fetches
      fields += estimate.fields
      return true
    }
    const required = this.#requirements.of(field, option)
    if (required === undefined) return undefined
    const { keys, typename, contexts } = required
    for (const { key, others } of keys)
      for (const needed of [...key, ...others]) if (!add(needed)) return undefined
    for (const needed of typename) if (!add(needed)) return undefined
    for (const each of contexts) for (const needed of each.fields) if (!add(needed)) return undefined
    const isNew = this.#draft.isNewFetch(option.graph, stage + 1)
    return { stage: stage + 1, fetches: fetches + (isNew ? 1 : 0), fields: fields + stage + 1 }
  }

  /** Asks for the fields that lead to a deep one, from the root on: so none of them has to be asked within the others. */
  #askAbove({ at }: Field): void {
    const above: Field[] = []
    for (let from = at.field; from !== undefined; from = from.at.field) above.push(from)
    if (above.length < deep) return
    for (const field of above.reverse()) {
      this.#ofField(field, undefined)
      for (const candidate of field.candidates) this.#ofField(field, candidate.graph)
    }
  }
}

/** What others wait for should come early, and cost little after that. */
export function isEarlier(a: Estimate, b: Estimate): boolean {
  if (a.stage !== b.stage) return a.stage < b.stage
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  return a.fields < b.fields
}

/** What is only selected may come as late as the plan is long anyway. */
export function isCheaper(a: Estimate, b: Estimate, stages: number): boolean {
  const [late, other] = [Math.max(a.stage + 1, stages), Math.max(b.stage + 1, stages)]
  if (late !== other) return late < other
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  if (a.fields !== b.fields) return a.fields < b.fields
  return a.stage < b.stage
}
