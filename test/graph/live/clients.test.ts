/**
 * Clients of other projects, over a connection that is cut three times while events go on: each gets every event
 * once. What an app writes for that is in `clients` below, and no more.
 */
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { RetryLink } from '@apollo/client/link/retry'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { cacheExchange, fetchExchange, subscriptionExchange, Client as UrqlClient } from '@urql/core'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import {
  Environment,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime'
import { map } from 'rxjs'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { keepForFile } from '../../support/keep.ts'
import { startLiveGraph } from '../../support/live-graph.ts'
import { relayLinked, relayRequest, relayScalar } from '../../support/relay.ts'
import { startProxy } from '../../support/tcp-proxy.ts'

const query = 'subscription Ticks($of: ID) { ticked(of: $of) { number name } }'

interface Seen {
  readonly number: number
  readonly name: string
}

interface Start {
  readonly url: string
  readonly wsUrl: string
  /** The clock that it listens to: each client has its own. */
  readonly of: string
  seen(tick: Seen): void
}

/** Begins to listen; returns how to stop. */
type Begin = (start: Start) => () => void

/** The id of the last event, as an operation or a request says it. */
class Resume {
  last: string | undefined

  note(extensions: unknown): void {
    const { eventId } = (extensions ?? {}) as { eventId?: string }
    this.last = eventId ?? this.last
  }

  /** Read each time that the operation is sent. */
  get extensions(): Record<string, unknown> {
    const of = this
    return {
      get lastEventId() {
        return of.last
      },
    }
  }

  get headers(): Record<string, string> {
    return this.last === undefined ? {} : { 'last-event-id': this.last }
  }
}

const webSocketOf = ({ wsUrl }: Start) =>
  createClient({
    url: wsUrl,
    webSocketImpl: WebSocket,
    retryAttempts: 100,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
    shouldRetry: () => true,
  })

const tickOf = (data: unknown): Seen => (data as { ticked: Seen }).ticked

/** Notes each event, and tells its tick. */
const sinkOf = (resume: Resume, seen: Start['seen']) => ({
  next({ data, extensions }: { data?: unknown; extensions?: unknown }) {
    resume.note(extensions)
    seen(tickOf(data))
  },
  error: () => {},
  complete: () => {},
})

const relayTicks = relayRequest({
  kind: 'subscription',
  name: 'Ticks',
  text: query,
  field: relayLinked('ticked', 'Tick', ['number', 'name'].map(relayScalar), {
    args: [{ kind: 'Variable', name: 'of', variableName: 'of' }],
  }),
  argumentDefinitions: [{ defaultValue: null, kind: 'LocalArgument', name: 'of' }],
})

/** Apollo Client: a link that notes the id of each event, and says the last one when an operation is sent again. */
function resumingLink(resume: Resume, by: 'extensions' | 'headers'): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (by === 'extensions') operation.extensions = resume.extensions
    else operation.setContext({ headers: resume.headers })
    return forward(operation).pipe(
      map((result) => {
        resume.note(result.extensions)
        return result
      }),
    )
  })
}

function throughApollo(link: ApolloLink, { of, seen }: Start): () => void {
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  const subscription = client
    .subscribe({ query: gql(query), variables: { of } })
    .subscribe(({ data }) => seen(tickOf(data)))
  return () => {
    subscription.unsubscribe()
    client.stop()
  }
}

function throughUrql(client: UrqlClient, { of, seen }: Start): () => void {
  const subscription = client.subscription(query, { of }).subscribe(({ data, error }) => {
    if (data !== undefined && error === undefined) seen(tickOf(data))
  })
  return () => subscription.unsubscribe()
}

