/** Finds the delivery group or streamed list of a response path. */
import type { FieldShape, ResponsePosition, ValueShape } from './shape.ts'

type Path = readonly (string | number)[]

/**
 * The innermost delivery group with the path of its object, or the innermost streamed list with its own path.
 * Undefined for the first response.
 */
export function ownerOf(
  root: ResponsePosition,
  path: Path,
): { readonly name: string; readonly path: Path } | undefined {
  let owner: { readonly name: string; readonly path: Path } | undefined
  let values: readonly ValueShape[] = [{ kind: 'object', position: root }]
  for (const [at, step] of path.entries()) {
    if (typeof step === 'number') {
      values = values.flatMap((value) => (value.kind === 'list' ? [value.item] : []))
      continue
    }
    const fields = values.flatMap((value) =>
      value.kind === 'object' ? fieldsNamed(value.position, step) : [],
    )
    const [first] = fields
    if (first === undefined) return owner
    const { deliveryGroup, list } = first
    if (deliveryGroup !== undefined) owner = { name: deliveryGroup, path: path.slice(0, at) }
    const index = path[at + 1]
    if (list !== undefined && typeof index === 'number' && index >= list.initialCount)
      owner = { name: list.name, path: path.slice(0, at + 1) }
    values = fields.map(({ value }) => value)
  }
  return owner
}

function fieldsNamed(position: ResponsePosition, key: string): FieldShape[] {
  return position.possible.flatMap((type) =>
    (position.for(type)?.fields ?? []).filter((field) => field.key === key),
  )
}
