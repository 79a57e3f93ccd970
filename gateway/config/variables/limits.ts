/** The maximum sizes of one request and one operation. */
import { integer } from '../fields.ts'

export const limitsVariables = {
  TESSERA_MAX_BODY_BYTES: integer(1_000, 1e9).default(1_048_576).describe('The largest request body.'),
  TESSERA_MAX_TOKENS: integer(10, 1e7).default(5_000).describe('The most lexical tokens of a document.'),
  TESSERA_MAX_NESTING: integer(10, 500)
    .default(64)
    .describe(
      'The most brackets, fields or fragments within each other in a document, and levels of variables.',
    ),
  TESSERA_MAX_DEPTH: integer(1, 1000).default(20).describe('The deepest selection.'),
  TESSERA_MAX_ALIASES: integer(0, 1e6).default(100).describe('The most aliases of an operation.'),
  TESSERA_MAX_ROOT_FIELDS: integer(1, 1e6).default(50).describe('The most root fields of an operation.'),
  TESSERA_MAX_DIRECTIVES: integer(0, 1e6).default(100).describe('The most directives of an operation.'),
  TESSERA_MAX_FIELDS: integer(1, 1e7)
    .default(10_000)
    .describe('The most fields of a document after fragments are spread.'),
  TESSERA_MAX_LIST_ITEMS: integer(1, 1e6)
    .default(500)
    .describe('The longest list in arguments and variables.'),
  TESSERA_MAX_IDS: integer(1, 1e6)
    .default(500)
    .describe('The most ids that `videos`, `messages` and `nodes` each take.'),
  TESSERA_MAX_CALLS: integer(1, 1e6)
    .default(500)
    .describe('The most calls that one operation may make to a service, as estimated before it runs.'),
  TESSERA_MAX_VALUES: integer(1, 1e9)
    .default(100_000)
    .describe(
      'The most values that an operation asks for: its fields, times the items of the lists around them.',
    ),
  TESSERA_MAX_RESPONSE_BYTES: integer(1_000, 500_000_000)
    .default(33_554_432)
    .describe('The largest response.'),
  TESSERA_MAX_INTROSPECTION_BYTES: integer(10_000, 500_000_000)
    .default(4_000_000)
    .describe('The largest answer of `__schema` or `__type`.'),
  TESSERA_MAX_PREPARING: integer(1, 100_000)
    .default(200)
    .describe('The most new operations that wait to be read, planned and compiled; beyond it is 503.'),
  TESSERA_KEPT_OPERATIONS: integer(1, 1_000_000)
    .default(1000)
    .describe(
      'The most documents that are kept parsed, planned and compiled, as far as TESSERA_KEPT_BYTES allows.',
    ),
  TESSERA_KEPT_BYTES: integer(1_000_000, 100_000_000_000)
    .default(100_000_000)
    .describe('The memory for what is kept of operations, all caches together, as estimated.'),
  TESSERA_IDEMPOTENCY_SECONDS: integer(60, 30 * 24 * 3600)
    .default(24 * 3600)
    .describe('How long the outcome of a mutation with an idempotency key is kept.'),
  TESSERA_IDEMPOTENCY_SETTLE_MS: integer(0, 600_000)
    .default(10_000)
    .describe(
      'How long after a write whose answer was lost it may still show at the service: earlier, a repeat that does not find it does nothing.',
    ),
  TESSERA_IDEMPOTENCY_BYTES: integer(100_000, 10_000_000_000)
    .default(32_000_000)
    .describe('The memory for outcomes of mutations: in Redis of one caller, without it of all.'),
  TESSERA_MAX_BATCH: integer(0, 1000)
    .default(0)
    .describe('The most operations in one HTTP request; 0 takes none.'),
} as const
