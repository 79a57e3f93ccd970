/**
 * What remains of each field for a caller to request after refused fields are removed. It decides whether a field stays
 * in the fetched operation.
 */
import type { NormalisedField, Selection as Selected } from '../../../engine/operation/normalised.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Decision } from './decision.ts'
import type { FieldSites } from './field-sites.ts'

/**
 * `wanted`: it selects something that may run. `idle`: it selects nothing of its own, but its absence would be visible.
 * `nothing`: it can be removed.
 */
export type FieldUse = 'wanted' | 'idle' | 'nothing'

const max = (a: FieldUse, b: FieldUse): FieldUse =>
  a === 'wanted' || b === 'wanted' ? 'wanted' : a === 'idle' || b === 'idle' ? 'idle' : 'nothing'

export interface FieldUses {
  field(field: NormalisedField): FieldUse
  /** The use of what a field or an operation selects, whether or not it may run itself. */
  content(of: { readonly selections: readonly Selected[] | undefined }): FieldUse
  decision(field: NormalisedField): Decision
}

export function findFieldUses(
  selection: FieldSites,
  decision: (field: NormalisedField) => Decision,
): FieldUses {
  const fields = new Map<NormalisedField, FieldUse>()
  const isMutation = selection.operation.kind === 'mutation'
  const roots = new Set(selection.operation.selections.map(({ field }) => field))

  const ofField = (field: NormalisedField): FieldUse => getOrInsert(fields, field, fresh)
  const fresh = (field: NormalisedField): FieldUse => {
    const { open, idle } = decision(field)
    if (idle) return 'idle'
    if (open !== undefined && open.length === 0) return 'nothing'
    if (field.selections === undefined) return 'wanted'
    if (content(field) === 'wanted') return 'wanted'
    // A mutation is not run if its whole response is refused.
    const isRun = !(isMutation && roots.has(field))
    return isRun && selection.sites.get(field)?.nonNull === true ? 'idle' : 'nothing'
  }
  const content: FieldUses['content'] = ({ selections = [] }) => {
    let use: FieldUse = 'nothing'
    for (const { field } of selections) use = max(use, ofField(field))
    return use
  }
  return { field: ofField, content, decision }
}
