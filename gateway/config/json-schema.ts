/** The JSON schema of the configuration file, for editors: made from the same schemas that read it. */
import { z } from 'zod'
import { formsInFile } from './fields.ts'
import { sections } from './sections/index.ts'
import { variables } from './variables/index.ts'

/** As an object; `tessera check --schema` prints it, and `schema/config.schema.json` holds it. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...made } = z.toJSONSchema(z.strictObject({ ...variables, ...sections }), {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const form = formsInFile.get(zodSchema)
      if (form === undefined) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, form)
    },
    // What a variable may hold beside text is said by its form.
    unrepresentable: 'any',
  })
  return {
    $schema,
    title: 'Configuration of Tessera',
    description:
      'The file that TESSERA_CONFIG names. A variable of the environment wins over the same key here.',
    ...made,
  }
}
