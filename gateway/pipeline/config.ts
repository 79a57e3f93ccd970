/** What clients may request, what of it is stored, and what is reported about it. */
import { z } from 'zod'
import { errorBehaviors } from '../../shared/graphql/error-behavior.ts'
import { lazily, section } from '../settings/index.ts'
import { flag, headerName, integer, matching, milliseconds, oneOf } from '../settings/kinds.ts'
import { type AccessField, accessFields, isLoggable } from './access-log.ts'

export const graphql = lazily(() =>
  section(
    {
      introspection: flag.default(true).describe('Whether the schema can be introspected.'),
      onError: oneOf(...errorBehaviors)
        .default('PROPAGATE')
        .describe(
          'What becomes of a response if a field fails and the request has no `onError`: a null in a non-null position removes its parent (PROPAGATE), only the failed field is null (NULL), or the first error ends the operation (HALT): [errors](errors.md#onerror).',
        ),
    },
    'GraphQL.',
  ).meta({ prefix: 'TESSERA_', reload: true }),
)

export const kept = lazily(() =>
  section(
    {
      operations: integer(1, 1_000_000)
        .default(1000)
        .describe(
          'The most documents that are kept parsed, planned and compiled, as far as `kept.bytes` allows.',
        ),
      bytes: integer(1_000_000, 100_000_000_000)
        .default(100_000_000)
        .describe('The estimated memory for prepared operations, all caches together.'),
    },
    'Prepared operations that are kept.',
  ).meta({ reload: true }),
)

export const idempotency = lazily(() =>
  section(
    {
      seconds: integer(60, 30 * 24 * 3600)
        .default(24 * 3600)
        .describe('How long the outcome of a mutation with an idempotency key is kept.'),
      settleMs: milliseconds(0, 600_000)
        .default(10_000)
        .describe(
          'How long it may take until a write whose answer was lost shows at the service. Until then, a repeat that does not find it does nothing.',
        ),
      bytes: integer(100_000, 10_000_000_000)
        .default(32_000_000)
        .describe(
          'The memory for outcomes of mutations: of one caller in Redis, or of all callers without Redis.',
        ),
    },
    'Mutations with idempotency keys.',
  ),
)

const names = Object.keys(accessFields) as [AccessField, ...AccessField[]]
const header = headerName.refine(isLoggable, 'what may be a credential is never told')
const claim = matching(/^[\w.:/-]{1,200}$/, 'the name of a claim').refine(
  isLoggable,
  'what may be a credential is never told',
)

export const log = lazily(() =>
  section(
    {
      level: oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug')
        .default('info')
        .describe('How much is logged.')
        .meta({ reload: false }),
      fields: z
        .array(oneOf(...names))
        .min(1, 'expected at least one field')
        .optional()
        .describe(
          'The fields in the line of a request, in their order; the usual ones by default: [observability](observability.md#log).',
        ),
      headers: z
        .array(header)
        .max(50)
        .optional()
        .describe('Headers of the caller that are logged, too, each as `header_NAME`.'),
    },
    'The log.',
  ).meta({ reload: true }),
)

const attributeNames = (most: number) => ({
  headers: z.array(header).max(most).optional().describe('Headers of the caller.'),
  claims: z
    .array(claim)
    .max(most)
    .optional()
    .describe("Claims of the caller's token that are a text, a number, true or false."),
})

export const attributes = lazily(() =>
  section(
    {
      spans: z.strictObject(attributeNames(20)).optional().describe('On the span of each request.'),
      metrics: z
        .strictObject({
          ...attributeNames(5),
          mostValues: integer(1, 1000)
            .default(50)
            .describe('How many values of each have a series; the rest is counted as `other`.'),
        })
        .optional()
        .describe('Each request is counted by them in `tessera_requests_by_attribute_total`.'),
    },
    'Headers and claims of the caller as attributes of spans and metrics.',
  ).meta({ reload: true }),
)
