/** A curated operation as a tool: its definition for a model, and its call. */
import { z } from 'zod'
import { counted } from '../../../shared/runtime/counted.ts'
import { isRefused } from '../../auth/granted-operation.ts'
import { requiredOf } from '../../costs/pricing.ts'
import type { McpGraph } from '../agent-request.ts'
import type { McpSettings } from '../config.ts'
import { faultIn, fields, noSuchArguments } from './arguments.ts'
import { type ChangeParts, change, confirmationArgument } from './change.ts'
import type { CuratedOperation } from './curated.ts'
import { execute } from './execute.ts'
import { inputSchemaOf, maxTokensArgument } from './input-schema.ts'
import { bytesIn, bytesOfToken, type CallContext, type ToolDefinition, type ToolResult } from './tool.ts'

export interface ToolOperation extends CuratedOperation {
  /** What it needs and costs, in a few words. */
  readonly facts: string
}

/** The document with cursors, or the bare one if the cursors take it over a limit. */
export async function acceptedText(
  graph: McpGraph,
  extended: string,
  bare: string,
  operationName: string | undefined,
): Promise<string> {
  if (extended === bare) return bare
  return isRefused(await graph.prepare(extended, operationName)) ? bare : extended
}

/** The fault if the graph refuses an operation: it passes a limit, for instance. */
export async function toolOperationFrom(
  graph: McpGraph,
  given: CuratedOperation,
): Promise<ToolOperation | { readonly fault: string }> {
  const { name, path, bare } = given
  const text = await acceptedText(graph, given.text, bare, name)
  const prepared = await graph.prepare(text, name)
  if (isRefused(prepared)) return { fault: `${path}: ${name}: ${prepared[0]?.message ?? 'is refused'}` }
  const required = (await requiredOf({ operation: prepared })) as readonly (readonly (readonly string[])[])[]
  const units = graph.units(prepared, given.samples)
  return { ...given, text, facts: inWords(given, scopesInWords(required), units) }
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
  const price = units === 0 ? '' : `, ${counted(units, 'unit')}`
  return `${isChange ? 'Changes' : 'Reads'}${scopes === '' ? '' : `; needs ${scopes}`}${price}, ~${tokens()} tokens.`
}

/** At most as long as an answer may be. It is made when it is read, because that of each operation may be so long. */
export function curatedDefinition(
  operation: ToolOperation,
  { schema, settings }: Pick<ChangeParts, 'schema' | 'settings'>,
): ToolDefinition {
  const { name, isChange, definition } = operation
  const most = settings.maxTokens * bytesOfToken
  const others = {
    [maxTokensArgument]: { type: 'integer' },
    ...(isChange && settings.changes === 'confirm' ? { [confirmationArgument]: { type: 'string' } } : {}),
  }
  const made = {
    name,
    description: aboutOperation(operation, most / 2),
    inputSchema: { type: 'object' as const },
    annotations: {
      readOnlyHint: !isChange && definition.operation === 'query',
      ...(isChange ? { destructiveHint: true } : {}),
    },
  }
  return { ...made, inputSchema: inputSchemaOf(schema, definition, others, most - bytesIn(made)) }
}

/** What an operation does, needs and costs, in at most that many bytes of JSON. */
export const aboutOperation = ({ description, facts }: ToolOperation, bytes: number): string =>
  `${beginningOf(description, bytes / 2)} ${beginningOf(facts, bytes / 2 - 1)}`

function beginningOf(text: string, bytes: number): string {
  const quotes = bytesIn('')
  if (bytesIn(text) - quotes <= bytes) return text
  let free = bytes - Buffer.byteLength('…')
  let end = 0
  for (const character of text) {
    free -= bytesIn(character) - quotes
    if (free < 0) break
    end += character.length
  }
  return `${text.slice(0, end)}…`
}

/** The names of what was given that is no variable; undefined if there is none. */
function unknownArguments(
  { variables, isChange }: CuratedOperation,
  args: Readonly<Record<string, unknown>>,
): ToolResult | undefined {
  const unknown = Object.keys(args).filter(
    (name) =>
      name !== maxTokensArgument && !variables.has(name) && !(isChange && name === confirmationArgument),
  )
  if (unknown.length === 0) return undefined
  return noSuchArguments(unknown, [...variables, maxTokensArgument])
}

/** The bound of one answer: an argument lowers that of the configuration, and never raises it. */
export const boundOf = ({ maxTokens }: Pick<McpSettings, 'maxTokens'>, given = maxTokens): number =>
  Math.min(maxTokens, given)

const bounded = z.object({ [maxTokensArgument]: fields.maxTokens })

export async function callCurated(
  operation: CuratedOperation,
  args: Readonly<Record<string, unknown>>,
  parts: ChangeParts,
  context: CallContext,
): Promise<ToolResult> {
  const unknown = unknownArguments(operation, args)
  if (unknown !== undefined) return unknown
  const { [maxTokensArgument]: maxTokens, [confirmationArgument]: confirmation, ...variables } = args
  const own = bounded.safeParse({ maxTokens: maxTokens ?? undefined })
  if (!own.success) return faultIn(own.error.issues, [])
  const bound = boundOf(parts.settings, own.data.maxTokens)
  context.notes.variables = Object.keys(variables)
  const asked = { query: operation.text, operationName: operation.name, variables, refusesParts: true }
  if (!operation.isChange) return execute(parts, asked, bound, context)
  return change({ ...asked, definition: operation.definition, confirmation }, bound, parts, context)
}
