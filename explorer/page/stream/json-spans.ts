/** Prints JSON like `JSON.stringify(value, null, 2)`, with the places of some of its parts in the text. Pure. */
import type { Path } from './incremental-response.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

interface Printed {
  readonly text: string
  /** The place of each requested path that exists, in the order of the text. It includes the key. */
  readonly spans: readonly Span[]
}

/** `paths` are relative to `value`. */
export function printWithSpans(value: unknown, paths: readonly Path[]): Printed {
  const out: string[] = []
  const spans: Span[] = []
  let length = 0
  const write = (text: string): void => {
    out.push(text)
    length += text.length
  }
  const print = (item: unknown, indent: string, wanted: readonly Path[]): void => {
    const inside = wanted.filter((path) => path.length > 0)
    // If no part of it is requested, it is printed in one step.
    if (inside.length === 0 || typeof item !== 'object' || item === null) {
      write((JSON.stringify(item, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`))
      return
    }
    const isList = Array.isArray(item)
    const entries = Object.entries(item).filter(([, each]) => isList || each !== undefined)
    if (entries.length === 0) {
      write(isList ? '[]' : '{}')
      return
    }
    const byKey = Map.groupBy(inside, ([key]) => String(key))
    const inner = `${indent}  `
    write(isList ? '[' : '{')
    for (const [index, [key, each]] of entries.entries()) {
      write(`${index === 0 ? '' : ','}\n${inner}`)
      const below = (byKey.get(key) ?? []).map((path) => path.slice(1))
      const from = length
      if (!isList) write(`${JSON.stringify(key)}: `)
      const at = spans.length
      print(each, inner, below)
      if (below.some((path) => path.length === 0)) spans.splice(at, 0, { from, to: length })
    }
    write(`\n${indent}${isList ? ']' : '}'}`)
  }
  print(value, '', paths)
  const isWhole = paths.some((path) => path.length === 0)
  return { text: out.join(''), spans: isWhole ? [{ from: 0, to: length }, ...spans] : spans }
}
