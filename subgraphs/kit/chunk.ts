/** `items` in runs of at most `size`, in order. A `size` of Infinity is one run. */
export function chunk<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (items.length === 0) return []
  if (items.length <= size) return [items]
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
