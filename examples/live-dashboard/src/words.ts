/** Errors in words, by `extensions.code`: messages may change, codes do not. */
import { CombinedGraphQLErrors } from '@apollo/client'

interface Fault {
  readonly message: string
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export function wordsOf(error: Error): string {
  const { message, extensions = {} }: Fault =
    (CombinedGraphQLErrors.is(error) ? error.errors[0] : error) ?? error
  const { missing = [] } = (extensions.authorization ?? {}) as { missing?: readonly string[] }
  switch (extensions.code) {
    case 'UNAUTHENTICATED':
      return 'The token is wrong, or has expired: use another one.'
    case 'UNAUTHORIZED_FIELD_OR_TYPE':
      return `This needs a token with ${missing.join(' and ') || 'more scopes'}.`
    case 'SUBSCRIPTION_TOO_SLOW':
      return 'More came than this page could take: load it again.'
    case 'QUOTA_EXCEEDED':
      return "Today's quota is used up."
    default:
      return message
  }
}
