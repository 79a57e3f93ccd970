/** The JSON schema of the configuration file, for editors: made from the same schemas that read it. */
import { z } from 'zod'
import { schema, settings } from './sections.ts'

/** What our own tools read of a setting, and editors do not. */
const ours = ['env', 'prefix', 'reload', 'expected', 'secret']

/** As an object; `tessera check --schema` prints it, and `schema/config.schema.json` holds it. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, properties, ...made } = z.toJSONSchema(schema, {
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
