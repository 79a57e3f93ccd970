/**
 * The YAML file that TESSERA_CONFIG names: variables by name (a list or a mapping may replace what a variable writes as
 * text), and sections (`sections/`). Every fault names the line and column in the file.
 */
import { createRequire } from 'node:module'
import type { Document, Node, Pair } from 'yaml'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { type MissingVariable, withEnvironment } from './sections/environment.ts'
import { sectionFaults } from './sections/faults.ts'
import { noSections, type Sections, sections } from './sections/index.ts'
import { suggestionFor } from './suggestion.ts'
import { variables } from './variables/index.ts'

const require = createRequire(import.meta.url)

/** Loaded with the first file: most processes have none, and the library has seventy modules. */
const yaml = (): typeof import('yaml') => require('yaml') as typeof import('yaml')

export interface ConfigFile {
  /** Each value in the form of a variable. */
  readonly values: Readonly<Record<string, string>>
  readonly sections: Sections
  /** The place of a value: ` (line 3, column 7 of the file in TESSERA_CONFIG)`; empty for a name that is not here. */
  positionOf(...path: readonly (string | number)[]): string
}

export const noFile: ConfigFile = { values: {}, sections: noSections, positionOf: () => '' }

/** A larger file is no configuration. */
const mostBytes = 4_000_000
/** The most faults that are reported, because one bracket too many causes others. */
const mostSyntaxFaults = 20

/** Reads the file, and adds its faults to `faults`. */
export function readConfigFile(
  path: string,
  faults: string[],
  env: Readonly<Record<string, string | undefined>> = {},
): ConfigFile {
  let text: string
  try {
    text = readBoundedSync(path, mostBytes).toString('utf8')
  } catch (error) {
    faults.push(
      `TESSERA_CONFIG: the file cannot be read (${fileFault(error)}); expected the path of a YAML file`,
    )
    return noFile
  }
  const { isMap, isScalar, LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}`
  }
  let document: Document
  try {
    // A value with a tag such as `!!binary` remains text.
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, resolveKnownTags: false })
  } catch {
    // Too deeply nested brackets; any other message may quote the text.
    faults.push('TESSERA_CONFIG: the file is not YAML that can be read (nested too deep)')
    return noFile
  }
  if (document.errors.length > 0) {
    // The parser's message may quote the text, which may have a secret, so its code is translated.
    for (const { code, pos } of document.errors.slice(0, mostSyntaxFaults)) {
      const what = code.toLowerCase().replaceAll('_', ' ')
      faults.push(`TESSERA_CONFIG: the file is not YAML (${what}, ${placeAt(pos[0])})`)
    }
    return noFile
  }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return noFile
  if (!isMap(contents)) {
    faults.push('TESSERA_CONFIG: expected a YAML mapping of variable names and values')
    return noFile
  }
  const inFile = (node: Node | null | undefined): string =>
    ` (${placeAt(node?.range?.[0] ?? 0)} of the file in TESSERA_CONFIG)`
  const values: Record<string, string> = {}
  const given: Record<string, unknown> = {}
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    if (!Object.hasOwn(variables, name) && !Object.hasOwn(sections, name)) {
      faults.push(
        `${name || 'a key'}: no such key${inFile(key as Node | null)}${suggestionFor(name, Object.keys(sections))}`,
      )
      continue
    }
    let plain: unknown
    try {
      plain = (value as Node | null)?.toJS(document)
    } catch {
      faults.push(`${name}: the value cannot be read${inFile(key as Node | null)}`)
      continue
    }
    if (plain === null || plain === undefined) continue
    if (Object.hasOwn(sections, name)) given[name] = plain
    else if (Array.isArray(plain) && plain.every((item) => typeof item !== 'object'))
      values[name] = plain.join(',')
    else values[name] = typeof plain === 'object' ? JSON.stringify(plain) : String(plain)
  }
  const positionOf: ConfigFile['positionOf'] = (...at) => {
    const { value } = pairAt(document, at)
    return value === undefined ? '' : inFile(value)
  }
  const read: Record<string, unknown> = { ...noSections }
  for (const [name, schema] of Object.entries(sections)) {
    if (!Object.hasOwn(given, name)) continue
    const parsed = schema.safeParse(given[name])
    if (parsed.success) {
      const missing: MissingVariable[] = []
      read[name] = withEnvironment(parsed.data, env, missing)
      for (const { path, name: variable } of missing)
        faults.push(
          `${writePath([name, ...path])}: the environment has no variable ${variable}${positionOf(name, ...path)}`,
        )
    } else
      for (const fault of sectionFaults(schema, name, parsed.error.issues)) {
        const { key, value, nearest } = pairAt(document, fault.path)
        faults.push(
          `${writePath(fault.path)}: ${fault.message}${inFile((fault.key ? key : value) ?? key ?? nearest)}`,
        )
      }
  }
  return { values, sections: read as Sections, positionOf }
}

/** `traffic.subgraphs.products.timeoutMs`, `headers.all.request[2].name`. */
function writePath(path: readonly (string | number)[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}

interface Place {
  readonly key: Node | undefined
  readonly value: Node | undefined
  /** The last existing element on the path to a missing one. */
  readonly nearest: Node | undefined
}

function pairAt(document: Document, path: readonly (string | number)[]): Place {
  const { isMap, isScalar } = yaml()
  let at = document.contents as Node | null | undefined
  let key: Node | undefined
  let nearest = at ?? undefined
  for (const step of path) {
    let next: Node | null | undefined
    if (isMap(at)) {
      const pair = at.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step)) as
        | Pair<Node, Node | null>
        | undefined
      if (pair === undefined) return { key: undefined, value: undefined, nearest }
      key = pair.key
      next = pair.value ?? pair.key
    } else if (at !== null && at !== undefined && 'items' in at) {
      next = (at.items as readonly (Node | undefined)[])[Number(step)]
      key = undefined
    }
    if (next === null || next === undefined) return { key: undefined, value: undefined, nearest }
    at = next
    nearest = key ?? next
  }
  return { key, value: at ?? undefined, nearest }
}
