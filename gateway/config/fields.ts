/**
 * The kinds of values of variables: each reads the text of one variable, or says what was expected. A message never
 * repeats the text, which might be a secret.
 */
import { z } from 'zod'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type Credential, parseCredential } from '../../subgraphs/kit/credentials/index.ts'
import { parsePlaces } from '../sources/place.ts'

/** The form of a value in the file, if it is not text: for the JSON schema of the file. */
export const formsInFile = z.registry<FormInFile, z.core.$ZodType>()
type FormInFile = Readonly<Record<string, unknown>>

function inFile<T extends z.ZodType>(schema: T, form: FormInFile): T {
  formsInFile.add(schema, form)
  return schema
}

export const integer = (minimum: number, maximum: number) =>
  inFile(z.string().regex(/^\d+$/, `expected a whole number from ${minimum} to ${maximum}`), {
    type: 'integer',
    minimum,
    maximum,
  })
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `expected a whole number from ${minimum} to ${maximum}`)

export const flag = inFile(
  z.enum(['true', 'false', '1', '0', 'on', 'off'], { error: 'expected true or false' }),
  { type: 'boolean' },
).transform((text) => text === 'true' || text === '1' || text === 'on')

/** A time in seconds, with at most one decimal. */
export const seconds = (minimum: number, maximum: number) =>
  inFile(z.string().regex(/^\d{1,6}(\.\d)?$/, `expected seconds from ${minimum} to ${maximum}`), {
    type: 'number',
    minimum,
    maximum,
  })
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `expected seconds from ${minimum} to ${maximum}`)

/** A share from 0 to 1. */
export const share = inFile(
  z.string().regex(/^(0(\.\d{1,3})?|1(\.0{1,3})?)$/, 'expected a number from 0 to 1, such as 0.5'),
  { type: 'number', minimum: 0, maximum: 1 },
).transform(Number)

/** A number of processes, or `auto` for one per available core. */
export const workers = inFile(
  z.string().regex(/^(auto|[1-9]\d?|1[01]\d|12[0-8])$/, 'expected auto, or a whole number from 1 to 128'),
  { oneOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: 128 }] },
).transform((text) => (text === 'auto' ? ('auto' as const) : Number(text)))

function withoutLastSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

export const httpUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password, search, hash } = new URL(text)
    return (protocol === 'http:' || protocol === 'https:') && !username && !password && !search && !hash
  }, 'expected an http or https address without user, query or fragment, such as https://api.example.com')
  .transform(withoutLastSlashes)

/** An address that is used as written: with its last slash, and a query. */
export const exactUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && !username && !password && !hash
}, 'expected an http or https address without user or fragment, such as https://id.example.com/o/introspect/')

/** A file, or addresses in the order in which they are asked (`gateway/sources/`). */
export const places = inFile(z.string().min(1), {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
}).transform((text, context): string => {
  try {
    parsePlaces(text)
    return text
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) })
    return z.NEVER
  }
})

/** The value of a header. */
export const headerText = z
  .string()
  .min(1)
  .regex(/^[\x21-\x7e]+$/, 'expected the text of a header')

export const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header')

export const redisUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol),
    'expected a Redis address, such as redis://127.0.0.1:6379',
  )
  .refine(
    (text) => !URL.canParse(text) || /^\/?\d{0,9}$/.test(new URL(text).pathname),
    'expected the number of a database behind the last slash, such as redis://127.0.0.1:6379/2',
  )

/** Several addresses are nodes of one cluster. */
export const redisUrls = inFile(z.string(), {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
})
  .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''))
  .refine(
    (urls) => urls.length > 0 && urls.every((url) => redisUrl.safeParse(url).success),
    'expected Redis addresses, such as redis://127.0.0.1:6379',
  )
  .refine(
    (urls) =>
      urls.length < 2 || urls.every((url) => !URL.canParse(url) || /^\/?0?$/.test(new URL(url).pathname)),
    'expected addresses without the number of a database, which a cluster does not have',
  )

export const list = inFile(z.string(), {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
}).transform((text) =>
  text
    .split(/[\s,]+/)
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

export const jsonRecord = <T extends z.ZodType>(values: T, example: string) =>
  inFile(z.string(), { type: 'object' }).transform((text, context): Record<string, z.output<T>> => {
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: `expected a JSON object such as ${example}` })
      return z.NEVER
    }
    const checked = z.record(z.string(), values).safeParse(parsed)
    if (checked.success) return checked.data as Record<string, z.output<T>>
    context.addIssue({ code: 'custom', message: `expected a JSON object such as ${example}` })
    return z.NEVER
  })

export const credential = (service: string) =>
  z.string().transform((text, context): Credential => {
    try {
      return parseCredential(text, service)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : 'is not a credential',
      })
      return z.NEVER
    }
  })
