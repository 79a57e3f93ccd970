/** Why a subscription ended, in words, and whether it is resumed automatically. Pure. */
interface End {
  readonly code: string | undefined
  readonly words: string
}

const wordsByCode: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'The token has expired, or is no longer valid.',
  SUBSCRIPTION_TOO_SLOW: 'Events came faster than this page could read them. Run it again to resume.',
  QUOTA_EXCEEDED: 'The units of the day are used up.',
  COST_ESTIMATED_TOO_EXPENSIVE: 'It would cost more than is allowed.',
  TOO_MANY_SUBSCRIPTIONS: 'There are too many subscriptions.',
  SERVICE_STOPPING: 'The server is shutting down.',
  SUBSCRIPTION_RESTART: 'The graph has changed.',
}

/** An event with errors and without data ends the subscription. */
export function endIn(answer: unknown): End | undefined {
  if (typeof answer !== 'object' || answer === null || 'data' in answer || !('errors' in answer))
    return undefined
  const [error] = Array.isArray(answer.errors) ? (answer.errors as unknown[]) : []
  if (typeof error !== 'object' || error === null) return undefined
  const { message, extensions } = error as { message?: unknown; extensions?: { code?: unknown } | null }
  const code = typeof extensions?.code === 'string' ? extensions.code : undefined
  return { code, words: wordsByCode[code ?? ''] ?? String(message) }
}

/** Whether the server asks its clients to subscribe again. */
export const isToBeRepeated = ({ code }: End): boolean =>
  code === 'SERVICE_STOPPING' || code === 'SUBSCRIPTION_RESTART'

/** Milliseconds before the next attempt. They grow up to half a minute. */
export const waitBefore = (attempt: number): number => Math.min(30_000, 1000 * 2 ** Math.min(attempt, 10))
