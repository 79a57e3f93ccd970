/** Follows paths of the response through its shape. */
import type { FieldShape, ResponsePosition, ValueShape } from './shape.ts'

export type Path = readonly (string | number)[]

/** A delivery group with the path of its object, or a streamed list with its own path. */
export interface Owner {
  readonly name: string
  readonly path: Path
}

/**
 * The path of an error, cut to fields that the client selected: a subgraph may fail at a field that only the gateway
 * requested.
 */
export function visiblePath(root: ResponsePosition, path: Path): Path {
  return pathWithin({ kind: 'object', position: root }, path)
}

/** The path as far as it leads through selected fields of the value. It does not go through lists without positions. */
export function pathWithin<Step extends string | number>(
  value: ValueShape,
  path: readonly Step[],
): readonly Step[] {
  let values: readonly ValueShape[] = [value]
  for (const [at, step] of path.entries()) {
    values = valuesAfter(values, step).values
    if (values.length === 0) return path.slice(0, at)
  }
  return path
}

/** The innermost delivery group or streamed list that the path belongs to. Undefined for the first response. */
export function ownerOf(root: ResponsePosition, path: Path): Owner | undefined {
  let owner: Owner | undefined
  let values: readonly ValueShape[] = [{ kind: 'object', position: root }]
  for (const [at, step] of path.entries()) {
    const { field, values: below } = valuesAfter(values, step)
    if (below.length === 0) return owner
    values = below
    if (field === undefined) continue
    const { deliveryGroup, list } = field
    if (deliveryGroup !== undefined) owner = { name: deliveryGroup, path: path.slice(0, at) }
    const index = path[at + 1]
    if (list !== undefined && typeof index === 'number' && index >= list.initialCount)
      owner = { name: list.name, path: path.slice(0, at + 1) }
  }
  return owner
}

/** The values to which a step leads, for all possible types, and the first field that it may select. */
function valuesAfter(
  values: readonly ValueShape[],
  step: string | number,
): { readonly field?: FieldShape | undefined; readonly values: readonly ValueShape[] } {
  if (typeof step === 'number')
    return { values: values.flatMap((value) => (value.kind === 'list' ? [value.item] : [])) }
  const fields = values.flatMap((value) => (value.kind === 'object' ? fieldsNamed(value.position, step) : []))
  return { field: fields[0], values: fields.map(({ value }) => value) }
}

function fieldsNamed(position: ResponsePosition, key: string): FieldShape[] {
  return position.possible.flatMap((type) =>
    (position.for(type)?.fields ?? []).filter((field) => field.key === key),
  )
}
