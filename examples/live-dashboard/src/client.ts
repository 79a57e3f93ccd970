/**
 * Apollo Client for a graph whose answers move: subscriptions over one WebSocket, which is opened again when it is lost
 * and goes on after the last event that came; queries and mutations by HTTP.
 */
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client'
import { print } from 'graphql'
import { type Client, createClient as createSocket } from 'graphql-ws'
import { tap } from 'rxjs'

export type Connection = 'connecting' | 'connected' | 'lost'

export interface Live {
  readonly client: ApolloClient
  /** Calls back immediately and after every change, until the returned function is called. */
  watch(listener: (connection: Connection) => void): () => void
  close(): void
}

/** `onSpent` hears what each answer by HTTP cost in quota units. */
export function createLive(address: URL, token: string, onSpent: (units: number) => void): Live {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
  const listeners = new Set<(connection: Connection) => void>()
  let connection: Connection = 'connecting'
  const become = (next: Connection) => (): void => {
    connection = next
    for (const listener of listeners) listener(next)
  }

  const socket = createSocket({
    url: address.href.replace(/^http/, 'ws'),
    connectionParams: authorization,
    // A server that stops tells its clients to come back; the first wait is short, and the next ones longer.
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    on: { connected: become('connected'), closed: become('lost') },
  })
  const overSocket = eventsOver(socket)
  const priced = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap(({ extensions }) => {
        const { spent } = (extensions?.quota ?? {}) as { readonly spent?: number }
        if (spent !== undefined) onSpent(spent)
      }),
    ),
  )
  const headers = { ...authorization, 'tessera-quota': '1' }
  const byHttp = priced.concat(new HttpLink({ uri: address.href, headers }))

  return {
    client: new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.split(({ operationType }) => operationType === 'subscription', overSocket, byHttp),
    }),
    watch(listener) {
      listeners.add(listener)
      listener(connection)
      return () => listeners.delete(listener)
    },
    close: () => void socket.dispose(),
  }
}

/** As Apollo's `GraphQLWsLink`, and beyond it says which event was the last one when it subscribes again. */
function eventsOver(socket: Client): ApolloLink {
  return new ApolloLink(
    ({ query, variables, operationName }) =>
      new Observable((observer) => {
        let lastEventId: unknown
        return socket.subscribe(
          {
            query: print(query),
            variables,
            operationName: operationName ?? null,
            get extensions() {
              return { lastEventId }
            },
          },
          {
            next(result) {
              const { eventId } = (result.extensions ?? {}) as { eventId?: unknown }
              lastEventId = eventId ?? lastEventId
              observer.next(result as ApolloLink.Result)
            },
            error: (error) => observer.error(faultFrom(error)),
            complete: () => observer.complete(),
          },
        )
      }),
  )
}

/** An operation that is refused ends with the list of its errors. */
function faultFrom(error: unknown): Error {
  if (error instanceof Error) return error
  const [first] = Array.isArray(error) ? (error as { message: string; extensions?: object }[]) : []
  return Object.assign(new Error(first?.message ?? 'The connection was closed.'), {
    extensions: first?.extensions,
  })
}
