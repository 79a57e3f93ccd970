/** Errors in words for users of the app, by `extensions.code`: messages may change, codes do not. */
import type { AnswerError } from './client.ts'

export function inWords({ message, extensions }: AnswerError): string {
  const { code, service = 'The service', retryAfter, authorization } = extensions
  switch (code) {
    case 'UNAUTHENTICATED':
      return 'Sign in again: the token is missing, wrong or expired.'
    case 'UNAUTHORIZED_FIELD_OR_TYPE':
      return `This needs a token with ${authorization?.missing.join(' and ') || 'more scopes'}.`
    case 'FORBIDDEN':
      return `Not allowed here: ${message}`
    case 'RATE_LIMITED':
      return `Too many requests; try again in ${retryAfter ?? 'a few'} seconds.`
    case 'QUOTA_EXCEEDED':
      return "Today's quota is used up."
    case 'COST_ESTIMATED_TOO_EXPENSIVE':
      return `Too dear: ${message}`
    case 'UPSTREAM_TIMEOUT':
    case 'UPSTREAM_UNAVAILABLE':
    case 'UPSTREAM_BAD_RESPONSE':
      return `${service} has trouble; what it knows is missing for now.`
    default:
      return message
  }
}
