/** Runs one operation for a tool, within the budgets of its grant, and makes its answer. */
import { type GraphQLError, getVariableValues } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { isRefused } from '../../auth/operation.ts'
import { dataOf, type OperationResponse } from '../../pipeline/index.ts'
import type { AnswerParts, Answers, Recipient } from '../answers/answer.ts'
import { type Amounts, type BudgetState, type Budgets, grantOf } from '../budgets.ts'
import { type Asked, type Exchange, operate, servesOwn, usedBy } from '../exchange.ts'
import { begunBy, type CallContext, type CallNotes, mistake, type ToolAnswer, tokensIn } from './tool.ts'

export interface Execution {
  readonly answers: Answers
  readonly budgets: Budgets
}

export async function execute(
  { answers, budgets }: Execution,
  asked: Asked,
  maxTokens: AnswerParts['maxTokens'],
  { exchange, notes }: CallContext,
): Promise<ToolAnswer> {
  const grant = grantOf(exchange.identity, exchange.caller)
  const wanted: Amounts = {
    calls: 1,
    units: budgets.isEmpty ? 0 : await unitsOf(asked, exchange),
    tokens: maxTokens,
    changes: notes.isChange ? 1 : 0,
  }
  const first = await budgets.take(grant, wanted)
  let taking = first
  let unlessRepeated: GraphQLError | undefined
  if (first.over !== undefined && notes.idempotencyKey !== undefined) {
    // A repeat of a change takes neither units nor a change, so that what was made is told whatever is left of these.
    taking = await budgets.take(grant, { ...wanted, units: 0, changes: 0 })
    unlessRepeated = tesseraError('QUOTA_EXCEEDED', usedUp)
  }
  if (taking.over !== undefined) return overBudget(taking.over, notes)
  const { taken } = taking
  let answer: ToolAnswer | undefined
  let changed = true
  let wasRefused = false
  try {
    const response = await operate(exchange, { ...asked, unlessRepeated })
    notes.used = usedBy(response)
    const refused =
      first.over !== undefined && response.result.errors?.some((error) => error === unlessRepeated)
        ? overBudget(first.over, notes)
        : refusedOf(response, exchange, notes)
    wasRefused = refused !== undefined
    changed = !wasRefused && response.head?.includes('idempotency-replayed') !== true
    answer = refused ?? (await answerOf(response, asked, taken.tokens, { answers, exchange, notes }))
    return answer
  } finally {
    const tokens = wasRefused || answer === undefined ? 0 : tokensIn(answer.text)
    await budgets.putBack(grant, {
      // A refused call was one all the same.
      calls: 0,
      units: Math.max(0, taken.units - notes.used.units),
      tokens: Math.max(0, taken.tokens - tokens),
      changes: changed ? 0 : taken.changes,
    })
  }
}

const usedUp = 'A budget of this grant is used up. Nothing was run.'

/** What a call beyond a budget is told. */
export function overBudget(over: BudgetState, notes: CallNotes): ToolAnswer {
  notes.outcome = 'budget'
  const stillWorks = ['budget, search_schema, describe_schema, explain_operation']
  // `more` takes tokens, and fewer are left than it needs.
  if (!over.budget.startsWith('tokens')) stillWorks.push('more, and whatever takes less')
  else if (notes.isChange) stillWorks.push('and this change with a smaller maxTokens')
  return mistake(JSON.stringify({ error: usedUp, ...over, stillWorks: stillWorks.join(', ') }))
}

export const recipientIn = ({ caller, identity: { scopes } }: Exchange): Recipient => ({ caller, scopes })

/** Undefined if the caller lacks no scope. If it does, the HTTP response says so. */
export function refusedOf(
  { result, challenge }: OperationResponse<unknown>,
  exchange: Exchange,
  notes: CallNotes,
): ToolAnswer | undefined {
  if (challenge === undefined || (result.data !== undefined && result.data !== null)) return undefined
  const message = (result.errors ?? []).map((error) => error.message).join(' ')
  exchange.challenge = { challenge, message }
  notes.outcome = challenge.error ?? 'unauthenticated'
  return mistake(message)
}

async function answerOf(
  { result }: OperationResponse<unknown>,
  { query, operationName, variables }: Asked,
  maxTokens: number,
  { answers, exchange, notes }: { answers: Answers; exchange: Exchange; notes: CallNotes },
): Promise<ToolAnswer> {
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
  const answer = await answers.ofResult(
    { data, errors },
    { ...recipientIn(exchange), maxTokens, query, operationName, variables, isChange: notes.isChange },
  )
  if (hasFailed) return { ...answer, isError: true }
  // A task would not tell the errors.
  if (errors.length > 0 || !notes.isChange || !servesOwn(exchange.graph)) return answer
  return { ...answer, begun: begunBy(data) }
}

const isNull = (value: unknown): boolean => value === null

/** Fields that fail are null, so an operation of which everything has failed has `data` all the same. An empty list is a result. */
function holdsOnlyNull(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return value === null
  const values = Object.values(value)
  return values.length > 0 && values.every(holdsOnlyNull)
}

/** The most units that it can spend; what is refused anyway spends none. */
export async function unitsOf(
  { query, operationName, variables = {} }: Asked,
  { graph }: Exchange,
): Promise<number> {
  try {
    const operation = await graph.prepare(query, operationName)
    if (isRefused(operation)) return 0
    const definitions = operation.normalised.variables
    const { errors } = getVariableValues(graph.schema, definitions, { ...variables }, { maxErrors: 1 })
    return errors === undefined ? graph.units(operation, variables) : 0
  } catch {
    // Too much is prepared now: the pipeline says so.
    return 0
  }
}
