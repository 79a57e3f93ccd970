/** Runs one operation for a tool, within the budgets of its grant, and makes its result. */
import { type GraphQLError, getVariableValues } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { isRefused } from '../../auth/granted-operation.ts'
import { dataOf, type OperationResponse } from '../../pipeline/index.ts'
import {
  type AgentOperation,
  type AgentRequest,
  runOperation,
  runsOwnOperations,
  usageOf,
} from '../agent-request.ts'
import { type Amounts, type BudgetState, type Budgets, grantOf } from '../budgets.ts'
import type { Recipient, ResultParts, ToolResults } from '../results/tool-results.ts'
import {
  type CallContext,
  type CallNotes,
  type ToolResult,
  tokensIn,
  toolError,
  workStartedBy,
} from './tool.ts'

export interface Execution {
  readonly results: ToolResults
  readonly budgets: Budgets
}

export async function execute(
  { results, budgets }: Execution,
  asked: AgentOperation,
  maxTokens: ResultParts['maxTokens'],
  { agentRequest, notes }: CallContext,
): Promise<ToolResult> {
  const grant = grantOf(agentRequest.identity, agentRequest.caller)
  const wanted: Amounts = {
    calls: 1,
    units: budgets.isEmpty ? 0 : await unitsOf(asked, agentRequest),
    tokens: maxTokens,
    changes: notes.isChange ? 1 : 0,
  }
  const first = await budgets.take(grant, wanted)
  let taking = first
  let unlessRepeated: GraphQLError | undefined
  if (first.over !== undefined && notes.idempotencyKey !== undefined) {
    // A repeat of a change takes neither units nor a change, so the outcome is told even if none of these are left.
    taking = await budgets.take(grant, { ...wanted, units: 0, changes: 0 })
    unlessRepeated = tesseraError('QUOTA_EXCEEDED', usedUp)
  }
  if (taking.over !== undefined) return overBudget(taking.over, notes)
  const { taken } = taking
  let answer: ToolResult | undefined
  let changed = true
  let wasRefused = false
  try {
    const response = await runOperation(agentRequest, { ...asked, unlessRepeated })
    notes.used = usageOf(response)
    const refused =
      first.over !== undefined && response.result.errors?.some((error) => error === unlessRepeated)
        ? overBudget(first.over, notes)
        : refusedOf(response, agentRequest, notes)
    wasRefused = refused !== undefined
    changed = !wasRefused && response.head?.includes('idempotency-replayed') !== true
    answer = refused ?? (await answerOf(response, asked, taken.tokens, { results, agentRequest, notes }))
    return answer
  } finally {
    const tokens = wasRefused || answer === undefined ? 0 : tokensIn(answer.text)
    await budgets.putBack(grant, {
      // A refused call counts as a call, too.
      calls: 0,
      units: Math.max(0, taken.units - notes.used.units),
      tokens: Math.max(0, taken.tokens - tokens),
      changes: changed ? 0 : taken.changes,
    })
  }
}

const usedUp = 'A budget of this grant is used up. Nothing was run.'

export function overBudget(over: BudgetState, notes: CallNotes): ToolResult {
  notes.outcome = 'budget'
  const stillWorks = ['budget, search_schema, describe_schema, explain_operation']
  // `more` takes tokens, and fewer are left than it needs.
  if (!over.budget.startsWith('tokens')) stillWorks.push('more, and whatever takes less')
  else if (notes.isChange) stillWorks.push('and this change with a smaller maxTokens')
  return toolError(JSON.stringify({ error: usedUp, ...over, stillWorks: stillWorks.join(', ') }))
}

export const recipientIn = ({ caller, identity: { scopes } }: AgentRequest): Recipient => ({ caller, scopes })

/** Undefined if the caller lacks no scope. If it does, the HTTP response says so. */
export function refusedOf(
  { result, challenge }: OperationResponse<unknown>,
  agentRequest: AgentRequest,
  notes: CallNotes,
): ToolResult | undefined {
  if (challenge === undefined || (result.data !== undefined && result.data !== null)) return undefined
  const message = refusalsIn(result.errors ?? [])
  agentRequest.challenge = { challenge, message }
  notes.outcome = challenge.error ?? 'unauthenticated'
  return toolError(message)
}

/**
 * A model reads this. It can leave out fields of its own document, so each of those is named. Errors of an operation
 * that is refused as a whole have no path, and of its fields that lack the same only the first is named.
 */
function refusalsIn(errors: readonly GraphQLError[]): string {
  const messages = new Map<string, string>()
  for (const { message, path, extensions } of errors) {
    const lack = path === undefined ? JSON.stringify(extensions.authorization) : undefined
    const key = lack ?? message
    if (!messages.has(key)) messages.set(key, message)
  }
  return [...messages.values()].join(' ')
}

async function answerOf(
  { result }: OperationResponse<unknown>,
  { query, operationName, variables }: AgentOperation,
  maxTokens: number,
  { results, agentRequest, notes }: { results: ToolResults; agentRequest: AgentRequest; notes: CallNotes },
): Promise<ToolResult> {
  const errors = result.errors ?? []
  const data = dataOf(result.data)
  // A change with a payload was made, even if nothing of the payload could be read.
  const isLost = notes.isChange ? isNull : holdsOnlyNull
  const hasFailed = data === null || (errors.length > 0 && Object.values(data).every(isLost))
  notes.outcome = hasFailed
    ? String(errors[0]?.extensions.code ?? 'failed')
    : errors.length > 0
      ? 'partial'
      : 'ok'
  const answer = await results.ofResult(
    { data, errors },
    { ...recipientIn(agentRequest), maxTokens, query, operationName, variables, isChange: notes.isChange },
  )
  if (hasFailed) return { ...answer, isError: true }
  // A task would not report the errors.
  if (errors.length > 0 || !notes.isChange || !runsOwnOperations(agentRequest.graph)) return answer
  return { ...answer, startedWork: workStartedBy(data) }
}

const isNull = (value: unknown): boolean => value === null

/** Whether everything failed. Failed fields are null, so `data` is present even then. An empty list is a result. */
function holdsOnlyNull(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return value === null
  const values = Object.values(value)
  return values.length > 0 && values.every(holdsOnlyNull)
}

/** The most units that it can spend; a refused operation spends none. */
export async function unitsOf(
  { query, operationName, variables = {} }: AgentOperation,
  { graph }: AgentRequest,
): Promise<number> {
  try {
    const operation = await graph.prepare(query, operationName)
    if (isRefused(operation)) return 0
    const definitions = operation.normalised.variables
    const { errors } = getVariableValues(graph.schema, definitions, { ...variables }, { maxErrors: 1 })
    return errors === undefined ? graph.units(operation, variables) : 0
  } catch {
    // Too many operations are being prepared now: the pipeline says so.
    return 0
  }
}
