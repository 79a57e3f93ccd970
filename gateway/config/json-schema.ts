/** The JSON schema of the configuration file, for editors: made from the same schemas that read it. */
import { z } from 'zod'
import { isTextList } from '../settings/index.ts'
import { sections } from './sections.ts'
import { settings } from './settings.ts'

/** What our own tools read of a setting, and editors do not. */
const ours = ['env', 'prefix', 'reload', 'expected', 'secret']

/** As an object; `tessera check --schema` prints it, and `schema/config.schema.json` holds it. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, properties, ...made } = z.toJSONSchema(z.strictObject(sections), {
    io: 'input',
    override({ jsonSchema }) {
      for (const key of ours) delete jsonSchema[key]
      // YAML reads `2026` as a number.
      if (jsonSchema.enum?.some((word) => /^\d+$/.test(String(word)))) {
        jsonSchema.enum.push(...jsonSchema.enum.filter((word) => /^\d+$/.test(String(word))).map(Number))
        delete jsonSchema.type
      }
    },
    unrepresentable: 'any',
  })
  for (const { path, schema } of settings) if (isTextList(schema)) takeText(properties, path)
  const byVariable = settings.map(({ env, path }) => [
    env,
    { $ref: `#/${path.map((step) => `properties/${step}`).join('/')}` },
  ])
  return {
    $schema,
    title: 'Configuration of Tessera',
    description:
      'The file that --config or TESSERA_CONFIG names. A variable of the environment wins over the same setting here.',
    ...made,
    properties: { ...properties, ...Object.fromEntries(byVariable) },
  }
}

/** The schema at a path accepts a text as well as the list that it describes. */
function takeText(
  properties: z.core.JSONSchema.JSONSchema['properties'],
  [step = '', ...below]: readonly string[],
): void {
  const at = properties?.[step]
  if (typeof at !== 'object') return
  if (below.length > 0) takeText(at.properties, below)
  else {
    const { type = 'array', items = {} } = at
    delete at.type
    delete at.items
    at.anyOf = [{ type: 'string' }, { type, items }]
  }
}
