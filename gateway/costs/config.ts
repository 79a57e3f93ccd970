/** What operations may ask for, and what callers may spend. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import { flag, headerName, integer, matching, oneOf, record, text } from '../settings/kinds.ts'

export const limits = lazily(() =>
  section(
    {
      bodyBytes: integer(1_000, 1e9)
        .default(1_048_576)
        .describe('The largest request body, also after it is decompressed.')
        .meta({ reload: false }),
      tokens: integer(10, 1e7).default(5_000).describe('The most lexical tokens of a document.'),
      nesting: integer(10, 500)
        .default(64)
        .describe(
          'The most brackets, fields or fragments within each other in a document, and levels of variables.',
        ),
      depth: integer(1, 1000).default(20).describe('The deepest selection.'),
      aliases: integer(0, 1e6).default(100).describe('The most aliases of an operation.'),
      rootFields: integer(1, 1e6).default(50).describe('The most root fields of an operation.'),
      directives: integer(0, 1e6).default(100).describe('The most directives of an operation.'),
      fields: integer(1, 1e7)
        .default(10_000)
        .describe('The most fields of a document after fragments are spread.'),
      listItems: integer(1, 1e6).default(500).describe('The longest list in arguments and variables.'),
      ids: integer(1, 1e6)
        .default(500)
        .describe('The most ids that `videos`, `messages` and `nodes` each take.')
        .meta({ reload: false }),
      calls: integer(1, 1e6)
        .default(500)
        .describe('The most calls that one operation may make to a service, as estimated before it runs.'),
      values: integer(1, 1e9)
        .default(100_000)
        .describe(
          'The most values that an operation asks for: its fields, times the items of the lists around them.',
        ),
      responseBytes: integer(1_000, 500_000_000).default(33_554_432).describe('The largest response.'),
      introspectionBytes: integer(10_000, 500_000_000)
        .optional()
        .describe(
          'The largest answer of `__schema` or `__type`. By default 4 MB, or twice what the usual query for the whole schema needs if that is more.',
        ),
      preparing: integer(1, 100_000)
        .default(200)
        .describe(
          'The most new operations that wait to be read, planned and compiled; further ones are refused with 503.',
        ),
      batch: integer(0, 1000).default(0).describe('The most operations in one HTTP request; 0 takes none.'),
    },
    'The maximum sizes of one request and one operation.',
  ).meta({ prefix: 'TESSERA_MAX_', reload: true }),
)

const isTimeZone = (zone: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

const units = integer(0, 1e12)

export const quota = lazily(() =>
  section(
    {
      daily: units.optional().describe('Media units a day and credential.'),
      perOperation: units.optional().describe('The most media units of one operation.'),
      away: oneOf('share', 'refuse')
        .default('share')
        .describe(
          'While Redis is away: each gateway spends its share of the units that were left (share), or none (refuse).',
        ),
      prices: record(z.number().int().min(0), '{"videos.insert":100}')
        .default({})
        .describe("Prices that differ from the service's published ones, by operation."),
      timeZone: text('an IANA time zone, such as America/Los_Angeles', isTimeZone)
        .default('America/Los_Angeles')
        .describe('The time zone at whose midnight the quota day ends.'),
    },
    'What calls to the metered service may cost: [quota](quota.md).',
  ),
)

export const demand = lazily(() =>
  z
    .strictObject({
      mode: oneOf('measure', 'enforce').describe(
        '`measure` computes costs and refuses nothing; `enforce` refuses operations that cost more than `max`.',
      ),
      max: integer(0, 1e12).optional().describe('The most that one operation may cost, as estimated.'),
      listSize: integer(0, 1e6)
        .default(10)
        .describe('The assumed length of a list if neither `@listSize` nor an argument gives it.'),
      actual: flag
        .default(true)
        .describe('Whether the cost of each answer is computed, too, for which it is read once more.'),
      report: oneOf('asked', 'always', 'never')
        .default('asked')
        .describe(
          'Who gets the price, as `extensions.cost` and the header `Tessera-Cost`: callers that send that header, all, or none.',
        ),
    })
    .refine(({ mode, max }) => mode === 'measure' || max !== undefined, {
      error: 'expected `max` if the mode is enforce',
    })
    .optional()
    .describe(
      'The cost of operations by `@cost` and `@listSize`; not computed by default: [demand](demand.md).',
    )
    .meta({ reload: true }),
)

const names = z.array(z.string().min(1).max(200)).min(1).max(1000)

const key = lazily(() =>
  z.union([
    z.enum(['caller', 'client', 'operation', 'address'], {
      error: 'expected caller, client, operation, address, { header: NAME } or { claim: NAME }',
    }),
    z.strictObject({ header: headerName.transform((name) => name.toLowerCase()) }),
    z.strictObject({ claim: z.string().min(1).max(200) }),
  ]),
)

const rule = lazily(() =>
  z
    .strictObject({
      name: matching(/^[A-Za-z0-9_-]{1,50}$/, 'a name of letters, digits, - and _').describe(
        'The name of the rule in headers, errors and metrics.',
      ),
      limit: integer(1, 1e9).describe('The tokens that come back in each window.'),
      windowSeconds: integer(1, 86_400).describe('The window, in seconds.'),
      burst: integer(1, 1e9).optional().describe('The most tokens at once; `limit` by default.'),
      by: z
        .array(key)
        .min(1)
        .max(5)
        .default(['caller'])
        .describe('Which values have a bucket of their own; several are combined.'),
      counts: oneOf('requests', 'cost', 'units')
        .default('requests')
        .describe('What a request takes: one token, its cost by `@cost`, or its estimated units.'),
      types: z
        .array(oneOf('query', 'mutation', 'subscription'))
        .min(1)
        .optional()
        .describe('The types of operations that are counted; all by default.'),
      operations: names.optional().describe('The names of the operations that are counted; all by default.'),
      clients: names.optional().describe('The names of the clients that are counted; all by default.'),
    })
    .describe('A token bucket for each value of `by`.'),
)

export const rateLimits = lazily(() =>
  z
    .array(rule, { error: 'expected a list of rate limits' })
    .max(20, 'expected at most 20 rate limits')
    .refine((rules) => new Set(rules.map(({ name }) => name)).size === rules.length, {
      error: 'expected another name for each',
    })
    .default([])
    .describe(
      'The most requests, cost or units in a time, by caller, client, operation or address: [rate limits](demand.md#rate-limits).',
    )
    .meta({ reload: true }),
)
