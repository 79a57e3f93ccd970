/**
 * Label sets: immutable, sorted by name, each with a key. Keys are equal exactly if the sets are. A set is a list
 * of pairs instead of an object, so that a label may have any name.
 */

export interface Labels {
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly key: string
}

export const metricName = '__name__'

/** Pairs with an empty value are dropped, because Prometheus treats them like an absent label. */
export function labelsFrom(pairs: Iterable<readonly [string, string]>): Labels {
  const sorted = [...pairs]
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return { pairs: sorted, key: JSON.stringify(sorted) }
}

export const noLabels = labelsFrom([])

export function labelOf(labels: Labels, name: string): string {
  for (const [candidate, value] of labels.pairs) if (candidate === name) return value
  return ''
}

export function keepLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return labelsFrom(labels.pairs.filter(([name]) => names.has(name)))
}

export function dropLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return labelsFrom(labels.pairs.filter(([name]) => !names.has(name)))
}

/**
 * Keeps or drops labels. The results are remembered, because the same series come at every step of a query.
 */
export function createGrouping(names: readonly string[], keeps: boolean): (labels: Labels) => Labels {
  const set = new Set(keeps ? names : [...names, metricName])
  const known = new WeakMap<Labels, Labels>()
  return (labels) => {
    const group = known.get(labels) ?? (keeps ? keepLabels : dropLabels)(labels, set)
    known.set(labels, group)
    return group
  }
}

export function setLabel(labels: Labels, name: string, value: string): Labels {
  return labelsFrom([...labels.pairs.filter(([candidate]) => candidate !== name), [name, value]])
}

const dropName = createGrouping([], false)

/** The labels without the metric's name, which most functions and operators remove. */
export function withoutName(labels: Labels): Labels {
  return labelOf(labels, metricName) === '' ? labels : dropName(labels)
}

/** The order of a matrix: pair by pair, by name and then by value. A prefix comes first. */
export function compareLabels(a: Labels, b: Labels): number {
  for (const [index, [name, value]] of a.pairs.entries()) {
    const other = b.pairs[index]
    if (other === undefined) return 1
    if (name !== other[0]) return name < other[0] ? -1 : 1
    if (value !== other[1]) return value < other[1] ? -1 : 1
  }
  return a.pairs.length - b.pairs.length
}

/** A label set as in error messages: `{job="api", instance="a"}`. */
export function printLabels(labels: Labels): string {
  return `{${labels.pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')}}`
}
