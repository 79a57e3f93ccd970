/** The arguments of our own tools. One zod schema describes them to clients and checks them. */
import { z } from 'zod'
import { errorBehaviors } from '../../../shared/graphql/error-behavior.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import { leastTokens } from '../budgets.ts'
import { type CallContext, type Tool, type ToolResult, toolError } from './tool.ts'

/** The most characters of a document. */
const mostDocument = 20_000
const longestShown = 40

/** What a fault says of an argument: what it must be, and what came. */
export const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `expected ${what}, got ${inWords(input)}`,
})

function inWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'item')}`
  if (typeof value === 'string' && value.length > longestShown) return `a text of ${value.length} characters`
  return isObject(value) ? 'an object' : JSON.stringify(value)
}

export function text(most: number) {
  const fault = expected(`a text of 1 to ${most} characters`)
  return z.string(fault).min(1, fault).max(most, fault)
}

const confirmation = expected('a text of at most 1000 characters')
const enough = expected(`a whole number of at least ${leastTokens}`)

export const fields = {
  maxTokens: z.number(enough).int(enough).min(leastTokens, enough).optional(),
  document: text(mostDocument),
  words: text(500),
  variables: z.record(z.string(), z.unknown(), expected('an object')).optional(),
  onError: z.enum(errorBehaviors, expected(errorBehaviors.join(' or '))).optional(),
  handle: text(100),
  /** It may be empty: a client that requires every argument makes its model send something at the first call. */
  confirmation: z.string(confirmation).max(1_000, confirmation).optional(),
}

const wrong = (fault: string): ToolResult => toolError(`Wrong arguments: ${fault}.`)

/** What a call is told that names what there is not. */
export const noSuchArguments = (unknown: readonly string[], known: readonly string[]): ToolResult =>
  wrong(
    `there is no ${unknown.slice(0, 5).join(', ')}${known.length === 0 ? '' : `; expected ${known.join(', ')}`}`,
  )

export function faultIn([issue]: readonly z.core.$ZodIssue[], known: readonly string[]): ToolResult {
  if (issue?.code === 'unrecognized_keys') return noSuchArguments(issue.keys, known)
  return wrong(`${issue?.path.join('.')}: ${issue?.message}`)
}

/** No operation may have one of these names, even if the tool does not exist here. */
export const ownToolNames = [
  'budget',
  'describe_operation',
  'describe_schema',
  'execute_operation',
  'explain_operation',
  'find_operation',
  'more',
  'run_operation',
  'search_schema',
] as const

interface About {
  readonly name: (typeof ownToolNames)[number]
  readonly description: string
  /** Whether it may change anything; without it the tool only reads. */
  readonly changes?: boolean
}

/** Without what every JSON Schema of zod repeats: each byte of a definition is read by a model again and again. */
function listed(schema: z.ZodType): Tool['definition']['inputSchema'] {
  const made = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(([key]) => !dropped.has(key))
    return Object.fromEntries(entries.map(([key, each]) => [key, strip(each)]))
  }
  return { ...(strip(made) as object), type: 'object' }
}

/** Bounds and names are checked, and told if they are broken. Some clients read no schema that is closed. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'propertyNames',
])

export function ownTool<T>(
  about: About,
  args: z.ZodType<T> & Pick<z.ZodObject, 'shape'>,
  run: (args: T, context: CallContext) => ToolResult | Promise<ToolResult>,
): Tool {
  const { name, description, changes = false } = about
  return {
    definition: { name, description, inputSchema: listed(args), annotations: { readOnlyHint: !changes } },
    async call(given, context) {
      // Many models fill in each argument that is listed, as an operation's variables may be.
      const present = Object.entries(given).filter(([, value]) => value !== null)
      const parsed = args.safeParse(Object.fromEntries(present))
      if (parsed.success) return run(parsed.data, context)
      return faultIn(parsed.error.issues, Object.keys(args.shape))
    },
  }
}
