/** Fields of representations. */
import type { RequiredField } from '../output/nodes.ts'

export const typenameField: RequiredField = {
  key: '__typename',
  name: '__typename',
  types: undefined,
  fields: undefined,
}

/** Merges fields that are required several times, with their nested fields. */
export function mergeRequired(fields: readonly RequiredField[]): RequiredField[] {
  const merged: RequiredField[] = []
  for (const field of fields) {
    const at = merged.findIndex(
      ({ key, name, types }) =>
        key === field.key && name === field.name && types?.join() === field.types?.join(),
    )
    const known = merged[at]
    if (known === undefined) merged.push(field)
    else if (known.fields !== undefined)
      merged[at] = { ...known, fields: mergeRequired([...known.fields, ...(field.fields ?? [])]) }
  }
  return merged
}
