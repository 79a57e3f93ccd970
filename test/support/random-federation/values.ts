/** Values drawn from a hash: the same words give the same value, wherever it is drawn and in whatever order. */

/** 32 bits of a text: FNV-1a with a finish that spreads them. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  return `{${Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
    .join(',')}}`
}

/** A value of a built-in or custom scalar. */
export function scalarValue(type: string, key: string): unknown {
  const hash = hashOf(key)
  switch (type) {
    case 'Int':
      return hash % 1000
    case 'Float':
      return (hash % 1000) + 0.5
    case 'Boolean':
      return hash % 2 === 0
    case 'String':
    case 'ID':
      return `s${hash.toString(36)}`
    default:
      return [`c${hash.toString(36)}`, hash % 100, { deep: [hash % 10, null] }, [hash % 7]][hash % 4]
  }
}
