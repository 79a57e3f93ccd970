/**
 * The kinds of values of settings. The words after "expected" stand in faults and in docs/configuration.md; no message
 * repeats a value, which might be a secret.
 */
import { isIP } from 'node:net'
import { z } from 'zod'
import { messageOf } from '../../shared/runtime/thrown.ts'

const numberOf = (what: string, minimum: number, maximum: number) => {
  const error = `expected ${what} from ${minimum} to ${maximum}`
  return z.number({ error }).min(minimum, error).max(maximum, error)
}

export const integer = (minimum: number, maximum: number) =>
  numberOf('a whole number', minimum, maximum).int(`expected a whole number from ${minimum} to ${maximum}`)

export const milliseconds = (minimum: number, maximum: number) =>
  numberOf('milliseconds', minimum, maximum).int(`expected milliseconds from ${minimum} to ${maximum}`)

/** A time in seconds, which may have decimals. */
export const seconds = (minimum: number, maximum: number) => numberOf('seconds', minimum, maximum)

/** A share from 0 to 1. */
export const share = numberOf('a number', 0, 1)

export const flag = z.boolean({ error: 'expected true or false' })

export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words, {
    error: `expected ${words.length < 2 ? '' : `${words.slice(0, -1).join(', ')} or `}${words.at(-1)}`,
  })

/** A text for which `isRight` holds. */
export const text = (expected: string, isRight: (value: string) => boolean = (value) => value !== '') =>
  z
    .string({ error: `expected ${expected}` })
    .refine(isRight, `expected ${expected}`)
    .meta({ expected })

export const file = (what: string) => text(`the path of ${what}`)

export const matching = (form: RegExp, expected: string) => text(expected, (value) => form.test(value))

/** A text that the same people know at several places. */
export const secret = (least: number) =>
  text(`at least ${least} characters`, (value) => value.length >= least).meta({ secret: true })

/** A secret that signs or seals: HS256 requires 32 bytes (RFC 7518, section 3.2). */
export const signingSecret = secret(32)

export const publicKey = text('a public key in PEM form', (value) => value.includes('-----BEGIN'))
export const privateKey = text('a private key in PEM form', (value) => value.includes('PRIVATE KEY-----'))

const isHttp = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:'
const isAddress = (value: string, holds: (url: URL) => boolean): boolean => {
  const url = URL.parse(value)
  return url !== null && url.username + url.password + url.hash === '' && holds(url)
}

function withoutLastSlashes(value: string): string {
  let end = value.length
  while (value[end - 1] === '/') end--
  return value.slice(0, end)
}

export const httpUrl = text(
  'an http or https address without user, query or fragment, such as https://api.example.com',
  (value) => isAddress(value, (url) => isHttp(url) && url.search === ''),
).transform(withoutLastSlashes)

/** An address that is used as written: with its last slash, and a query. */
export const exactUrl = text(
  'an http or https address without user or fragment, such as https://id.example.com/o/introspect/',
  (value) => isAddress(value, isHttp),
)

export const webSocketUrl = text('an http, https, ws or wss address without user or fragment', (value) =>
  isAddress(value, (url) => /^(https?|wss?):$/.test(url.protocol)),
)

/** The value of a header, without spaces. */
export const headerText = matching(/^[\x21-\x7e]+$/, 'the text of a header')
export const headerName = matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, 'the name of a header')

/** The names of subgraphs as keys. `all` applies to every one of them. */
export const subgraphName = z.string().min(1).max(200)

/** A variable of the environment whose value is inserted here, so that no file contains a secret. */
export const environmentName = matching(
  /^[A-Za-z_][A-Za-z0-9_]{0,199}$/,
  'the name of a variable of the environment',
).describe('A variable of the environment, whose value it has.')

const isRedis = (value: string): boolean => /^rediss?:$/.test(URL.parse(value)?.protocol ?? '')
const databaseOf = (value: string): string => URL.parse(value)?.pathname ?? ''

/** Whether user and password can be decoded. */
function isEncoded(value: string): boolean {
  const { username = '', password = '' } = URL.parse(value) ?? {}
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

export const redisUrl = text('a Redis address, such as redis://127.0.0.1:6379', isRedis)
  .refine(
    (value) => !isRedis(value) || /^\/?\d{0,9}$/.test(databaseOf(value)),
    'expected the number of a database behind the last slash, such as redis://127.0.0.1:6379/2',
  )
  .refine(isEncoded, 'expected user and password percent-encoded: % is written %25')

export const list = z.array(z.string({ error: 'expected a list of texts' }).min(1), {
  error: 'expected a list of texts',
})

function isNetwork(address: string): boolean {
  const [host = '', bits] = address.split('/')
  const family = isIP(host)
  if (family === 0 || address.split('/').length > 2) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Addresses and networks, as `networksFrom` takes them. */
export const networks = list.refine(
  (addresses) => addresses.every(isNetwork),
  'expected addresses or networks, such as 10.0.0.1 10.1.0.0/16',
)

/** Several addresses are nodes of one cluster. */
export const redisUrls = z
  .array(redisUrl, { error: 'expected Redis addresses, such as redis://127.0.0.1:6379' })
  .min(1, 'expected Redis addresses, such as redis://127.0.0.1:6379')
  .refine(
    (urls) => urls.length < 2 || urls.every((url) => /^\/?0?$/.test(databaseOf(url))),
    'expected addresses without the number of a database, which a cluster does not have',
  )

/** A map of names; `example` as JSON, which is how a variable writes it. */
export const record = <T extends z.ZodType>(values: T, example: string) =>
  z
    .record(z.string(), values, { error: `expected an object such as ${example}` })
    .meta({ expected: `an object such as ${example}` })

/** What `read` makes of a text; what it throws is the fault. */
export const readBy = <Value>(expected: string, read: (value: string) => Value) =>
  text(expected).transform((value, context): Value => {
    try {
      return read(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) })
      return z.NEVER
    }
  })
