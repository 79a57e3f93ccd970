/**
 * How a module declares what can be configured of it: a section, which is one zod object. The path of a setting in the
 * file gives the name of its variable: `quota.perOperation` is `TESSERA_QUOTA_PER_OPERATION`. `.meta` says the rest:
 * `env` is a variable of another name, `prefix` (of an object) the beginning of its variables' names, and `reload`
 * whether a running gateway takes a change over; children have what their object says unless they say otherwise.
 */
import { z } from 'zod'

/** A schema that is made when something is read by it, so that a start makes only those that it needs. */
export const lazily = <Schema extends z.core.SomeType>(make: () => Schema): z.ZodLazy<Schema> => {
  let made: Schema | undefined
  return z.lazy(() => (made ??= make()))
}

/** Every setting that is left out has its default, and so does a section. */
export const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape, description: string) =>
  z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description)

/** What is told of a setting without its schema. */
export interface AboutSetting {
  readonly path: readonly string[]
  readonly env: string
  readonly description: string
  readonly reload: boolean
  readonly isSecret: boolean
}

export interface Setting extends AboutSetting {
  readonly schema: z.core.$ZodType
}

interface About {
  readonly env?: string | undefined
  readonly prefix?: string | undefined
  readonly reload?: boolean | undefined
  readonly description?: string | undefined
  readonly secret?: boolean | undefined
}

const wrappers = [z.ZodOptional, z.ZodDefault, z.ZodPrefault, z.ZodReadonly, z.ZodLazy] as const

/** The schema beneath what only says what happens if there is no value, or what becomes of it. */
function inner(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.in
  return wrappers.some((wrapper) => schema instanceof wrapper)
    ? (schema as z.ZodOptional<z.ZodType>).unwrap()
    : undefined
}

export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const below = inner(schema)
  return below === undefined ? schema : bare(below)
}

function aboutOf(schema: z.core.$ZodType): About {
  const below = inner(schema)
  return { ...(below === undefined ? {} : aboutOf(below)), ...z.globalRegistry.get(schema) }
}

const inCapitals = (key: string): string => key.replace(/[A-Z]/g, '_$&').toUpperCase()

/** Every setting of sections, in their order. */
export function settingsOf(sections: Readonly<Record<string, z.core.$ZodType>>): readonly Setting[] {
  const found: Setting[] = []
  const visit = (schema: z.core.$ZodType, path: readonly string[], env: string, above: boolean): void => {
    const about = aboutOf(schema)
    const { description = '', reload = above } = about
    const object = bare(schema)
    if (!(object instanceof z.ZodObject)) {
      const isSecret = about.secret === true
      found.push({ path, env: about.env ?? env, schema, description, reload, isSecret })
      return
    }
    const prefix = about.prefix ?? `${env}_`
    for (const [key, child] of Object.entries(object.shape))
      visit(child as z.core.$ZodType, [...path, key], `${prefix}${inCapitals(key)}`, reload)
  }
  for (const [name, schema] of Object.entries(sections))
    visit(schema, [name], `TESSERA_${inCapitals(name)}`, false)
  return found
}

const isText = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodString || schema instanceof z.ZodEnum

/** Lists of texts, which may be written as one text. */
export function isTextList(schema: z.core.$ZodType): boolean {
  const type = bare(schema)
  return type instanceof z.ZodArray && isText(bare(type.element))
}

/**
 * Converts a value to the type of its setting: the environment has only texts, and a file may contain `2026` where a
 * text is expected. A value that cannot be converted is returned unchanged, and the schema reports it.
 */
export function readAs(schema: z.core.$ZodType, value: unknown): unknown {
  const type = bare(schema)
  if (type instanceof z.ZodUnion)
    return (
      type.options
        .map((option) => ({ option, read: readAs(option, value) }))
        .find(({ option, read }) => z.safeParse(option, read).success)?.read ?? value
    )
  const isList = isTextList(type)
  if (isList && Array.isArray(value)) return value.map((item) => readAs((type as z.ZodArray).element, item))
  if (typeof value === 'number' || typeof value === 'boolean')
    return (typeof value === 'number' ? type instanceof z.ZodNumber : type instanceof z.ZodBoolean)
      ? value
      : readAs(type, String(value))
  if (typeof value !== 'string' || isText(type)) return value
  if (type instanceof z.ZodNumber) return /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(value) ? Number(value) : value
  if (type instanceof z.ZodBoolean)
    return /^(true|1|on)$/.test(value) ? true : /^(false|0|off)$/.test(value) ? false : value
  if (isList) return value.split(/[\s,]+/).filter((item) => item !== '')
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
