/**
 * What a field would cost as a draft stands: at which stage it would come, and how many fetches and fields more. An
 * estimate looks at each part by itself, so that two parts which need the same fetch count it twice; it serves to
 * compare options, and an attempt's true cost is counted while it is made.
 */
import { DeadEnd } from './cost.ts'
import type { Draft } from './draft.ts'
import type { LookupOption, Option, Options } from './options.ts'
import type { Field } from './position.ts'
import type { RequirementsFinder } from './requirements.ts'

export interface Estimate {
  readonly stage: number
  readonly fetches: number
  readonly fields: number
}

export interface Estimator {
  /** Undefined where the option leads nowhere. */
  option(field: Field, option: Option): Estimate | undefined
}

export interface EstimatorOptions {
  readonly options: Options
  readonly requirements: RequirementsFinder
  readonly draft: Draft
  /** The options that are under way: one that needs itself leads nowhere. */
  readonly pending: Set<string>
  readonly step: () => void
}

const mostDepth = 200
/** More than there are subgraphs. */
const graphNumbers = 4096

export function createEstimator(source: EstimatorOptions): Estimator {
  const { options, requirements, draft, pending, step } = source
  const known = new Map<number, Estimate | undefined>()
  let knownSince = -1
  /** Whether an option was left out because it is under way. */
  let isCut = false

  /** Of a field, at best; in one subgraph, if one is given. */
  function ofField(field: Field, only: number | undefined, depth: number): Estimate | undefined {
    if (knownSince !== draft.changes) {
      known.clear()
      knownSince = draft.changes
    }
    const key = only === undefined ? field.id * graphNumbers : field.id * graphNumbers + only + 1
    const before = known.get(key)
    if (before !== undefined || known.has(key)) return before
    const outer = isCut
    isCut = false
    const found = bestOf(field, only, depth)
    // That nothing was found says nothing where an option was left out.
    if (found !== undefined || !isCut) known.set(key, found)
    isCut ||= outer
    return found
  }

  function bestOf(field: Field, only: number | undefined, depth: number): Estimate | undefined {
    step()
    const here = draft.existing(field, only)
    if (here !== undefined) return { stage: here.group.stage, fetches: 0, fields: 1 + here.group.stage }
    if (depth > mostDepth) {
      isCut = true
      return undefined
    }
    let best: Estimate | undefined
    for (const option of options.of(field)) {
      if (only !== undefined && option.graph !== only) continue
      const estimate = ofOption(field, option, depth)
      if (estimate !== undefined && (best === undefined || isEarlier(estimate, best))) best = estimate
      // One that costs no fetch and comes first cannot be beaten.
      if (best !== undefined && best.fetches === 0 && best.stage === 0) break
    }
    return best
  }

  function ofOption(field: Field, option: Option, depth: number): Estimate | undefined {
    if (pending.has(option.key)) {
      isCut = true
      return undefined
    }
    pending.add(option.key)
    try {
      switch (option.kind) {
        case 'above': {
          const above = ofField(option.above, option.graph, depth + 1)
          return above === undefined ? undefined : { ...above, fields: above.fields + 1 + above.stage }
        }
        case 'root':
          return ofRoot(field, option.graph, depth)
        case 'lookup':
          return ofLookup(field, option, depth)
      }
    } finally {
      pending.delete(option.key)
    }
  }

  function ofRoot({ at }: Field, index: number, depth: number): Estimate | undefined {
    if (at.field === undefined) {
      const isNew = draft.isNewFetch(index, 0, at)
      return { stage: 0, fetches: isNew ? 1 : 0, fields: 1 }
    }
    const after = ofField(at.field, undefined, depth + 1)
    if (after === undefined) return undefined
    const isNew = draft.isNewFetch(index, after.stage + 1, at)
    return { stage: after.stage + 1, fetches: after.fetches + (isNew ? 1 : 0), fields: after.fields + 1 }
  }

  function ofLookup(field: Field, option: LookupOption, depth: number): Estimate | undefined {
    let stage = 0
    let fetches = 0
    let fields = 1
    const add = (needed: Field): boolean => {
      if (needed.below !== undefined && needed.below.fields.length > 0) return needed.below.fields.every(add)
      const estimate = ofField(needed, undefined, depth + 1)
      if (estimate === undefined) return false
      stage = Math.max(stage, estimate.stage)
      fetches += estimate.fetches
      fields += estimate.fields
      return true
    }
    const { keys, typename, contexts } = requirements.of(field, option)
    for (const each of keys) for (const needed of each.fields) if (!add(needed)) return undefined
    for (const needed of typename) if (!add(needed)) return undefined
    for (const each of contexts) for (const needed of each.fields) if (!add(needed)) return undefined
    const isNew = draft.isNewFetch(option.graph, stage + 1)
    return { stage: stage + 1, fetches: fetches + (isNew ? 1 : 0), fields: fields + stage + 1 }
  }

  return {
    option(field, option) {
      try {
        return ofOption(field, option, 0)
      } catch (error) {
        if (error instanceof DeadEnd) return undefined
        throw error
      }
    },
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
