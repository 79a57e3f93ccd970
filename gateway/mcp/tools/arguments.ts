/** Arguments of our own tools: one zod schema is what is listed and what is checked. */
import { z } from 'zod'
import { errorBehaviors } from '../../../shared/graphql/error-behavior.ts'
import { mistake, type ToolAnswer } from './tool.ts'

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

export interface InputSchema {
  readonly type: 'object'
  readonly [key: string]: unknown
}

/** Without what every JSON Schema of zod repeats: each byte of a definition is read by a model again and again. */
export function listed(schema: z.ZodType): InputSchema {
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

export function readArguments<T>(
  schema: z.ZodType<T>,
  args: unknown,
):
  | { readonly args: T; readonly fault?: undefined }
  | { readonly args?: undefined; readonly fault: ToolAnswer } {
  const parsed = schema.safeParse(args)
  if (parsed.success) return { args: parsed.data }
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.') ?? ''
  return {
    fault: mistake(`Wrong arguments: ${at === '' ? '' : `${at}: `}${issue?.message ?? 'not as listed'}.`),
  }
}
