/**
 * The configuration: environment variables, or the same keys in one YAML file, checked whole at start.
 *
 * `readConfig` answers a frozen value or every fault at once, each with the variable's name and what was
 * expected. A value is never echoed: it might be a secret. Only the process edge reads the environment.
 */
import { readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { type ServiceName, serviceNames, subgraphNames } from '../subgraphs/index.ts'
import { type Credential, parseCredential } from '../subgraphs/lib/credential.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface ServiceConfig {
  /** The service's `{base_url}`; undefined is the sandbox. */
  readonly url: string | undefined
  readonly credential: Credential
}

export interface JwtConfig {
  readonly key:
    | { readonly kind: 'jwks'; readonly url: string }
    | { readonly kind: 'pem'; readonly pem: string }
    | { readonly kind: 'secret'; readonly secret: string }
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly algorithms: readonly string[] | undefined
}

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `expected a whole number from ${minimum} to ${maximum}`)

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off'], { error: 'expected true or false' })
  .transform((text) => text === 'true' || text === '1' || text === 'on')

const httpUrl = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password, search, hash } = new URL(text)
    return (protocol === 'http:' || protocol === 'https:') && !username && !password && !search && !hash
  }, 'expected an http or https address without user, query or fragment, such as https://api.example.com')
  .transform((text) => text.replace(/\/+$/, ''))

const redisUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol),
    'expected a Redis address, such as redis://127.0.0.1:6379',
  )

