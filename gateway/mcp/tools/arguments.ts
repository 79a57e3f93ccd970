/** Our own tools: one zod schema of the arguments is what is listed and what is checked. */
import { z } from 'zod'
import { errorBehaviors } from '../../../shared/graphql/error-behavior.ts'
import { type CallContext, mistake, type Tool, type ToolAnswer } from './tool.ts'

/** The most characters of a document, and of other texts. */
export const mostDocument = 20_000
const mostText = 500

export const fields = {
  maxTokens: z.int().min(200).max(1_000_000).optional(),
  document: z.string().min(1).max(mostDocument),
  words: z.string().min(1).max(mostText),
  variables: z.record(z.string(), z.unknown()).optional(),
  onError: z.enum(errorBehaviors).optional(),
  handle: z.string().min(1).max(100),
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
    const entries = Object.entries(value)
      .filter(([key]) => !dropped.has(key))
      .map(([key, each]) => [key, strip(each)] as const)
      // Says nothing: further properties are anything unless something else is said.
      .filter(([key, each]) => key !== 'additionalProperties' || JSON.stringify(each) !== '{}')
    return Object.fromEntries(entries)
  }
  return { ...(strip(made) as object), type: 'object' }
}

/** Bounds are checked, and told if they are broken. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
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
  args: z.ZodType<T>,
  run: (args: T, context: CallContext) => ToolAnswer | Promise<ToolAnswer>,
): Tool {
  const { name, description, changes = false } = about
  return {
    definition: { name, description, inputSchema: listed(args), annotations: { readOnlyHint: !changes } },
    async call(given, context) {
      // Many models fill in each argument that is listed, as an operation's variables may be.
      const present = Object.entries(given).filter(([, value]) => value !== null)
      const parsed = args.safeParse(Object.fromEntries(present))
      if (parsed.success) return run(parsed.data, context)
      const [issue] = parsed.error.issues
      const at = issue?.path.join('.') ?? ''
      return mistake(`Wrong arguments: ${at === '' ? '' : `${at}: `}${issue?.message ?? 'not as listed'}.`)
    },
  }
}
