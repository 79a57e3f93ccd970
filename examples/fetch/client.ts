/**
 * The graph over plain `fetch`: one typed call an operation. It promises data, or a `GraphError` that says by
 * code what went wrong; a partial answer is an answer, with its errors beside it.
 *
 * Only the hash of an operation is sent (`persisted.json`, made by `tessera persist`). A gateway of trusted
 * operations takes nothing else; another one asks once for the document and knows it from then on.
 */
import type { TypedDocumentString } from './operations.generated.ts'
import manifest from './persisted.json' with { type: 'json' }

/** One error of an answer. Programs read `code`; people read the message. */
export interface AnswerError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: {
    readonly code: string
    readonly service?: string
    /** Seconds, if the service said when to come back. */
    readonly retryAfter?: number
    /** Scopes that the field needs and the caller lacks. */
    readonly authorization?: { readonly missing: readonly string[] }
  }
}

export interface Spent {
  readonly estimated: number
  readonly spent: number
  readonly remaining: number | null
}

/** What an operation would need; nothing is executed for it. */
export interface Explanation {
  readonly units: number
  readonly calls: Readonly<Record<string, number>>
  readonly scopes: { readonly refused: readonly { readonly message: string }[] }
}

export interface Answer<Data> {
  readonly data: Data
  /** The fields of a partial answer that are null, and why. */
  readonly errors: readonly AnswerError[]
  readonly quota: Spent | undefined
}

/** There is no data at all. `code` is the first error's, or `NETWORK` if there was no answer. */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly code: string
  readonly errors: readonly AnswerError[]

  constructor(message: string, code: string, errors: readonly AnswerError[] = [], cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.errors = errors
  }
}

export interface ClientOptions {
  readonly url: string
  readonly token?: string | undefined
  /** The most quota units that one operation may cost; the gateway refuses a dearer one before it spends any. */
  readonly maxUnits?: number | undefined
}

export interface Client {
  ask<Data, Variables>(
    operation: TypedDocumentString<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Answer<Data>>
  explain<Data, Variables>(
    operation: TypedDocumentString<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Explanation>
}

interface Body {
  readonly data?: unknown
  readonly errors?: readonly AnswerError[]
  readonly extensions?: { readonly quota?: Spent; readonly explain?: Explanation }
}

const persisted = new Map(manifest.operations.map(({ name, id, body }) => [name, { id, body }]))

function persistedOf(document: string): { id: string; body: string } {
  const name = /\b(?:query|mutation)\s+(\w+)/.exec(document)?.[1] ?? ''
  const found = persisted.get(name)
  if (found === undefined)
    throw new Error(`${name} is not in persisted.json; \`npm run generate\` makes it anew`)
  return found
}

/** So often a mutation is sent whose answer is lost. */
const mostTries = 3

const isMutation = (document: string): boolean => /^\s*mutation\b/.test(document)

export function createClient({ url, token, maxUnits }: ClientOptions): Client {
  async function post(
    payload: object,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json',
          'tessera-quota': '1',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(maxUnits === undefined ? {} : { 'tessera-max-units': String(maxUnits) }),
          ...headers,
        },
        body: JSON.stringify(payload),
        signal: signal ?? null,
      })
      // Every answer of the gateway is JSON, whatever its status: the codes say more than the status does.
      return (await response.json()) as Body
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      throw new GraphError('The graph cannot be reached.', 'NETWORK', [], error)
    }
  }

  async function send(
    document: string,
    variables: unknown,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    const { id, body } = persistedOf(document)
    const byHash = { variables, extensions: { persistedQuery: { version: 1, sha256Hash: id } } }
    if (!isMutation(body)) return sendOnce(body, byHash, headers, signal)
    // A mutation whose answer was lost is sent again under the same key: the gateway executes it once.
    const keyed = { ...headers, 'idempotency-key': `"${crypto.randomUUID()}"` }
    for (let tries = 1; ; tries++) {
      try {
        return await sendOnce(body, byHash, keyed, signal)
      } catch (error) {
        if (tries === mostTries || !(error instanceof GraphError) || error.code !== 'NETWORK') throw error
        await new Promise((resolve) => setTimeout(resolve, 300 * tries))
      }
    }
  }

  async function sendOnce(
    body: string,
    byHash: object,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Body> {
    const answer = await post(byHash, headers, signal)
    const unknown = answer.errors?.[0]?.extensions.code === 'PERSISTED_QUERY_NOT_FOUND'
    return unknown ? post({ query: body, ...byHash }, headers, signal) : answer
  }

  function noData({ errors = [] }: Body): GraphError {
    const [first] = errors
    return new GraphError(
      first?.message ?? 'The answer is empty.',
      first?.extensions.code ?? 'INTERNAL_SERVER_ERROR',
      errors,
    )
  }

  return {
    async ask<Data, Variables>(
      operation: TypedDocumentString<Data, Variables>,
      variables: Variables,
      signal?: AbortSignal,
    ) {
      const body = await send(operation.toString(), variables, {}, signal)
      if (body.data === undefined || body.data === null) throw noData(body)
      return { data: body.data as Data, errors: body.errors ?? [], quota: body.extensions?.quota }
    },

    async explain(operation, variables, signal) {
      const body = await send(operation.toString(), variables, { 'tessera-explain': '1' }, signal)
      if (body.extensions?.explain === undefined) throw noData(body)
      return body.extensions.explain
    },
  }
}
