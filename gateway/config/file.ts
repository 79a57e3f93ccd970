/** The YAML file of the configuration: its values as they are written, and the line and column of each. */
import { createRequire } from 'node:module'
import type { Document, Node, Pair } from 'yaml'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { sections } from './sections.ts'
import { settingByVariable } from './settings.ts'
import { suggestionForKey } from './suggestion.ts'

const require = createRequire(import.meta.url)

/** Loaded with the first file: most processes have none, and the library has seventy modules. */
const yaml = (): typeof import('yaml') => require('yaml') as typeof import('yaml')

interface ConfigFile {
  /** Sections, and settings by the names of their variables. */
  readonly values: Readonly<Record<string, unknown>>
  /** The place of a value, or of a key if `key` itself is wrong: ` (tessera.yaml:3:7)`; empty without a file. */
  placeOf(path: readonly (string | number)[], key?: boolean): string
}

const noFile: ConfigFile = { values: {}, placeOf: () => '' }

const mostBytes = 4_000_000
/** The most faults that are reported, because one bracket too many causes others. */
const mostSyntaxFaults = 20

/** What the parser's codes mean to somebody who wrote the file. */
const syntaxWords: Readonly<Record<string, string>> = {
  BAD_INDENT: 'the indentation does not fit the lines above, or a bracket is not closed',
  BAD_SCALAR_START: 'text that begins with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a key already has a value; a text with `: ` in it needs quotes',
  DUPLICATE_KEY: 'its mapping has this key twice',
  MISSING_CHAR: 'a quote, bracket, comma, colon or space is missing',
  MULTILINE_IMPLICIT_KEY: 'a line has no `: ` between key and value',
  TAB_AS_INDENT: 'a tab indents this line, and YAML takes only spaces',
}

/** A reference that other programs replace by the value of an environment variable. */
const inserted = /\$\{[A-Za-z_]/

/** Reads the file, and adds its faults to `faults`. */
export function readConfigFile(path: string | undefined, faults: string[]): ConfigFile {
  if (path === undefined) return noFile
  const refused = (fault: string): ConfigFile => {
    faults.push(`TESSERA_CONFIG: ${fault}`)
    return noFile
  }
  let text: string
  try {
    text = readBoundedSync(path, mostBytes).toString('utf8')
  } catch (error) {
    return refused(`${path} cannot be read (${fileFault(error)}); expected the path of a YAML file`)
  }
  // A program that writes a file empties it first, and a full disk leaves it empty. An empty configuration would have
  // no limits and no keys.
  if (text.trim() === '')
    return refused(`${path} is empty; expected a YAML mapping of sections and variable names`)
  const { isMap, isScalar, LineCounter, parseDocument, visit } = yaml()
  const lines = new LineCounter()
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return ` (${path}:${line}:${col})`
  }
  let document: Document
  try {
    // A value with a tag such as `!!binary` remains text.
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, resolveKnownTags: false })
  } catch {
    // Too deeply nested brackets; any other message may quote the text.
    return refused('the file is not YAML that can be read (nested too deep)')
  }
  if (document.errors.length > 0) {
    // The parser's message may quote the text, which may have a secret, so its code is translated.
    // Of several at one place the first counts.
    const faultAt = new Map(document.errors.toReversed().map(({ code, pos }) => [pos[0], code]))
    for (const [offset, code] of [...faultAt].sort(([a], [b]) => a - b).slice(0, mostSyntaxFaults)) {
      const words = syntaxWords[code] ?? code.toLowerCase().replaceAll('_', ' ')
      refused(`the file is not YAML: ${words}${placeAt(offset)}`)
    }
    return noFile
  }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return noFile
  if (!isMap(contents)) return refused('expected a YAML mapping of sections and variable names')
  const inFile = (node: Node | null | undefined): string => placeAt(node?.range?.[0] ?? 0)
  // Taken literally, a reference would be a secret that anybody can guess.
  visit(contents, {
    Scalar(key, scalar) {
      const { value, range, source = '' } = scalar
      // The id of a project, or a secret: more digits than a number holds, or zeros in front.
      if (typeof value === 'number' && /^\d+$/.test(source) && String(value) !== source) scalar.value = source
      if (key !== 'key' && typeof value === 'string' && inserted.test(value))
        refused(
          `no variable of the environment is inserted here; give the setting by its own variable${placeAt(range?.[0] ?? 0)}`,
        )
    },
  })
  const values: Record<string, unknown> = {}
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    if (!settingByVariable.has(name) && !Object.hasOwn(sections, name)) {
      faults.push(
        `${name || 'a key'}: no such key${suggestionForKey(name, Object.keys(sections))}${inFile(key as Node | null)}`,
      )
      continue
    }
    try {
      const plain: unknown = (value as Node | null)?.toJS(document)
      if (plain !== null && plain !== undefined) values[name] = plain
    } catch {
      faults.push(`${name}: the value cannot be read${inFile(key as Node | null)}`)
    }
  }
  return {
    values,
    placeOf: (path, isKey = false) => inFile(nodeAt(document, path, isKey)),
  }
}

/** The node at a path, or that of its key; the last one on a path that does not exist. */
function nodeAt(
  document: Document,
  path: readonly (string | number)[],
  isKey: boolean,
): Node | null | undefined {
  const { isMap, isScalar } = yaml()
  let at = document.contents as Node | null | undefined
  let nearest = at
  for (const step of path) {
    let key: Node | undefined
    let next: Node | null | undefined
    if (isMap(at)) {
      const pair = at.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step)) as
        | Pair<Node, Node | null>
        | undefined
      key = pair?.key
      next = pair?.value ?? key
    } else if (at !== null && at !== undefined && 'items' in at)
      next = (at.items as readonly (Node | undefined)[])[Number(step)]
    if (next === null || next === undefined) return nearest
    at = next
    nearest = key ?? next
  }
  return isKey ? nearest : at
}
