/** Errors in words, by `extensions.code`: messages may change, codes do not. */
import { type AnswerError, OperationError } from './environment.ts'

export function inWords({ message, extensions = {} }: AnswerError): string {
  const { code, service = 'The service', retryAfter, authorization } = extensions
  const { missing = [] } = (authorization ?? {}) as { missing?: readonly string[] }
  switch (code) {
    case 'UNAUTHENTICATED':
      return 'Sign in again: the token is missing, wrong or expired.'
    case 'UNAUTHORIZED_FIELD_OR_TYPE':
      return `This needs a token with ${missing.join(' and ') || 'more scopes'}.`
    case 'RATE_LIMITED':
      return `Too many requests; try again in ${retryAfter ?? 'a few'} seconds.`
    case 'QUOTA_EXCEEDED':
      return "Today's quota is used up."
    case 'UPSTREAM_TIMEOUT':
    case 'UPSTREAM_UNAVAILABLE':
    case 'UPSTREAM_BAD_RESPONSE':
      return `The ${service} service has trouble; try again later.`
    default:
      return message
  }
}

export function wordsOf(error: unknown): string[] {
  return error instanceof OperationError ? error.errors.map(inWords) : ['The graph cannot be reached.']
}
