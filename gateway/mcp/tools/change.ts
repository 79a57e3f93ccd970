/** Changes: made at once, or only after a confirmation, as the configuration says. */
import {
  type FieldNode,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  print,
} from 'graphql'
import { defaultsOf } from '../../../shared/graphql/literals.ts'
import { fragmentsOf, selectedFields } from '../../../shared/graphql/selections.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import { type AgentOperation, runOperation, usageOf } from '../agent-request.ts'
import type { McpSettings } from '../config.ts'
import type { Confirmations } from '../confirm.ts'
import { withInvisibleEscaped } from '../results/text-marks.ts'
import { type Execution, execute, refusedOf } from './execute.ts'
import { type CallContext, type ToolResult, toolError } from './tool.ts'

export const confirmationArgument = 'confirmation'

/** How each change of our graph can be undone. A change that is not in this list cannot be undone, or it is not known how. */
export const undoneBy: Readonly<Record<string, string>> = {
  createIntent: 'deleteIntent undoes it.',
  likeMessage: 'unlikeMessage undoes it.',
  unlikeMessage: 'likeMessage undoes it.',
  insertVideo: 'deleteVideo undoes it.',
  setAgent: 'Only by writing the old values back.',
  updateIntent: 'Only by writing the old values back.',
  updateVideo: 'Only by writing the old values back.',
}

export interface ChangeParts extends Execution {
  readonly settings: McpSettings
  readonly schema: GraphQLSchema
  readonly confirmations: Confirmations
}

interface AskedChange extends AgentOperation {
  readonly definition: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>>
  /** As the caller sent it. An empty text or null counts as none. */
  readonly confirmation: unknown
}

export async function change(
  asked: AskedChange,
  maxTokens: number,
  parts: ChangeParts,
  context: CallContext,
): Promise<ToolResult> {
  const { agentRequest, notes } = context
  const { query, variables } = asked
  notes.isChange = true
  if (parts.settings.changes === 'off')
    return toolError('Changes are switched off here (mcp.changes): only queries are run.')
  if (parts.settings.changes === 'free') return execute(parts, asked, maxTokens, context)
  const about = { caller: agentRequest.caller, query, variables }
  const { answered } = agentRequest
  const confirmation = asked.confirmation || undefined
  const given = confirmation ?? answered?.state
  if (given === undefined) return askBack(asked, parts, context)
  const key = typeof given === 'string' ? await parts.confirmations.keyIn(given, about) : undefined
  if (key === undefined)
    return toolError(
      'The confirmation is not for this change: it was altered, is older than ten minutes, is another caller’s, the arguments are not those that were shown, or the server was restarted. Nothing was changed by this call. If an earlier one may have made the change, look first; then call again without it.',
    )
  if (confirmation === undefined && answered?.isAccepted !== true)
    return toolError('The user did not agree. Nothing was changed.')
  notes.idempotencyKey = key
  return execute(parts, { ...asked, extensions: { idempotencyKey: key } }, maxTokens, context)
}

/** Says what would be sent, after a check that the caller may do it. */
async function askBack(
  { query, operationName, definition, variables }: AskedChange,
  { schema, confirmations }: ChangeParts,
  { agentRequest, notes }: CallContext,
): Promise<ToolResult> {
  const { errors } = getVariableValues(
    schema,
    definition.variableDefinitions ?? [],
    { ...variables },
    { maxErrors: 3 },
  )
  if (errors !== undefined)
    return toolError(`Wrong arguments: ${errors.map(({ message }) => message).join(' ')}`)
  const response = await runOperation(agentRequest, {
    query,
    operationName,
    variables,
    refusesParts: true,
    headers: { 'tessera-explain': '1' },
  })
  notes.used = usageOf(response)
  const refused = refusedOf(response, agentRequest, notes)
  if (refused !== undefined) return refused
  // Idempotency keys belong to callers with a token, and without a key a repeat would make the change again.
  if (!agentRequest.identity.authenticated)
    return toolError(
      'A change is confirmed here, which needs a token: connect with one. Nothing was changed.',
    )
  const explained = response.result.extensions?.explain as { readonly units?: number } | undefined
  if (explained === undefined) {
    notes.outcome = String(response.result.errors?.[0]?.extensions.code ?? 'failed')
    return toolError(
      `Nothing was changed: ${response.result.errors?.[0]?.message ?? 'the operation is refused'}`,
    )
  }
  // Fragments are read too: the person who is asked sees everything that is changed.
  const sent = selectedFields(definition.selectionSet, fragmentsOf(parse(query)))
  const fields = sent.map(({ name }) => name.value)
  const undo = fields.map((field) => undoneBy[field] ?? 'It cannot be undone.').join(' ')
  const confirmation = await confirmations.make({ caller: agentRequest.caller, query, variables })
  notes.outcome = 'asked'
  const { units = 0 } = explained
  // A document may have the values in it, of which the names of fields and the variables would say nothing.
  const sends = shown(sent.map(withoutSelection).join(', '))
  const sentVariables = { ...defaultsOf(definition.variableDefinitions), ...variables }
  if (agentRequest.elicits)
    return {
      text: '',
      ask: {
        message: `${sends} with ${shown(JSON.stringify(sentVariables))}, for ${counted(units, 'unit')}. ${undo}`,
        state: confirmation,
      },
    }
  return {
    text: JSON.stringify({
      note: `Nothing was changed yet. Ask the user; then call again with the same arguments and ${confirmationArgument}, within ten minutes. However often it is sent, it is done once.`,
      change: { fields, sends, variables: sentVariables, units, undo },
      [confirmationArgument]: confirmation,
    }),
  }
}

const withoutSelection = ({ kind, name, arguments: args }: FieldNode): string =>
  print({ kind, name, arguments: args ?? [] })

const mostShown = 2_000

/** Text for a person: no character in it is invisible or changes the direction of the text. */
function shown(given: string): string {
  const text = withInvisibleEscaped(given)
  return text.length <= mostShown
    ? text
    : `${text.slice(0, mostShown)}… (and ${counted(text.length - mostShown, 'more character')})`
}