const list = z.string().transform((text) =>
  text
    .split(/[\s,]+/)
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const jsonRecord = <T extends z.ZodType>(values: T, example: string) =>
  z.string().transform((text, context): Record<string, z.output<T>> => {
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

const credential = (service: string) =>
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

/** Every variable, with what it must look like. The name is the key; `.describe` is the line in the manual. */
export const variables = {
  HOST: z.string().min(1).default('127.0.0.1').describe('Address on which the gateway listens.'),
  PORT: integer(0, 65_535).default(4000).describe('Port on which the gateway listens; 0 takes a free one.'),
  TESSERA_VIDEOS_URL: httpUrl.optional().describe('Base URL of the video service; the sandbox without it.'),
  TESSERA_AGENTS_URL: httpUrl.optional().describe('Base URL of the agent service; the sandbox without it.'),
  TESSERA_MESSAGES_URL: httpUrl
    .optional()
    .describe('Base URL of the message service; the sandbox without it.'),
  TESSERA_METRICS_URL: httpUrl.optional().describe('Base URL of the metrics server; the sandbox without it.'),
  TESSERA_VIDEOS_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected one path segment in lower case, such as youtube')
    .default('media')
    .describe('The path segment under which the video service lives.'),
  TESSERA_VIDEOS_CREDENTIAL: credential('videos')
    .default({ kind: 'none' })
    .describe('How the video service is called.'),
  TESSERA_AGENTS_CREDENTIAL: credential('agents')
    .default({ kind: 'none' })
    .describe('How the agent service is called.'),
  TESSERA_MESSAGES_CREDENTIAL: credential('messages')
    .default({ kind: 'none' })
    .describe('How the message service is called.'),
  TESSERA_METRICS_CREDENTIAL: credential('metrics')
    .default({ kind: 'none' })
    .describe('How the metrics server is called.'),
  TESSERA_VIDEOS_SUBGRAPH_URL: httpUrl.optional().describe('Use this remote videos subgraph.'),
  TESSERA_AGENTS_SUBGRAPH_URL: httpUrl.optional().describe('Use this remote agents subgraph.'),
  TESSERA_MESSAGES_SUBGRAPH_URL: httpUrl.optional().describe('Use this remote messages subgraph.'),
  TESSERA_METRICS_SUBGRAPH_URL: httpUrl.optional().describe('Use this remote metrics subgraph.'),
  TESSERA_NODES_SUBGRAPH_URL: httpUrl.optional().describe('Use this remote nodes subgraph.'),
  TESSERA_SUBGRAPH_SECRET: z
    .string()
    .min(16, 'expected at least 16 characters')
    .optional()
    .describe('What gateway and subgraph services prove themselves with.'),
  TESSERA_SUBGRAPH_INTROSPECTION: flag.default(false).describe('Whether `_service` answers without proof.'),
  TESSERA_SUBGRAPH_SCOPES: flag
    .default(false)
    .describe("Whether a subgraph service also checks the caller's own token against its scopes."),
  TESSERA_JWT_JWKS_URL: httpUrl.optional().describe("Address of the issuer's key set."),
  TESSERA_JWT_PUBLIC_KEY: z
    .string()
    .refine((text) => text.includes('-----BEGIN'), 'expected a public key in PEM form')
    .optional()
    .describe("The issuer's public key, PEM."),
  TESSERA_JWT_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters')
    .optional()
    .describe('The secret shared with the issuer.'),
  TESSERA_JWT_ISSUER: z.string().min(1).optional().describe('The `iss` that tokens must carry.'),
  TESSERA_JWT_AUDIENCE: z.string().min(1).optional().describe('The `aud` that tokens must carry.'),
  TESSERA_JWT_ALGORITHMS: list
    .optional()
    .describe('The signature algorithms that are taken, such as RS256 ES256.'),
  TESSERA_SCOPE_ALIASES: jsonRecord(z.array(z.string()), '{"theirs":["ours"]}')
    .default({})
    .describe("An identity provider's scope names to ours, as JSON."),
  TESSERA_AUTHORIZATION: z
    .enum(['filter', 'reject', 'dry-run'], { error: 'expected filter, reject or dry-run' })
    .default('filter')
    .describe(
      'Refused fields become null (filter), refuse the whole operation (reject), or are only reported.',
    ),
  TESSERA_QUOTA_DAILY: integer(0, 1e12).optional().describe('Media units a day and credential.'),
  TESSERA_QUOTA_PER_OPERATION: integer(0, 1e12).optional().describe('The most media units of one operation.'),
  TESSERA_QUOTA_PRICES: jsonRecord(z.number().int().min(0), '{"videos.insert":100}')
    .default({})
    .describe("Prices that differ from the service's published ones, by operation."),
  TESSERA_QUOTA_TIME_ZONE: z
    .string()
    .refine((zone) => {
      try {
        return Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
      } catch {
        return false
      }
    }, 'expected an IANA time zone, such as America/Los_Angeles')
    .default('America/Los_Angeles')
    .describe('The time zone at whose midnight the quota day ends.'),
  TESSERA_REDIS_URL: redisUrl
    .optional()
    .describe('Shares the count of the quota and automatic persisted operations over replicas.'),
  TESSERA_CACHE_SECONDS: integer(0, 86_400)
    .default(0)
    .describe('How long a media read counts as fresh; 0 asks the service each time.'),
  TESSERA_SHARE_CALLS: flag
    .default(true)
    .describe('Whether look-ups of different requests share upstream calls.'),
  TESSERA_REQUEST_TIMEOUT_MS: integer(1, 600_000).default(30_000).describe('Deadline of one request.'),
  TESSERA_UPSTREAM_TIMEOUT_MS: integer(1, 600_000).default(10_000).describe('Deadline of one upstream call.'),
  TESSERA_SHUTDOWN_GRACE_MS: integer(0, 600_000)
    .default(10_000)
    .describe('How long running requests may finish.'),
  TESSERA_SHUTDOWN_DELAY_MS: integer(0, 600_000)
    .default(0)
    .describe('How long requests are still taken when told to stop, while `/health/ready` already says no.'),
  TESSERA_MAX_BODY_BYTES: integer(1_000, 1e9).default(1_048_576).describe('The largest request body.'),
  TESSERA_MAX_TOKENS: integer(10, 1e7).default(5_000).describe('The most lexical tokens of a document.'),
  TESSERA_MAX_DEPTH: integer(1, 1000).default(20).describe('The deepest selection.'),
  TESSERA_MAX_ALIASES: integer(0, 1e6).default(100).describe('The most aliases of an operation.'),
  TESSERA_MAX_ROOT_FIELDS: integer(1, 1e6).default(50).describe('The most root fields of an operation.'),
  TESSERA_MAX_DIRECTIVES: integer(0, 1e6).default(100).describe('The most directives of an operation.'),
  TESSERA_MAX_FIELDS: integer(1, 1e7).default(10_000).describe('The most fields after fragments are spread.'),
  TESSERA_MAX_LIST_ITEMS: integer(1, 1e6)
    .default(10_000)
    .describe('The longest list in arguments and variables.'),
  TESSERA_KEPT_OPERATIONS: integer(1, 1_000_000)
    .default(1000)
    .describe('The most operations that are kept parsed, planned and compiled; about 75 kB each.'),
  TESSERA_MAX_BATCH: integer(0, 1000)
    .default(0)
    .describe('The most operations in one HTTP request; 0 takes none.'),
  TESSERA_INTROSPECTION: flag.default(true).describe('Whether the schema can be introspected.'),
  TESSERA_PERSISTED: z
    .enum(['off', 'automatic', 'trusted'], { error: 'expected off, automatic or trusted' })
    .default('automatic')
    .describe('Persisted operations: off, automatic, or only those of the manifest (trusted).'),
  TESSERA_PERSISTED_MANIFEST: z.string().min(1).optional().describe('File of trusted operations.'),
  TESSERA_CORS_ORIGINS: list
    .default(['*'])
    .describe('Origins that browsers may call from; `*` is every origin.'),
  TESSERA_CSRF: flag.default(true).describe('Whether simple cross-site requests are refused.'),
  TESSERA_EXPLORER: z
    .enum(['auto', 'sandbox', 'graphiql', 'off'], { error: 'expected auto, sandbox, graphiql or off' })
    .default('auto')
    .describe(
      'The page at `/`: Apollo Sandbox or else GraphiQL (auto), only one of them (sandbox, graphiql), or none (off).',
    ),
  TESSERA_PUBLIC_URL: httpUrl.optional().describe('The address under which clients reach this gateway.'),
  TESSERA_UPLOAD_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters')
    .optional()
    .describe('Seals upload addresses; the same on all replicas. A random one without it.'),
  TESSERA_TRACES_URL: httpUrl
    .optional()
    .describe('Where traces go, in OTLP over HTTP: `http://collector:4318/v1/traces`. Unset keeps none.'),
  TESSERA_TRACES_RATIO: z.coerce
    .number({ error: 'expected a number from 0 to 1' })
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of traces that begin here which is kept; callers decide of those that they began.'),
  TESSERA_LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'], {
      error: 'expected silent, fatal, error, warn, info or debug',
    })
    .default('info')
    .describe('How much is logged.'),
  TESSERA_MESSAGES_VOCABULARY: z
    .enum(['tweet', 'post'], { error: 'expected tweet or post' })
    .default('tweet')
    .describe("Which of the message service's two vocabularies is sent."),
} as const

const schema = z.object(variables)
type Values = z.output<typeof schema>

export interface Config {
  readonly host: string
  readonly port: number
  readonly services: Readonly<Record<ServiceName, ServiceConfig>>
  /** Remote subgraphs by name; one that is not here runs in the process. */
  readonly remoteSubgraphs: Readonly<Record<string, string>>
  readonly jwt: JwtConfig | undefined
  /** Every variable as it was read, by name. */
  readonly values: Readonly<Values>
}

export type ConfigResult =
  | { readonly config: Config; readonly faults?: undefined }
  | { readonly config?: undefined; readonly faults: readonly string[] }

function readFile(path: string, faults: string[]): Record<string, string> {
  let document: unknown
  try {
    document = parseYaml(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it is not YAML'
    faults.push(
      `TESSERA_CONFIG: the file cannot be read (${reason}); expected a YAML file of variable names and values`,
    )
    return {}
  }
  if (document === null || document === undefined) return {}
  if (typeof document !== 'object' || Array.isArray(document)) {
    faults.push('TESSERA_CONFIG: expected a YAML mapping of variable names and values')
    return {}
  }
  const entries: [string, string][] = Object.entries(document)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)])
  for (const [key] of entries) {
    if (!Object.hasOwn(variables, key))
      faults.push(`${key}: no such key (in the file of TESSERA_CONFIG)${nearest(key)}`)
  }
  return Object.fromEntries(entries)
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function nearest(key: string): string {
  const best = Object.keys(variables)
    .map((name) => ({ name, far: distance(key, name) }))
    .sort((a, b) => a.far - b.far)[0]
  return best !== undefined && best.far <= 4 ? `; did you mean ${best.name}?` : ''
}