const clients: Record<string, Begin> = {
  'graphql-ws': (start) => {
    const client = webSocketOf(start)
    const resume = new Resume()
    client.subscribe(
      { query, variables: { of: start.of }, extensions: resume.extensions },
      sinkOf(resume, start.seen),
    )
    return () => void client.dispose()
  },
  'graphql-sse': ({ url, of, seen }) => {
    const resume = new Resume()
    const client = createSseClient({
      url,
      headers: () => resume.headers,
      retryAttempts: 100,
      retry: () => new Promise((resolve) => setTimeout(resolve, 20)),
    })
    client.subscribe({ query, variables: { of } }, sinkOf(resume, seen))
    return () => client.dispose()
  },
  'Apollo Client over graphql-ws': (start) => {
    const client = webSocketOf(start)
    const resume = new Resume()
    const link = resumingLink(resume, 'extensions').concat(new GraphQLWsLink(client))
    const stop = throughApollo(link, start)
    return () => {
      stop()
      void client.dispose()
    }
  },
  'Apollo Client by multipart': (start) => {
    const retry = new RetryLink({ delay: { initial: 20, jitter: false, max: 20 }, attempts: { max: 100 } })
    const resume = new Resume()
    const link = retry.concat(resumingLink(resume, 'headers')).concat(new HttpLink({ uri: start.url, fetch }))
    return throughApollo(link, start)
  },
  'urql over graphql-ws': (start) => {
    const client = webSocketOf(start)
    const resume = new Resume()
    const urql = new UrqlClient({
      url: start.url,
      preferGetMethod: false,
      exchanges: [
        cacheExchange,
        subscriptionExchange({
          forwardSubscription: (request) => ({
            subscribe: (sink) => ({
              unsubscribe: client.subscribe(
                { ...request, query: request.query ?? '', extensions: resume.extensions },
                {
                  ...sink,
                  next(result) {
                    resume.note(result.extensions)
                    sink.next(result as never)
                  },
                },
              ),
            }),
          }),
        }),
      ],
    })
    const stop = throughUrql(urql, start)
    return () => {
      stop()
      void client.dispose()
    }
  },
  'urql by server-sent events': (start) => {
    const resume = new Resume()
    const urql = new UrqlClient({
      url: start.url,
      preferGetMethod: false,
      fetchSubscriptions: true,
      fetch: async (input, init) => {
        const headers = { ...(init?.headers as Record<string, string>), ...resume.headers }
        return fetch(input, { ...init, headers })
      },
      exchanges: [fetchExchange],
    })
    let stopped = false
    let subscription: { unsubscribe(): void } | undefined
    const begin = (): void => {
      subscription = urql.subscription(query, { of: start.of }).subscribe(({ data, error, extensions }) => {
        if (error?.networkError !== undefined) {
          setTimeout(() => stopped || begin(), 20)
          return
        }
        resume.note(extensions)
        if (data !== undefined) start.seen(tickOf(data))
      })
    }
    begin()
    return () => {
      stopped = true
      subscription?.unsubscribe()
    }
  },
  'Relay over graphql-ws': (start) => {
    const client = webSocketOf(start)
    const resume = new Resume()
    const environment = new Environment({
      store: new Store(new RecordSource()),
      network: Network.create(
        () => Promise.reject(new Error('no queries here')),
        ({ text, name }, variables) =>
          Observable.create<GraphQLResponse>((sink) =>
            client.subscribe(
              { query: text ?? '', operationName: name, variables, extensions: resume.extensions },
              {
                next(result) {
                  resume.note(result.extensions)
                  sink.next(result as GraphQLResponse)
                },
                error: (error) => sink.error(error as Error),
                complete: () => sink.complete(),
              },
            ),
          ),
      ),
    })
    const { dispose } = requestSubscription(environment, {
      subscription: relayTicks,
      variables: { of: start.of },
      onNext: (data) => start.seen(tickOf(data)),
    })
    return () => {
      dispose()
      void client.dispose()
    }
  },
}

const live = keepForFile(await startLiveGraph())

const wait = { interval: 10 }

test.each(Object.keys(clients))('%s gets every event once over three reconnects', async (name) => {
  const { graph } = live
  await using proxy = await startProxy(Number(new URL(live.url).port))
  const address = `127.0.0.1:${proxy.port}/graphql`
  const urls = { url: `http://${address}`, wsUrl: `ws://${address}` }
  const of = name.replaceAll(/\W/g, '')
  const seen: Seen[] = []
  const stop = clients[name]?.({ ...urls, of, seen: (tick) => void seen.push(tick) })
  await expect.poll(() => graph.listening('ticked'), wait).toBe(1)
  let number = 0
  const tick = (): void => {
    number += 1
    graph.tick(number, of)
  }
  tick()
  await expect.poll(() => seen.length, wait).toBe(1)
  for (let cut = 0; cut < 3; cut += 1) {
    const before = graph.subscribed()
    proxy.reset()
    // One while no client is connected, or before it is noticed, and two after it is back.
    tick()
    await expect.poll(() => graph.subscribed(), wait).toBeGreaterThan(before)
    tick()
    tick()
    await expect.poll(() => seen.length, wait).toBe(number)
  }
  stop?.()
  await expect.poll(() => graph.listening('ticked'), wait).toBe(0)
  expect(seen.map(({ number: each, name: text }) => [each, text])).toEqual(
    Array.from({ length: number }, (_, at) => [at + 1, `tick ${of}${at + 1}`]),
  )
})
