/**
 * Writes the rows of docs/configuration.md from the variables: its name, its description and its default. A variable
 * that has no row yet gets one below the row of the variable before it; a row of no variable goes. Everything else of
 * the page is left as it is. `npm run generate` runs it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { variables } from '../gateway/config/index.ts'

const rowForm = /^\| `([A-Z][A-Z0-9_]*)` \|/

/** The default as a reader would set it. */
function usual(value: unknown): string {
  if (value === undefined) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(' ')}\``
  if (typeof value !== 'object' || value === null) return `\`${value}\``
  return `\`${'kind' in value ? value.kind : JSON.stringify(value)}\``
}

/** The page with the rows that the variables have. */
export function configurationPage(page: string): string {
  const rows = new Map(
    Object.entries(variables).map(([name, field]) => {
      const parsed = field.safeParse(undefined)
      return [name, `| \`${name}\` | ${field.description} | ${usual(parsed.data)} |`]
    }),
  )
  const lines = page.split('\n').flatMap((line) => {
    const name = rowForm.exec(line)?.[1]
    if (name === undefined) return [line]
    const row = rows.get(name)
    return row === undefined ? [] : [row]
  })
  const isRowOf = (name: string | undefined) => (line: string) => rowForm.exec(line)?.[1] === name
  let before: string | undefined
  for (const [name, row] of rows) {
    if (!lines.some(isRowOf(name))) lines.splice(lines.findIndex(isRowOf(before)) + 1, 0, row)
    before = name
  }
  return lines.join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('configuration.md', import.meta.url)
  writeFileSync(file, configurationPage(readFileSync(file, 'utf8')))
}
