/**
 * A coprocessor as hooks: at each configured stage it gets a request as JSON. Its response continues the request, with
 * or without changes, or ends it. docs/hooks.md has the protocol. It is sent what the configuration selects and nothing
 * else.
 */
import type { z } from 'zod'
import { isObject } from '../../../shared/json/is-object.ts'
import type { coprocessor } from '../config.ts'
import type {
  HookAnswer,
  HookEvent,
  HookFetch,
  HookIdentity,
  HookOperation,
  Hooks,
  Refusal,
} from '../define.ts'
import { recordOf } from '../reading.ts'
import { changesOf, type HookSource, type StageName } from '../run.ts'
import { CoprocessorError, createCoprocessorClient } from './client.ts'

type CoprocessorOptions = NonNullable<z.output<typeof coprocessor>>

const version = 1
/** The key of the context for what the coprocessor remembers. */
const contextKey = 'coprocessor'

type Json = Readonly<Record<string, unknown>>

export class Coprocessor implements HookSource {
  readonly #options: CoprocessorOptions
  readonly #client
  readonly name = 'coprocessor'
  readonly hooks: Hooks
  // The client has the timeout itself, and reports more of what happened.
  readonly timeoutMs: number

  constructor(options: CoprocessorOptions) {
    this.#options = options
    this.timeoutMs = options.timeoutMs + 1000
    this.#client = createCoprocessorClient({
      ...options,
      headers: options.send.map((header) => [header.name, 'value' in header ? header.value : ''] as const),
    })
    const { request, identity, operation, policies, labels, subgraphRequest, subgraphAnswer, answer } =
      options.stages
    const all = [subgraphRequest, subgraphAnswer].filter((stage) => stage !== undefined)
    this.hooks = {
      onRequest:
        request && ((event) => this.#ask('request', event, { method: event.method, url: event.url })),
      onIdentity: identity && ((event) => this.#ask('identity', event, callerIn(identity, event))),
      onOperation:
        operation &&
        ((event) =>
          this.#ask('operation', event, {
            ...callerIn(operation, event),
            ...operationIn(operation, event),
            ...(operation.variables === true ? { variables: event.variables } : {}),
          })),
      decidePolicies:
        policies &&
        (async (event) => {
          const about = { ...callerIn(policies, event), policies: event.policies }
          return listOf(await this.#ask('policies', event, about), 'policies')
        }),
      decideLabels:
        labels &&
        (async (event) => {
          const about = { ...callerIn(labels, event), labels: event.labels }
          return listOf(await this.#ask('labels', event, about), 'labels')
        }),
      onSubgraphRequest:
        subgraphRequest &&
        ((event) => {
          if (!sees(subgraphRequest, event)) return undefined
          const about = { ...callerIn(subgraphRequest, event), ...fetchIn(subgraphRequest, event) }
          return this.#ask('subgraphRequest', event, about)
        }),
      onSubgraphAnswer:
        subgraphAnswer &&
        ((event) => {
          if (!sees(subgraphAnswer, event)) return undefined
          const { status, milliseconds } = event
          const { answerHeaders: names } = subgraphAnswer
          return this.#ask('subgraphAnswer', event, {
            ...callerIn(subgraphAnswer, event),
            ...fetchIn(subgraphAnswer, event),
            ...{ status, milliseconds },
            ...bodyIn(subgraphAnswer, event.answer),
            ...(names === undefined ? {} : { answerHeaders: chosen(event.answerHeaders, names) }),
          })
        }),
      onAnswer:
        answer &&
        ((event) => {
          const { status, milliseconds } = event
          return this.#ask('answer', event, {
            ...callerIn(answer, event),
            ...operationIn(answer, event),
            ...{ status, milliseconds },
            ...bodyIn(answer, event),
          })
        }),
      ...(all.some(({ subgraphs }) => subgraphs === undefined)
        ? {}
        : { subgraphs: [...new Set(all.flatMap(({ subgraphs = [] }) => subgraphs))] }),
      close: this.#client.close,
    }
  }

  goesOn(stage: StageName): boolean {
    return (this.#options.stages[stage]?.onFailure ?? this.#options.onFailure ?? 'closed') === 'open'
  }

  /** Calls the coprocessor, and keeps what it wants to remember; returns a change or a refusal. */
  async #ask(stage: StageName, event: HookEvent, about: object): Promise<Json | Refusal> {
    const { headers } = this.#options.stages[stage] ?? {}
    const remembered = event.context.get(contextKey)
    const answer = await this.#client.ask({
      version,
      stage,
      id: event.id,
      ...(remembered === undefined ? {} : { context: remembered }),
      ...(headers === undefined ? {} : { headers: chosen(event.headers, headers) }),
      ...about,
    })
    if (!isObject(answer))
      throw new CoprocessorError('the coprocessor returned something other than an object')
    if (answer.version !== version)
      throw new CoprocessorError(`the coprocessor returned another version: expected ${version}`)
    if (answer.context !== undefined) event.context.set(contextKey, recordOf(answer.context, 'context'))
    const { control } = answer
    // Unknown keys are ignored, so that later versions may have some.
    if (control === 'continue') return chosen(answer, changesOf[stage])
    if (!isObject(control) || typeof control.break !== 'number')
      throw new CoprocessorError(
        'the coprocessor returned no control: expected continue, or break with a status',
      )
    return refusalOf(control.break, answer)
  }
}

