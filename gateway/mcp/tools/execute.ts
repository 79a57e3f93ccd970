/** Runs one operation for a tool and makes its answer. */

import { dataOf } from '../../http/pipeline/index.ts'
import type { AnswerParts, Answers } from '../answers/answer.ts'
import { type Asked, operate, usedBy } from '../exchange.ts'
import { type CallContext, mistake, type ToolAnswer } from './tool.ts'

export async function execute(
  answers: Answers,
  asked: Asked,
  maxTokens: AnswerParts['maxTokens'],
  { exchange, notes }: CallContext,
): Promise<ToolAnswer> {
  const response = await operate(exchange, asked)
  const { result, challenge } = response
  notes.used = usedBy(response)
  const errors = result.errors ?? []
  if (challenge !== undefined && (result.data === undefined || result.data === null)) {
    const message = errors.map((error) => error.message).join(' ')
    exchange.challenge = { challenge, message }
    notes.outcome = challenge.error ?? 'unauthenticated'
    return mistake(message)
  }
  const data = dataOf(result.data)
  notes.outcome =
    data === null ? String(errors[0]?.extensions.code ?? 'failed') : errors.length > 0 ? 'partial' : 'ok'
  const { query, operationName } = asked
  return answers.ofResult({ data, errors }, { caller: exchange.caller, maxTokens, query, operationName })
}
