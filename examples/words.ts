/** Errors in words for users of an app, by `extensions.code`: messages may change, codes do not. */
interface Fault {
  readonly message: string
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export function inWords({ message, extensions = {} }: Fault): string {
  const { code, service, retryAfter, authorization } = extensions
  const { missing = [] } = (authorization ?? {}) as { missing?: readonly string[] }
  const named = service === undefined ? 'The service' : `The ${service} service`
  switch (code) {
    case 'UNAUTHENTICATED':
      return 'Sign in again: the token is missing, wrong or expired.'
    case 'UNAUTHORIZED_FIELD_OR_TYPE':
      return `This needs a token with ${missing.join(' and ') || 'more scopes'}.`
    case 'FORBIDDEN':
      return `Not allowed here: ${message}`
    case 'RATE_LIMITED':
      return `Too many requests; try again in ${retryAfter ?? 'a few'} seconds.`
    case 'QUOTA_EXCEEDED':
      return "Today's quota is used up."
    case 'COST_ESTIMATED_TOO_EXPENSIVE':
      return `Too dear: ${message}`
    case 'SUBSCRIPTION_TOO_SLOW':
      return 'More came than this page could take: load it again.'
    case 'UPSTREAM_TIMEOUT':
    case 'UPSTREAM_UNAVAILABLE':
    case 'UPSTREAM_BAD_RESPONSE':
      return `${named} has trouble; try again later.`
    default:
      return message
  }
}
