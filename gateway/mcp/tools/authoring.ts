/** The tools with which a model writes operations of its own: search, describe, explain, execute. */
import { type DocumentNode, getOperationAST, getVariableValues, parse } from 'graphql'
import { z } from 'zod'
import { type McpGraph, runOperation } from '../agent-request.ts'
import { errorsWithin } from '../results/errors.ts'
import { estimateTokens } from '../results/estimate-tokens.ts'
import { withCursors } from '../results/shape.ts'
import type { IsUntrusted } from '../results/untrusted-fields.ts'
import { expected, fields, ownTool, text } from './arguments.ts'
import { type ChangeParts, change, confirmationArgument } from './change.ts'
import { isChange } from './curated.ts'
import { acceptedText, boundOf } from './curated-tool.ts'
import { describeCoordinates } from './describe.ts'
import { execute } from './execute.ts'
import { createSchemaSearch } from './search.ts'
import { bytesOfToken, type CallContext, type Tool, type ToolResult, toolError } from './tool.ts'

interface AuthoringOptions extends ChangeParts {
  readonly graph: McpGraph
  readonly isUntrusted: IsUntrusted
}

const search = z.strictObject({ words: fields.words })
const some = expected('a list of 1 to 20 coordinates')
const describe = z.strictObject({ coordinates: z.array(text(200), some).min(1, some).max(20, some) })
const operation = z.strictObject({ document: fields.document, variables: fields.variables })
const executed = operation.extend({ maxTokens: fields.maxTokens, onError: fields.onError })
const executedOrConfirmed = executed.extend({ [confirmationArgument]: fields.confirmation })

const mostHits = 10

export function authoringTools(options: AuthoringOptions): readonly Tool[] {
  const { graph, settings } = options
  const changes = settings.changes !== 'off'
  const confirms = settings.changes === 'confirm'
  return [
    // If clients may not see the schema, no tool shows it.
    ...(graph.showsSchema ? readingTools(graph) : []),
    ownTool(
      {
        name: 'explain_operation',
        description:
          'Checks a GraphQL operation without running it: errors, scopes required and missing, units, calls, tokens of the answer, which `first` fits. Costs nothing.',
      },
      operation,
      ({ document, variables = {} }, context) => explain(document, variables, options, context),
    ),
    ownTool<ToRun>(
      {
        name: 'execute_operation',
        description: `Runs one GraphQL ${changes ? 'operation' : 'query'}.${confirms ? ' A change is asked back first.' : ''}`,
        changes,
      },
      confirms ? executedOrConfirmed : executed,
      (args, context) => run(args, options, context),
    ),
  ]
}

function readingTools({ schema }: McpGraph): readonly Tool[] {
  const find = createSchemaSearch(schema)
  return [
    ownTool(
      {
        name: 'search_schema',
        description: 'Finds GraphQL fields and types by words, each with its path from a root.',
      },
      search,
      ({ words }) => ({ text: JSON.stringify({ found: find(words, mostHits) }) }),
    ),
    ownTool(
      {
        name: 'describe_schema',
        description: 'SDL of types and fields, by coordinates (Type, Type.field), with scopes and prices.',
      },
      describe,
      ({ coordinates }) => ({ text: describeCoordinates(schema, coordinates) }),
    ),
  ]
}

/** Its characters bound it (`mostDocument`). A bound of its own would pass over what the pipeline reads. */
function parsed(document: string): DocumentNode | undefined {
  try {
    return parse(document, { noLocation: true })
  } catch {
    return undefined
  }
}

const subscribes = toolError('A subscription cannot be answered here: ask for the same by a query.')

/** What the gateway's own explanation says, and how large the answer would be. */
async function explain(
  document: string,
  variables: Readonly<Record<string, unknown>>,
  { graph, isUntrusted, settings }: AuthoringOptions,
  { agentRequest, notes }: CallContext,
): Promise<ToolResult> {
  notes.variables = Object.keys(variables)
  const read = parsed(document)
  if (read !== undefined && getOperationAST(read)?.operation === 'subscription') return subscribes
  const { result } = await runOperation(agentRequest, {
    query: document,
    variables,
    headers: { 'tessera-explain': '1' },
  })
  const found = result.extensions?.explain as Explanation | undefined
  if (found === undefined) {
    notes.outcome = String(result.errors?.[0]?.extensions.code ?? 'failed')
    const bytes = settings.maxTokens * bytesOfToken
    const told = errorsWithin(result.errors ?? [], bytes - '{"valid":false,"errors":}'.length)
    return { text: `{"valid":false,"errors":${told === '' ? '[]' : told}}` }
  }
  const { scopes, units, calls } = found
  const missing = [...new Set(scopes.refused.flatMap((refusal) => refusal.missing ?? []))]
  const size =
    read === undefined ? undefined : sizeOf(graph, read, variables, settings.maxTokens, isUntrusted)
  const definitions = (read && getOperationAST(read)?.variableDefinitions) ?? []
  const wrong = getVariableValues(graph.schema, definitions, { ...variables }, { maxErrors: 3 }).errors
  return {
    text: JSON.stringify({
      valid: wrong === undefined,
      ...(wrong === undefined
        ? {}
        : { errors: wrong.map(({ message }) => ({ code: 'BAD_USER_INPUT', message })) }),
      scopes: { required: scopes.required, missing },
      units,
      calls,
      ...size,
    }),
  }
}

interface Explanation {
  readonly scopes: {
    readonly required: readonly unknown[]
    readonly refused: readonly { readonly missing?: readonly string[] }[]
  }
  readonly units: number
  readonly calls: unknown
}

const pages = [100, 50, 20, 10, 5, 2, 1]

function sizeOf(
  { schema }: McpGraph,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  maxTokens: number,
  isUntrusted: IsUntrusted,
): object {
  const operationName = getOperationAST(document)?.name?.value
  const parts = { schema, document, operationName, variables, isUntrusted }
  const tokens = estimateTokens(parts)
  if (tokens <= maxTokens) return { tokens }
  const first = pages.find((page) => estimateTokens({ ...parts, page }) <= maxTokens)
  const hint =
    first === undefined
      ? 'Select fewer fields.'
      : `With first: ${first} the answer fits into ${maxTokens} tokens.`
  return { tokens, hint }
}

type ToRun = z.output<typeof executedOrConfirmed>

async function run(args: ToRun, options: AuthoringOptions, context: CallContext): Promise<ToolResult> {
  const { document, variables = {}, maxTokens, onError } = args
  const { graph, settings } = options
  const bound = boundOf(settings, maxTokens)
  context.notes.variables = Object.keys(variables)
  const read = parsed(document)
  const definition = read === undefined ? undefined : getOperationAST(read)
  if (read === undefined || definition == null)
    // The pipeline says what is wrong with it, or which of several operations is meant. What was not looked at here must
    // not change anything.
    return execute(options, { query: document, variables, onError, queriesOnly: true }, bound, context)
  if (definition.operation === 'subscription') return subscribes
  const query = await acceptedText(graph, withCursors(graph.schema, read), document, undefined)
  if (!isChange(definition, settings.reads))
    return execute(options, { query, variables, onError }, bound, context)
  const confirmation = args[confirmationArgument]
  return change({ query, definition, variables, onError, confirmation }, bound, options, context)
}
