/**
 * The YAML file that TESSERA_CONFIG names: a mapping of variable names to values, where lists and mappings may
 * stand for what a variable writes as text. Every fault names the line and column in the file.
 */
import { readFileSync } from 'node:fs'
import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { suggestionFor } from './suggestion.ts'
import { variables } from './variables/index.ts'

export interface ConfigFile {
  /** Each value as a variable would hold it. */
  readonly values: Readonly<Record<string, string>>
  /** Where a value stands: ` (line 3, column 7 of the file in TESSERA_CONFIG)`; empty for a name that is not here. */
  positionOf(name: string): string
}

export const noFile: ConfigFile = { values: {}, positionOf: () => '' }

/** Reads the file; what is wrong with it is added to `faults`. */
export function readConfigFile(path: string, faults: string[]): ConfigFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    faults.push(`TESSERA_CONFIG: the file cannot be read (${code}); expected the path of a YAML file`)
    return noFile
  }
  const lines = new LineCounter()
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    // The parser's message may quote the text, which may hold a secret: its code says what is wrong.
    for (const { code, pos } of document.errors) {
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
  const values: Record<string, string> = {}
  const positions = new Map<string, string>()
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const keyAt = placeAt((key as Node | null)?.range?.[0] ?? 0)
    if (!Object.hasOwn(variables, name)) {
      faults.push(
        `${name || 'a key'}: no such key (${keyAt} of the file in TESSERA_CONFIG)${suggestionFor(name)}`,
      )
      continue
    }
    let plain: unknown
    try {
      plain = (value as Node | null)?.toJS(document)
    } catch {
      faults.push(`${name}: the value cannot be read (${keyAt} of the file in TESSERA_CONFIG)`)
      continue
    }
    if (plain === null || plain === undefined) continue
    values[name] = typeof plain === 'object' ? JSON.stringify(plain) : String(plain)
    positions.set(
      name,
      ` (${placeAt((value as Node | null)?.range?.[0] ?? 0)} of the file in TESSERA_CONFIG)`,
    )
  }
  return { values, positionOf: (name) => positions.get(name) ?? '' }
}
