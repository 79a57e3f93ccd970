/**
 * Estimates what a field would add to a draft: its stage, and the additional fetches and fields. The needs of a
 * lookup are estimated separately, so a fetch that two of them need counts twice. Estimates only compare options; an
 * attempt counts its true cost.
 */

import type { Field } from '../graph/position.ts'
import type { Draft } from './draft.ts'
import type { LookupOption, Option, Options } from './field-options.ts'
import type { FindRequirements } from './requirements.ts'

export interface Estimate {
  readonly stage: number
  readonly fetches: number
  readonly fields: number
}

interface EstimatorOptions {
  readonly options: Options
  readonly requirements: FindRequirements
  readonly draft: Draft
  readonly step: () => void
}

/** A field, in any subgraph or in a given one. */
interface Question {
  readonly key: number
  readonly field: Field
  readonly only: number | undefined
}

/** Questions that are nested deeper than this count as dead ends. */
const mostDepth = 200
/** Fields below this many others are estimated from the root down. */
const deep = 50
/** Greater than the number of subgraphs. */
const graphNumbers = 4096

/**
 * Fields can need each other in a circle: the key of one subgraph is in a second, whose key is in the first. A field
 * has no estimate while it is being estimated. Questions that met such a field are estimated again when the whole
 * circle has been seen, until none becomes cheaper. The time is therefore polynomial in the number of circles.
 */
export class Estimator {
  readonly #source: EstimatorOptions
  readonly #draft: Draft
  /** Undefined: it leads to no plan. */
  readonly #known = new Map<number, Estimate | undefined>()
  #knownSince = -1
  /** The depth of each question that is being answered. */
  readonly #underWay = new Map<number, number>()
  /** Answers that lack one of those, with the depth of the outermost missing one. */
  readonly #tainted = new Map<number, number>()
  /** The questions with such answers, inner ones first. */
  readonly #circles: Question[] = []
  #outermost = Number.POSITIVE_INFINITY

  constructor(source: EstimatorOptions) {
    this.#source = source
    this.#draft = source.draft
  }

  /** Undefined if the option leads to no plan. */
  option(field: Field, option: Option): Estimate | undefined {
    if (this.#knownSince !== this.#draft.changes) {
      this.#known.clear()
      this.#knownSince = this.#draft.changes
    }
    this.#estimateAncestors(field)
    return this.#ofOption(field, option)
  }

  /** The best estimate of a field, in any subgraph or in a given one. */
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
      if (this.#outermost >= depth) this.#estimateCircle(before)
      const isWhole = this.#outermost >= depth
      for (const each of isWhole ? this.#circles.splice(before) : this.#circles.slice(before)) {
        if (isWhole) this.#tainted.delete(each.key)
        else this.#tainted.set(each.key, this.#outermost)
      }
    }
    this.#outermost = Math.min(outer, this.#outermost < depth ? this.#outermost : outer)
    return this.#known.get(key)
  }

  /** Estimates the questions of a circle again until none becomes cheaper. */
  #estimateCircle(first: number): void {
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
    this.#source.step()
    const here = this.#draft.existing(field, only)
    if (here !== undefined) return { stage: here.group.stage, fetches: 0, fields: 1 + here.group.stage }
    if (this.#underWay.size > mostDepth) return undefined
    let best: Estimate | undefined
    for (const option of this.#source.options.of(field)) {
      if (only !== undefined && option.graph !== only) continue
      const estimate = this.#ofOption(field, option)
      if (estimate !== undefined && (best === undefined || isEarlier(estimate, best))) best = estimate
      // Nothing is cheaper than an option without a fetch at the first stage.
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
    const required = this.#source.requirements(field, option)
    if (required?.all.every(add) !== true) return undefined
    const isNew = this.#draft.isNewFetch(option.graph, stage + 1)
    return { stage: stage + 1, fetches: fetches + (isNew ? 1 : 0), fields: fields + stage + 1 }
  }

  /** Estimates the ancestors of a deep field from the root down, so that their questions do not nest. */
  #estimateAncestors({ at }: Field): void {
    const above: Field[] = []
    for (let from = at.field; from !== undefined; from = from.at.field) above.push(from)
    if (above.length < deep) return
    for (const field of above.reverse()) {
      this.#ofField(field, undefined)
      for (const candidate of field.candidates) this.#ofField(field, candidate.graph)
    }
  }
}

/** A field that others wait for should come early, and cost little beyond that. */
export function isEarlier(a: Estimate, b: Estimate): boolean {
  if (a.stage !== b.stage) return a.stage < b.stage
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  return a.fields < b.fields
}

/** A field that is only selected may come as late as the plan is long anyway. */
export function isCheaper(a: Estimate, b: Estimate, stages: number): boolean {
  const [late, other] = [Math.max(a.stage + 1, stages), Math.max(b.stage + 1, stages)]
  if (late !== other) return late < other
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  if (a.fields !== b.fields) return a.fields < b.fields
  return a.stage < b.stage
}
