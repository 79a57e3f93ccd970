/** Every setting of every section, with its schema, which is made when it is first asked for. */
import { z } from 'zod'
import { bare, type Setting } from '../settings/index.ts'
import { defaults } from './defaults.ts'
import { sections } from './sections.ts'

function schemaAt([name = '', ...below]: readonly string[]): z.core.$ZodType {
  let schema: z.core.$ZodType = sections[name as keyof typeof sections]
  for (const step of below) {
    const object = bare(schema)
    const next = object instanceof z.ZodObject ? object.shape[step] : undefined
    if (next === undefined) throw new Error(`There is no setting ${name}.${below.join('.')}.`)
    schema = next
  }
  return schema
}

export const settings: readonly Setting[] = defaults.settings.map((about) => ({
  ...about,
  get schema() {
    return schemaAt(about.path)
  },
}))

export const settingByVariable: ReadonlyMap<string, Setting> = new Map(
  settings.map((setting) => [setting.env, setting]),
)
