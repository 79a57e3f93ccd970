/**
 * Apollo Client for this graph: connections grow page by page in the cache, and what is worth another try is tried again before anybody hears of it.
 */
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { relayStylePagination } from '@apollo/client/utilities'
import { defer, retry, switchMap, tap, throwError, timer } from 'rxjs'
import { possibleTypes } from './possible-types.generated.ts'

/** Waits of at most so many seconds are spent quietly; a longer one is the user's to decide. */
const patience = 5

/** So often a change is sent again whose answer was lost. */
const mostRepeats = 2

export interface Session {
  /** From `npm run tessera -- token`, or from your identity provider. */
  token: string
  /** Hears what each answer cost in quota units. */
  onSpent?(units: number): void
}

export function createClient(url: string, session: Session): ApolloClient {
  const credentials = new SetContextLink(({ headers }) => ({
    headers: {
      ...headers,
      'tessera-quota': '1',
      ...(session.token === '' ? {} : { authorization: `Bearer ${session.token}` }),
    },
  }))

  const again = new ErrorLink(({ error, operation, forward }) => {
    if (!CombinedGraphQLErrors.is(error) || operation.getContext().again === true) return
    const limited = error.errors.find(({ extensions }) => extensions?.code === 'RATE_LIMITED')
    const seconds = Number(limited?.extensions?.retryAfter)
    if (!(seconds <= patience)) return
    operation.setContext({ again: true })
    return timer(seconds * 1000).pipe(switchMap(() => forward(operation)))
  })

  // Repeats have the key of the first request, by which the gateway makes the change once.
  const once = new ApolloLink((operation, forward) => {
    if (operation.operationType !== 'mutation') return forward(operation)
    const key = `"${crypto.randomUUID()}"`
    operation.setContext(({ headers }) => ({ headers: { ...headers, 'idempotency-key': key } }))
    return defer(() => forward(operation)).pipe(
      retry({
        count: mostRepeats,
        // What `fetch` rejects with if no answer came.
        delay: (error, count) => (error instanceof TypeError ? timer(300 * count) : throwError(() => error)),
      }),
    )
  })

  const priced = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap(({ extensions }) => {
        const { spent } = (extensions?.quota ?? {}) as { readonly spent?: number }
        if (spent !== undefined) session.onSpent?.(spent)
      }),
    ),
  )

  const cache = new InMemoryCache({
    possibleTypes,
    typePolicies: {
      Query: { fields: { chartVideos: relayStylePagination(['chart', 'regionCode', 'videoCategoryId']) } },
      Video: { fields: { commentThreads: relayStylePagination(['order', 'searchTerms']) } },
      // One object that has no id of its own.
      Metrics: { merge: true },
    },
  })

  return new ApolloClient({
    cache,
    link: ApolloLink.from([once, again, credentials, priced, new HttpLink({ uri: url })]),
  })
}
