/** A gateway before a quick and a slow subgraph. The slow one answers when a test lets it. */
import type { ServerResponse } from 'node:http'
import type { Service } from '../../support/federation.ts'
import { mergeData } from '../../support/incremental.ts'
import {
  type Router,
  startRouter,
  startService,
  supergraphOf,
  type TestService,
} from '../../support/router.ts'

const items = [1, 2, 3, 4, 5].map((id) => ({ id: String(id), name: `Item ${id}` }))

const quick: Service = {
  sdl: `
    type Query { items: [Item!]! item(id: ID!): Item tags: [String!]! parts: [Part!]! }
    type Mutation { rename(id: ID!, name: String!): Item }
    type Item @key(fields: "id") { id: ID! name: String plain: Plain }
    type Plain { one: Int two: Int }
    type Part { broken: String }
  `,
  resolvers: {
    Query: {
      items: () => items,
      item: (_: unknown, { id }: { id: string }) => items.find((each) => each.id === id),
      tags: () => ['a', 'b', 'c'],
      parts: () => [{}],
    },
    Part: {
      broken() {
        throw new Error('It is broken.')
      },
    },
    Mutation: { rename: (_: unknown, { id, name }: { id: string; name: string }) => ({ id, name }) },
    Item: {
      __resolveReference: ({ id }: { id: string }) => items.find((each) => each.id === id),
      plain: () => ({ one: 1, two: 2 }),
    },
  },
}

const slow: Service = {
  sdl: `
    type Query { slowly: String }
    type Item @key(fields: "id") { id: ID! stars: Int must: Int! secret: Int @requiresScopes(scopes: [["secret"]]) }
  `,
  resolvers: {
    Query: { slowly: () => 'there' },
    Item: {
      __resolveReference: ({ id }: { id: string }) => ({ id }),
      stars: ({ id }: { id: string }) => Number(id) * 10,
      must: ({ id }: { id: string }) => (id === '3' ? null : 1),
      secret: () => 7,
    },
  },
}

export interface Setting extends AsyncDisposable {
  readonly router: Router
  readonly quick: TestService
  readonly slow: TestService
  readonly url: string
  /** Holds what the slow subgraph is asked from now on. */
  hold(): void
  /** Lets it answer, what it was asked before too. */
  release(): void
  /** How many of its answers are not waited for any more. */
  readonly left: () => number
}

export async function startSetting(env: Readonly<Record<string, string>> = {}): Promise<Setting> {
  const quickly = await startService('quick', quick)
  const slowly = await startService('slow', slow)
  const router = await startRouter({ supergraph: supergraphOf([quickly, slowly]), env })
  let isHeld = false
  let left = 0
  let waiting: (() => void)[] = []
  slowly.intercept = (_, response: ServerResponse) => {
    if (!isHeld) return false
    response.on('close', () => {
      if (!response.writableFinished) left += 1
    })
    return new Promise((resolve) => waiting.push(() => resolve(false)))
  }
  const release = (): void => {
    isHeld = false
    for (const go of waiting) go()
    waiting = []
  }
  return {
    router,
    quick: quickly,
    slow: slowly,
    url: `${router.origin}/graphql`,
    hold() {
      isHeld = true
    },
    release,
    left: () => left,
    async [Symbol.asyncDispose]() {
      release()
      await router[Symbol.asyncDispose]()
      await quickly[Symbol.asyncDispose]()
      await slowly[Symbol.asyncDispose]()
    },
  }
}

export interface RawAnswer extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** The next payload, as soon as it is there; undefined at the end. */
  next(): Promise<Payload | undefined>
  rest(): Promise<Payload[]>
}

// biome-ignore lint/suspicious/noExplicitAny: payloads are compared, not used
export type Payload = any

/** Asks, and reads the payloads of either transport as their bytes come. */
export async function ask(
  url: string,
  query: string,
  accept: string,
  more: { readonly headers?: Record<string, string>; readonly variables?: Record<string, unknown> } = {},
): Promise<RawAnswer> {
  const abort = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...more.headers },
    body: JSON.stringify({ query, variables: more.variables }),
    signal: abort.signal,
  })
  const type = response.headers.get('content-type') ?? ''
  const payloads = read(response, type)
  const next = async (): Promise<Payload | undefined> => {
    const { value, done } = await payloads.next()
    return done === true ? undefined : value
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    async rest() {
      const all: Payload[] = []
      for (let each = await next(); each !== undefined; each = await next()) all.push(each)
      return all
    },
    async [Symbol.asyncDispose]() {
      abort.abort()
    },
  }
}

/** The whole of an incremental response, put together from its payloads. Throws if a value comes twice. */
export function merged([first, ...rest]: readonly Payload[]): Payload {
  const { data, errors = [], pending = [] } = first
  const open = new Map<string, Payload>(pending.map((each: Payload) => [each.id, each]))
  for (const { pending = [], incremental = [], completed = [], errors: more = [] } of rest) {
    errors.push(...more)
    for (const each of pending) open.set(each.id, each)
    for (const { id, subPath = [], items, data: later, errors: own = [] } of incremental) {
      const target = [...open.get(id).path, ...subPath].reduce((value, step) => value[step], data)
      if (items === undefined) mergeData(target, later)
      else target.push(...items)
      errors.push(...own)
    }
    for (const { errors: own = [] } of completed) errors.push(...own)
  }
  return { data, errors }
}

async function* read(response: Response, type: string): AsyncGenerator<Payload> {
  if (type.startsWith('application/')) {
    yield await response.json()
    return
  }
  const separator = type.startsWith('multipart/mixed') ? '\r\n--graphql' : '\n\n'
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator)) {
      const part = text.slice(0, at)
      text = text.slice(at + separator.length)
      if (type.startsWith('multipart/mixed')) {
        const body = part.indexOf('\r\n\r\n')
        if (body >= 0) yield JSON.parse(part.slice(body + 4))
      } else if (part.startsWith('event: next')) yield JSON.parse(part.slice(part.indexOf('data: ') + 6))
    }
  }
}
