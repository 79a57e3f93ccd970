/** Which failures of a poll end a subscription. After others, polling continues until the service works again. */
import { codeOf, type ErrorCode } from '../../../shared/errors.ts'

const lasting: ReadonlySet<unknown> = new Set([
  'BAD_USER_INPUT',
  'FORBIDDEN',
  'NOT_FOUND',
  'QUOTA_EXCEEDED',
  'COST_ESTIMATED_TOO_EXPENSIVE',
  'UNAUTHENTICATED',
] satisfies ErrorCode[])

export function isLasting(error: Error): boolean {
  return lasting.has(codeOf(error))
}
