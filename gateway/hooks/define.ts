/**
 * Hooks: functions of the gateway's operator that are called at stages of each request. Each is optional, and a stage
 * without a hook costs nothing. This file is `tessera-graph/hooks`; docs/hooks.md has examples.
 */

/** A value, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>

/** The return value of a hook that changes nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` is a hook, too
export type Unchanged = undefined | void

/** The caller as the gateway knows it. */
export interface HookIdentity {
  /** The `sub` of the token. */
  readonly subject?: string | undefined
  readonly scopes: ReadonlySet<string>
  readonly claims: Readonly<Record<string, unknown>>
  readonly authenticated: boolean
}

/** Headers with lower-case names. Those of a client include credentials. */
export type HookHeaders = Readonly<Record<string, string>>

/** The operation of a request. */
export interface HookOperation {
  readonly name: string | undefined
  readonly type: 'query' | 'mutation' | 'subscription'
  /** SHA-256 of the document, in hexadecimal. */
  readonly hash: string
  readonly text: string
}

/** An error of a response. */
export interface HookError {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** Ends a request, or one fetch, with an error. */
export interface Refusal {
  readonly refuse: {
    readonly message: string
    /** `extensions.code`: capitals, digits and `_`, at most 100. FORBIDDEN by default. */
    readonly code?: string | undefined
    /** The HTTP status, 400 to 599, if the response has no data. 403 by default. */
    readonly status?: number | undefined
    /** Further `extensions`. */
    readonly extensions?: Readonly<Record<string, unknown>> | undefined
    /** Headers of the response. */
    readonly headers?: HookHeaders | undefined
  }
}

/** What every hook receives. */
export interface HookEvent {
  /** The request's id, as in the log. */
  readonly id: string
  /** What hooks remember during one request; only hooks read it. */
  readonly context: Map<string, unknown>
  /** The headers of the client's request. */
  readonly headers: HookHeaders
}

/** The input of `onRequest`. */
export interface RequestEvent extends HookEvent {
  readonly method: string | undefined
  /** Path and query. */
  readonly url: string | undefined
  /** The address of the client: that of the connection, unless a trusted proxy passes on another. */
  readonly address: string | undefined
}

/** What `onRequest` may change. */
export interface RequestChange {
  /** Headers of the client that are set, or removed by null, for everything after this stage. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
}

/** The input of `onIdentity`. */
export interface IdentityEvent extends HookEvent {
  readonly identity: HookIdentity
}

/** What `onIdentity` may change. */
export interface IdentityChange {
  /** The caller, instead of the token's. */
  readonly identity?:
    | {
        readonly subject?: string | undefined
        readonly scopes?: Iterable<string> | undefined
        readonly claims?: Readonly<Record<string, unknown>> | undefined
        /** Whether the caller is authenticated. True by default. */
        readonly authenticated?: boolean | undefined
      }
    | undefined
}

/** The input of `onOperation`. */
export interface OperationEvent extends HookEvent {
  readonly identity: HookIdentity
  readonly operation: HookOperation
  readonly variables: Readonly<Record<string, unknown>>
}

/** What `onOperation` may change. */
export interface OperationChange {
  /** Instead of the client's variables, with the same limits. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** The input of `decidePolicies`. */
export interface PoliciesEvent extends HookEvent {
  readonly identity: HookIdentity
  /** Those of `@policy` that the operation needs. */
  readonly policies: readonly string[]
}

/** The input of `decideLabels`. */
export interface LabelsEvent extends HookEvent {
  readonly identity: HookIdentity
  /** The labels of `@override` in the supergraph, without `percent(N)`. */
  readonly labels: readonly string[]
}

/** The request to a subgraph. */
export interface HookFetch {
  readonly subgraph: string
  readonly type: 'query' | 'mutation' | 'subscription'
  /** The document that is sent. */
  readonly text: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** The input of `onSubgraphRequest`. */
export interface SubgraphRequestEvent extends HookEvent {
  readonly identity: HookIdentity | undefined
  readonly fetch: HookFetch
}

/** What `onSubgraphRequest` may change. */
export interface SubgraphRequestChange {
  /** Additional headers for this request; for subgraphs over HTTP. */
  readonly headers?: HookHeaders | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /** Used as the subgraph's response; the subgraph is not asked. */
  readonly answer?: HookAnswer | undefined
}

/** The response of a subgraph, as GraphQL has it. */
export interface HookAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly HookError[] | undefined
}

/** The input of `onSubgraphAnswer`. `milliseconds`: since the fetch began. */
export interface SubgraphAnswerEvent extends HookEvent {
  readonly identity: HookIdentity | undefined
  readonly fetch: HookFetch
  /** The status of the HTTP response; undefined if there was none. */
  readonly status: number | undefined
  readonly answerHeaders: HookHeaders
  readonly answer: HookAnswer
  readonly milliseconds: number
}

/** What `onSubgraphAnswer` may change. */
export interface SubgraphAnswerChange {
  /** Instead of the subgraph's response. */
  readonly answer?: HookAnswer | undefined
}

/** The input of `onAnswer`. `milliseconds`: since the request began. */
export interface AnswerEvent extends HookEvent {
  /** Undefined if the request did not get that far. */
  readonly identity: HookIdentity | undefined
  readonly operation: HookOperation | undefined
  /** The HTTP status as it would be without this hook. */
  readonly status: number
  /** Read at first use. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined
  readonly errors: readonly HookError[] | undefined
  readonly extensions: Readonly<Record<string, unknown>> | undefined
  readonly milliseconds: number
}

/** What `onAnswer` may change. */
export interface AnswerChange {
  /** Instead of the data; used only if there is some. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly errors?: readonly HookError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** Additional headers of the response. */
  readonly headers?: HookHeaders | undefined
}

/** The hooks of a gateway. docs/hooks.md says for each stage what happens if a hook throws or takes too long. */
export interface Hooks {
  /** A request has arrived; nothing is checked yet. */
  readonly onRequest?:
    | ((event: RequestEvent) => MaybePromise<RequestChange | Refusal | Unchanged>)
    | undefined
  /** The token was checked. A refused token has already ended the request. */
  readonly onIdentity?:
    | ((event: IdentityEvent) => MaybePromise<IdentityChange | Refusal | Unchanged>)
    | undefined
  /** The operation is valid and authorized; nothing was executed. */
  readonly onOperation?:
    | ((event: OperationEvent) => MaybePromise<OperationChange | Refusal | Unchanged>)
    | undefined
  /** The policies that the caller meets; a policy that is not returned is refused. */
  readonly decidePolicies?: ((event: PoliciesEvent) => MaybePromise<Iterable<string>>) | undefined
  /** The labels of `@override` that hold for this request; a label that is not returned moves nothing. */
  readonly decideLabels?: ((event: LabelsEvent) => MaybePromise<Iterable<string>>) | undefined
  readonly onSubgraphRequest?:
    | ((event: SubgraphRequestEvent) => MaybePromise<SubgraphRequestChange | Refusal | Unchanged>)
    | undefined
  readonly onSubgraphAnswer?:
    | ((event: SubgraphAnswerEvent) => MaybePromise<SubgraphAnswerChange | Refusal | Unchanged>)
    | undefined
  /** Before the response leaves, whatever the outcome. */
  readonly onAnswer?: ((event: AnswerEvent) => MaybePromise<AnswerChange | Refusal | Unchanged>) | undefined
  /** The subgraphs whose requests and responses the hooks see; all by default. */
  readonly subgraphs?: readonly string[] | undefined
  /** Called when these hooks are no longer used. */
  readonly close?: (() => MaybePromise<void>) | undefined
}

/** Types the hooks of a file: `export default defineHooks({ … })`. */
export function defineHooks(hooks: Hooks): Hooks {
  return hooks
}

/** Makes a refusal: `return refuse('Not from here.', { code: 'FORBIDDEN', status: 403 })`. */
export function refuse(message: string, details: Omit<Refusal['refuse'], 'message'> = {}): Refusal {
  return { refuse: { message, ...details } }
}
