/**
 * Cuts paths of errors to fields that the client selected, because a subgraph may fail at a field that only the
 * gateway requested.
 */
import type { ResponsePosition, ValueShape } from './shape.ts'

export function visiblePath(
  root: ResponsePosition,
  path: readonly (string | number)[],
): readonly (string | number)[] {
  let values: readonly ValueShape[] = [{ kind: 'object', position: root }]
  for (let i = 0; i < path.length; i++) {
    const step = path[i]
    const below =
      typeof step === 'number'
        ? values.flatMap((value) => (value.kind === 'list' ? [value.item] : []))
        : values.flatMap((value) => (value.kind === 'object' ? fieldsNamed(value.position, step) : []))
    if (below.length === 0) return path.slice(0, i)
    values = below
  }
  return path
}

function fieldsNamed(position: ResponsePosition, key: string | undefined): ValueShape[] {
  return position.possible.flatMap((type) =>
    (position.for(type)?.fields ?? []).flatMap((field) => (field.key === key ? [field.value] : [])),
  )
}
