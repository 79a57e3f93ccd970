/** Prints JSON like `JSON.stringify(value, null, 2)`, with the places of some of its parts in the text. Pure. */
import type { Path } from './pieces.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

export interface Printed {
  readonly text: string
  /** The place of each requested path that exists, in the order of the text. It includes the key. */
  readonly spans: readonly Span[]
}

type Wanted = Map<string, { isWanted: boolean; readonly below: Wanted }>

/** `paths` are relative to `value`. */
export function printWithPlaces(value: unknown, paths: readonly Path[]): Printed {
  const root: Wanted = new Map()
  let isRootWanted = false
  for (const path of paths) {
    if (path.length === 0) isRootWanted = true
    let level = root
    for (const [index, key] of path.entries()) {
      const entry = level.get(String(key)) ?? { isWanted: false, below: new Map() }
      level.set(String(key), entry)
      if (index === path.length - 1) entry.isWanted = true
      level = entry.below
    }
  }
  const out: string[] = []
  const spans: Span[] = []
  let length = 0
  const write = (text: string): void => {
    out.push(text)
    length += text.length
  }
  const print = (item: unknown, indent: string, wanted: Wanted | undefined): void => {
    // If no part of it is requested, it is printed in one step.
    if (wanted === undefined || wanted.size === 0 || typeof item !== 'object' || item === null) {
      write((JSON.stringify(item, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`))
      return
    }
    const isList = Array.isArray(item)
    const entries = Object.entries(item).filter(([, each]) => isList || each !== undefined)
    if (entries.length === 0) {
      write(isList ? '[]' : '{}')
      return
    }
    write(isList ? '[' : '{')
    for (const [index, [key, each]] of entries.entries()) {
      const inner = `${indent}  `
      write(`${index === 0 ? '' : ','}\n${inner}`)
      const entry = wanted.get(key)
      const from = length
      if (!isList) write(`${JSON.stringify(key)}: `)
      const at = spans.length
      print(each, inner, entry?.below)
      if (entry?.isWanted === true) spans.splice(at, 0, { from, to: length })
    }
    write(`\n${indent}${isList ? ']' : '}'}`)
  }
  print(value, '', root)
  return {
    text: out.join(''),
    spans: isRootWanted ? [{ from: 0, to: length }, ...spans] : spans,
  }
}
