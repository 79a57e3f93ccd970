/** The literals of source files, which are the words with which a parser compares its input. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The source files of a file or folder of the repository. */
export function filesOf(path: string): readonly string[] {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [full]
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => join(full, name))
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const imports = /^(?:import|export) [\s\S]*?from '.*'$/gm
const literals = /'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\$]|\\.)+)[`$]/g
/** Property names are words too, because the members of JSON have the same names. */
const names = /\.([a-z]\w{2,30})\b|\b([a-z]\w{2,30})\??:/g
const longestWord = 40

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, char: string) => ({ n: '\n', r: '\r', t: '\t', 0: '\0' })[char] ?? char)

/** Sorted, so that the same seed draws the same words. */
export function literalsOf(paths: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const file of paths.flatMap(filesOf)) {
    const code = readFileSync(file, 'utf8').replace(comments, '').replace(imports, '')
    for (const [, quoted, template] of code.matchAll(literals)) found.add(unescaped(quoted ?? template ?? ''))
    for (const [, read, written] of code.matchAll(names)) found.add(read ?? written ?? '')
  }
  return [...found].filter((word) => word !== '' && word.length <= longestWord).sort()
}