function callerIn(
  {
    identity: isWhole,
    claims,
  }: { readonly identity?: boolean | undefined; readonly claims?: readonly string[] | undefined },
  { identity }: { readonly identity: HookIdentity | undefined },
): object {
  if (identity === undefined || (isWhole !== true && claims === undefined)) return {}
  const { subject, scopes, authenticated } = identity
  return {
    identity: {
      ...(isWhole === true ? { subject, scopes: [...scopes], authenticated } : {}),
      ...(claims === undefined ? {} : { claims: chosen(identity.claims, claims) }),
    },
  }
}

function operationIn(
  said: { readonly text?: boolean | undefined },
  { operation }: { readonly operation: HookOperation | undefined },
): object {
  if (operation === undefined) return {}
  const { text, ...rest } = operation
  return { operation: said.text === true ? operation : rest }
}

type SaidOfFetch = NonNullable<CoprocessorOptions['stages']['subgraphRequest']>

const sees = ({ subgraphs }: SaidOfFetch, { fetch }: { readonly fetch: HookFetch }): boolean =>
  subgraphs === undefined || subgraphs.includes(fetch.subgraph)

function fetchIn(said: SaidOfFetch, { fetch }: { readonly fetch: HookFetch }): object {
  const { subgraph, type, text, variables } = fetch
  return {
    subgraph,
    fetch: {
      type,
      ...(said.text === true ? { text } : {}),
      ...(said.variables === true ? { variables } : {}),
    },
  }
}

/** The data are read only if they are sent. */
const bodyIn = (
  said: { readonly data?: boolean | undefined; readonly errors?: boolean | undefined },
  body: HookAnswer,
): object => ({
  ...(said.data === true ? { data: body.data ?? null } : {}),
  ...(said.errors === true ? { errors: body.errors ?? [] } : {}),
})

function chosen(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])))
}

function listOf(answer: Json | Refusal, key: 'policies' | 'labels'): Iterable<string> {
  if ('refuse' in answer)
    throw new CoprocessorError(`the coprocessor ended the request at a stage that decides ${key}`)
  // A value that is no list of strings is reported when it is read.
  return (answer as Json)[key] as Iterable<string>
}

function refusalOf(status: number, { errors, headers }: Json): Refusal {
  const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : []
  const error = first === undefined ? {} : recordOf(first, 'errors')
  const { code, ...extensions } = error.extensions === undefined ? {} : recordOf(error.extensions, 'errors')
  return {
    refuse: {
      message: typeof error.message === 'string' ? error.message : 'The request was refused.',
      status,
      ...(typeof code === 'string' ? { code } : {}),
      extensions,
      ...(headers === undefined ? {} : { headers: recordOf(headers, 'headers') as Record<string, string> }),
    },
  }
}