/** Whether a name is ours to judge; HOST and PORT belong to many, and so does everything else. */
const isOurs = (name: string): boolean => name.startsWith('TESSERA_') && name !== 'TESSERA_CONFIG'

function jwtFrom(values: Values, faults: string[]): JwtConfig | undefined {
  const keys: JwtConfig['key'][] = []
  if (values.TESSERA_JWT_JWKS_URL !== undefined) keys.push({ kind: 'jwks', url: values.TESSERA_JWT_JWKS_URL })
  if (values.TESSERA_JWT_PUBLIC_KEY !== undefined)
    keys.push({ kind: 'pem', pem: values.TESSERA_JWT_PUBLIC_KEY })
  if (values.TESSERA_JWT_SECRET !== undefined)
    keys.push({ kind: 'secret', secret: values.TESSERA_JWT_SECRET })
  if (keys.length > 1) {
    faults.push(
      'TESSERA_JWT_JWKS_URL, TESSERA_JWT_PUBLIC_KEY, TESSERA_JWT_SECRET: give one of them, not several',
    )
  }
  const [key] = keys
  if (key === undefined) {
    for (const name of ['TESSERA_JWT_ISSUER', 'TESSERA_JWT_AUDIENCE', 'TESSERA_JWT_ALGORITHMS'] as const) {
      if (values[name] !== undefined) {
        faults.push(
          `${name}: needs one of TESSERA_JWT_JWKS_URL, TESSERA_JWT_PUBLIC_KEY, TESSERA_JWT_SECRET beside it`,
        )
      }
    }
    return undefined
  }
  return {
    key,
    issuer: values.TESSERA_JWT_ISSUER,
    audience: values.TESSERA_JWT_AUDIENCE,
    algorithms: values.TESSERA_JWT_ALGORITHMS,
  }
}

