/**
 * What remains of each field for a caller to request after refused fields are removed. It decides whether a field stays
 * in the fetched operation.
 */
import type { NormalisedField, Selection as Selected } from '../../../engine/operation/normalised.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Decision } from './decision.ts'
import type { Selection } from './selection.ts'

/**
 * `wanted`: it selects something that may run. `idle`: it selects nothing of its own, but its absence would be visible.
 * `nothing`: it can be removed.
 */
export type Weight = 'wanted' | 'idle' | 'nothing'

const max = (a: Weight, b: Weight): Weight =>
  a === 'wanted' || b === 'wanted' ? 'wanted' : a === 'idle' || b === 'idle' ? 'idle' : 'nothing'

export interface Weights {
  field(field: NormalisedField): Weight
  /** The weight of what a field or an operation selects, whether or not it may run itself. */
  content(of: { readonly selections: readonly Selected[] | undefined }): Weight
  decision(field: NormalisedField): Decision
}

export function weigh(selection: Selection, decision: (field: NormalisedField) => Decision): Weights {
  const fields = new Map<NormalisedField, Weight>()
  const isMutation = selection.operation.kind === 'mutation'
  const roots = new Set(selection.operation.selections.map(({ field }) => field))

  const ofField = (field: NormalisedField): Weight => getOrInsert(fields, field, fresh)
  const fresh = (field: NormalisedField): Weight => {
    const { open, idle } = decision(field)
    if (idle) return 'idle'
    if (open !== undefined && open.length === 0) return 'nothing'
    if (field.selections === undefined) return 'wanted'
    if (content(field) === 'wanted') return 'wanted'
    // A mutation is not run if its whole response is refused.
    const isRun = !(isMutation && roots.has(field))
    return isRun && selection.sites.get(field)?.nonNull === true ? 'idle' : 'nothing'
  }
  const content: Weights['content'] = ({ selections = [] }) => {
    let weight: Weight = 'nothing'
    for (const { field } of selections) weight = max(weight, ofField(field))
    return weight
  }
  return { field: ofField, content, decision }
}
