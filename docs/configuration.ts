/**
 * Writes the tables of docs/configuration.md, one for each section of the configuration, between the comments
 * `settings: SECTION` and `/settings`. Everything else of the page is left as it is. `npm run generate` runs it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { sections, settings } from '../gateway/config/index.ts'
import { bare, type Setting, settingsOf } from '../gateway/settings/index.ts'

/** With what `.meta` says beside the schema. */
type Json = z.core.JSONSchema.JSONSchema & { readonly expected?: string }

const code = (value: unknown): string =>
  `\`${Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? JSON.stringify(value) : value}\``

const units: readonly (readonly [RegExp, string])[] = [
  [/Ms$/, ' ms'],
  [/seconds$/i, ' s'],
  [/bytes$/i, ' bytes'],
]

/** What may stand there. */
function valueIn(json: Json, unit: string): string {
  if (json.expected !== undefined) return json.expected
  if (json.enum !== undefined) return json.enum.map(code).join(', ')
  if (json.const !== undefined) return code(json.const)
  if (json.anyOf !== undefined) return json.anyOf.map((each) => valueIn(each as Json, unit)).join(', or ')
  if (json.type === 'boolean') return '`true`, `false`'
  if (json.type === 'integer' || json.type === 'number') return `${json.minimum} to ${json.maximum}${unit}`
  if (json.type !== 'array') return json.type === 'object' ? 'an object' : 'a text'
  const items = json.items as Json
  return items.type === 'object' || items.anyOf !== undefined ? 'a list' : `a list: ${valueIn(items, '')}`
}

function row({ path, env, schema, description, reload, isSecret }: Setting, isPart: boolean): string {
  const name = path.join('.')
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  const unit = units.find(([form]) => form.test(name))?.[1] ?? ''
  const usual = json.default === undefined || `${json.default}` === '' ? 'none' : code(json.default)
  return `| ${[
    `<a id="${name.replace(/\W+/g, '-')}"></a>${code(name)}${reload ? ' ↻' : ''}${isPart ? '' : `<br>${code(env)}`}`,
    description,
    `${valueIn(json, unit)}${isSecret ? '; a secret' : ''}`,
    isPart && !z.safeParse(schema, undefined).success ? 'required' : usual,
  ].join(' | ')} |`
}

/** The setting and, of a list of objects, what each of them has. */
function rowsOf(setting: Setting): string[] {
  const list = bare(setting.schema)
  const item = list instanceof z.ZodArray ? bare(list.element) : undefined
  if (!(item instanceof z.ZodObject)) return [row(setting, false)]
  const parts = settingsOf({ [`${setting.path.join('.')}[]`]: item })
  return [row(setting, false), ...parts.map((part) => row({ ...part, isSecret: false }, true))]
}

/** The page with the tables that the sections have. */
export function configurationPage(page: string): string {
  const open = new Set(Object.keys(sections))
  const written = page.replace(
    /(<!-- settings: (\w+) -->\n)[\s\S]*?(<!-- \/settings -->)/g,
    (_all, begin: string, name: string, end: string) => {
      const section = (sections as Readonly<Record<string, z.ZodLazy<z.ZodType>>>)[name]
      if (!open.delete(name)) throw new Error(`docs/configuration.md: there is no section ${name}`)
      const rows = settings.filter(({ path }) => path[0] === name).flatMap(rowsOf)
      const head = '| setting, variable | meaning | value | default |\n|---|---|---|---|'
      return `${begin}\n${section?.unwrap().description}\n\n${head}\n${rows.join('\n')}\n\n${end}`
    },
  )
  if (open.size > 0) throw new Error(`docs/configuration.md has no place for ${[...open].join(', ')}`)
  return written
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('configuration.md', import.meta.url)
  writeFileSync(file, configurationPage(readFileSync(file, 'utf8')))
}