/** Reads and checks the whole configuration. An empty variable counts as not given. */
export function readConfig(env: Env): ConfigResult {
  const faults: string[] = []
  const given = (record: Env): Env =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== ''))
  const environment = given(env)
  const file = environment.TESSERA_CONFIG === undefined ? {} : readFile(environment.TESSERA_CONFIG, faults)
  for (const name of Object.keys(environment)) {
    if (isOurs(name) && !Object.hasOwn(variables, name))
      faults.push(`${name}: no such variable${nearest(name)}`)
  }
  const parsed = schema.safeParse({ ...given(file), ...environment })
  if (!parsed.success) {
    for (const issue of parsed.error.issues) faults.push(`${issue.path.join('.')}: ${issue.message}`)
    return { faults }
  }
  const values = parsed.data
  const jwt = jwtFrom(values, faults)
  const remoteSubgraphs: Record<string, string> = {}
  for (const name of subgraphNames) {
    const url = values[`TESSERA_${name.toUpperCase() as Uppercase<typeof name>}_SUBGRAPH_URL`]
    if (url !== undefined) remoteSubgraphs[name] = url
  }
  if (Object.keys(remoteSubgraphs).length > 0 && values.TESSERA_SUBGRAPH_SECRET === undefined) {
    faults.push('TESSERA_SUBGRAPH_SECRET: required as soon as one subgraph is remote')
  }
  if (values.TESSERA_PERSISTED === 'trusted' && values.TESSERA_PERSISTED_MANIFEST === undefined) {
    faults.push('TESSERA_PERSISTED_MANIFEST: required when only trusted operations are executed')
  }
  if (faults.length > 0) return { faults }
  const serviceOf = (name: ServiceName): ServiceConfig => {
    const prefix = name.toUpperCase() as Uppercase<ServiceName>
    return { url: values[`TESSERA_${prefix}_URL`], credential: values[`TESSERA_${prefix}_CREDENTIAL`] }
  }
  const services = Object.fromEntries(serviceNames.map((name) => [name, serviceOf(name)])) as Record<
    ServiceName,
    ServiceConfig
  >
  return {
    config: Object.freeze({
      host: values.HOST,
      port: values.PORT,
      services,
      remoteSubgraphs,
      jwt,
      values: Object.freeze(values),
    }),
  }
}
