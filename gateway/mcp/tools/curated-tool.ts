/** A curated operation as a tool: what a model reads of it, and how it is called. */

import type { Identity } from '../../../contract/identity.ts'
import { anonymous } from '../../../contract/identity.ts'
import { isRefused } from '../../access/operation.ts'
import { requiredOf } from '../../budget/pricing.ts'
import type { Answers } from '../answers/answer.ts'
import type { McpGraph } from '../exchange.ts'
import type { McpSettings } from '../settings.ts'
import type { CuratedOperation } from './curated.ts'
import { execute } from './execute.ts'
import { maxTokensArgument } from './input-schema.ts'
import { type CallContext, mistake, type ToolAnswer, type ToolDefinition } from './tool.ts'

export interface CuratedFacts {
  readonly operation: CuratedOperation
  /** What an operation needs and costs, in a few words. */
  readonly facts: string
  readonly units: number
}

/** Whoever prepares operations at start stands for nobody. */
export const nobody: Identity = anonymous

/** Throws where the graph refuses an operation: it passes a limit, for instance. */
export async function factsOf(graph: McpGraph, operation: CuratedOperation): Promise<CuratedFacts> {
  const prepared = await graph.prepare(operation.text, operation.name)
  if (isRefused(prepared))
    throw new Error(`mcp.operations: ${operation.name}: ${prepared[0]?.message ?? 'is refused'}`)
  const required = (await requiredOf({ operation: prepared })) as readonly (readonly (readonly string[])[])[]
  const units = graph.units(prepared, operation.samples)
  return { operation, units, facts: inWords(operation, scopesInWords(required), units) }
}

/** Each field's alternatives; fields that need the same are told once. */
function scopesInWords(required: readonly (readonly (readonly string[])[])[]): string {
  const common = new Set<string>()
  const choices = new Set<string>()
  for (const alternatives of required) {
    const [only, ...others] = alternatives
    if (only !== undefined && others.length === 0) for (const scope of only) common.add(scope)
    else choices.add(alternatives.map((scopes) => scopes.join('+')).join('|'))
  }
  return [...common, ...choices].join(' ')
}

function inWords({ isChange, tokens }: CuratedOperation, scopes: string, units: number): string {
  const price = units === 0 ? '' : `, ${units} unit${units === 1 ? '' : 's'}`
  return `${isChange ? 'Changes' : 'Reads'}${scopes === '' ? '' : `; needs ${scopes}`}${price}, ~${tokens} tokens.`
}

export function curatedDefinition({ operation, facts }: CuratedFacts): ToolDefinition {
  const { name, description, inputSchema, isChange, definition } = operation
  return {
    name,
    description: `${description} ${facts}`,
    inputSchema,
    annotations: {
      readOnlyHint: !isChange && definition.operation === 'query',
      ...(isChange ? { destructiveHint: true } : {}),
    },
  }
}

/** The names of what was given that is no variable; undefined where there is none. */
export function unknownArguments(
  { variables }: CuratedOperation,
  args: Readonly<Record<string, unknown>>,
): ToolAnswer | undefined {
  const unknown = Object.keys(args).filter((name) => name !== maxTokensArgument && !variables.has(name))
  if (unknown.length === 0) return undefined
  const known = [...variables, maxTokensArgument].join(', ')
  return mistake(`Wrong arguments: there is no ${unknown.slice(0, 5).join(', ')}; expected ${known}.`)
}

/** The bound of one answer: an argument lowers that of the configuration, and never raises it. */
export function boundOf(
  { maxTokens }: Pick<McpSettings, 'maxTokens'>,
  given: unknown,
): number | { readonly fault: ToolAnswer } {
  if (given === undefined || given === null) return maxTokens
  if (!Number.isInteger(given) || Number(given) < 200)
    return { fault: mistake('Wrong arguments: maxTokens: expected a whole number of at least 200.') }
  return Math.min(maxTokens, Number(given))
}

export async function callCurated(
  operation: CuratedOperation,
  args: Readonly<Record<string, unknown>>,
  parts: { readonly answers: Answers; readonly settings: McpSettings; readonly idempotencyKey?: string },
  context: CallContext,
): Promise<ToolAnswer> {
  const unknown = unknownArguments(operation, args)
  if (unknown !== undefined) return unknown
  const bound = boundOf(parts.settings, args[maxTokensArgument])
  if (typeof bound === 'object') return bound.fault
  const { [maxTokensArgument]: _, ...variables } = args
  context.notes.variables = Object.keys(variables)
  const { idempotencyKey } = parts
  return execute(
    parts.answers,
    {
      query: operation.text,
      operationName: operation.name,
      variables,
      refusesParts: true,
      ...(idempotencyKey === undefined ? {} : { extensions: { idempotencyKey } }),
    },
    bound,
    context,
  )
}
