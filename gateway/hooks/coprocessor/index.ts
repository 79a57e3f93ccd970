/**
 * A coprocessor as hooks: at each configured stage it gets a request as JSON. Its response continues the request, with
 * or without changes, or ends it. docs/hooks.md has the protocol. It is sent what the configuration selects and nothing
 * else.
 */

import { isObject } from '../../../shared/json/is-object.ts'
import type { HookEvent, HookFetch, HookIdentity, HookOperation, Hooks, Refusal } from '../define.ts'
import { recordOf } from '../reading.ts'
import type { HookSource, StageName } from '../run.ts'
import { CoprocessorError, createCoprocessorClient } from './client.ts'

/** What is sent at one stage. */
export interface CoprocessorStage {
  readonly onFailure?: 'closed' | 'open' | undefined
  readonly headers?: readonly string[] | undefined
  readonly identity?: boolean | undefined
  readonly claims?: readonly string[] | undefined
  readonly text?: boolean | undefined
  readonly variables?: boolean | undefined
  readonly data?: boolean | undefined
  readonly errors?: boolean | undefined
  readonly answerHeaders?: readonly string[] | undefined
  readonly subgraphs?: readonly string[] | undefined
}

export interface CoprocessorOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly connections: number
  readonly onFailure?: 'closed' | 'open' | undefined
  readonly send: readonly { readonly name: string; readonly value?: string; readonly environment?: string }[]
  readonly stages: { readonly [Stage in StageName]?: CoprocessorStage | undefined }
}

const version = 1
/** The key of the context for what the coprocessor remembers. */
const contextKey = 'coprocessor'

type Json = Readonly<Record<string, unknown>>

export class Coprocessor implements HookSource {
  readonly #options: CoprocessorOptions
  readonly #stages: CoprocessorOptions['stages']
  readonly #client
  readonly name = 'coprocessor'
  readonly hooks: Hooks
  // The client has the timeout itself, and reports more of what happened.
  readonly timeoutMs: number

  constructor(options: CoprocessorOptions) {
    this.#options = options
    this.#stages = options.stages
    this.timeoutMs = options.timeoutMs + 1000
    this.#client = createCoprocessorClient({
      ...options,
      headers: options.send.map(({ name, value = '' }) => [name, value] as const),
    })
    const all = [this.#stages.subgraphRequest, this.#stages.subgraphAnswer].filter(
      (stage) => stage !== undefined,
    )
    this.hooks = {
      onRequest: this.#when('request', async ({ method, url, ...event }) =>
        this.#ask('request', event, { method, url }),
      ),
      onIdentity: this.#when('identity', async (event) =>
        this.#ask('identity', event, this.#caller('identity', event.identity)),
      ),
      onOperation: this.#when('operation', async (event) =>
        this.#ask('operation', event, {
          ...this.#caller('operation', event.identity),
          ...this.#operationAt('operation', event.operation),
          ...(this.#stages.operation?.variables === true ? { variables: event.variables } : {}),
        }),
      ),
      decidePolicies: this.#when('policies', async (event) => {
        const about = { ...this.#caller('policies', event.identity), policies: event.policies }
        return listOf(await this.#ask('policies', event, about), 'policies')
      }),
      decideLabels: this.#when('labels', async (event) => {
        const about = { ...this.#caller('labels', event.identity), labels: event.labels }
        return listOf(await this.#ask('labels', event, about), 'labels')
      }),
      onSubgraphRequest: this.#when('subgraphRequest', async (event) => {
        const { fetch } = event
        if (!this.#sees('subgraphRequest', fetch.subgraph)) return undefined
        return this.#ask('subgraphRequest', event, {
          ...this.#caller('subgraphRequest', event.identity),
          ...this.#fetchAt('subgraphRequest', fetch),
        })
      }),
      onSubgraphAnswer: this.#when('subgraphAnswer', async (event) => {
        const { fetch, answer, status, milliseconds } = event
        if (!this.#sees('subgraphAnswer', fetch.subgraph)) return undefined
        const said = this.#stages.subgraphAnswer ?? {}
        return this.#ask('subgraphAnswer', event, {
          ...this.#caller('subgraphAnswer', event.identity),
          ...this.#fetchAt('subgraphAnswer', fetch),
          status,
          milliseconds,
          ...(said.data === true ? { data: answer.data } : {}),
          ...(said.errors === true ? { errors: answer.errors ?? [] } : {}),
          ...(said.answerHeaders === undefined
            ? {}
            : { answerHeaders: chosen(event.answerHeaders, said.answerHeaders) }),
        })
      }),
      onAnswer: this.#when('answer', async (event) => {
        const said = this.#stages.answer ?? {}
        return this.#ask('answer', event, {
          ...this.#caller('answer', event.identity),
          ...this.#operationAt('answer', event.operation),
          status: event.status,
          milliseconds: event.milliseconds,
          ...(said.data === true ? { data: event.data ?? null } : {}),
          ...(said.errors === true ? { errors: event.errors ?? [] } : {}),
        })
      }),
      ...(all.some(({ subgraphs }) => subgraphs === undefined)
        ? {}
        : { subgraphs: [...new Set(all.flatMap(({ subgraphs = [] }) => subgraphs))] }),
      close: this.#client.close,
    }
  }

  goesOn(stage: StageName): boolean {
    return (this.#stages[stage]?.onFailure ?? this.#options.onFailure ?? 'closed') === 'open'
  }

  /** Calls the coprocessor, and keeps what it wants to remember; returns a change or a refusal. */
  async #ask(stage: StageName, event: HookEvent, about: object): Promise<Json | Refusal> {
    const said = this.#stages[stage] ?? {}
    const remembered = event.context.get(contextKey)
    const answer = await this.#client.ask({
      version,
      stage,
      id: event.id,
      ...(remembered === undefined ? {} : { context: remembered }),
      ...(said.headers === undefined ? {} : { headers: chosen(event.headers, said.headers) }),
      ...about,
    })
    if (!isObject(answer))
      throw new CoprocessorError('the coprocessor returned something other than an object')
    if (answer.version !== version)
      throw new CoprocessorError(`the coprocessor returned another version: expected ${version}`)
    if (answer.context !== undefined) event.context.set(contextKey, recordOf(answer.context, 'context'))
    const { control } = answer
    if (control === 'continue') {
      // The refusal of a hook in code, which is an unknown key here.
      const { refuse: _, ...change } = answer
      return change
    }
    if (!isObject(control) || typeof control.break !== 'number')
      throw new CoprocessorError(
        'the coprocessor returned no control: expected continue, or break with a status',
      )
    return refusalOf(control.break, answer)
  }

  #caller(stage: StageName, identity: HookIdentity | undefined): object {
    const { identity: whole, claims } = this.#stages[stage] ?? {}
    if (identity === undefined || (whole !== true && claims === undefined)) return {}
    const { subject, scopes, authenticated } = identity
    return {
      identity: {
        ...(whole === true ? { subject, scopes: [...scopes], authenticated } : {}),
        ...(claims === undefined ? {} : { claims: chosen(identity.claims, claims) }),
      },
    }
  }

  #operationAt(stage: StageName, operation: HookOperation | undefined): object {
    if (operation === undefined) return {}
    const { text, ...rest } = operation
    return { operation: this.#stages[stage]?.text === true ? operation : rest }
  }

  #fetchAt(stage: StageName, { subgraph, type, text, variables }: HookFetch): object {
    const said = this.#stages[stage] ?? {}
    return {
      subgraph,
      fetch: {
        type,
        ...(said.text === true ? { text } : {}),
        ...(said.variables === true ? { variables } : {}),
      },
    }
  }

  #sees(stage: 'subgraphRequest' | 'subgraphAnswer', subgraph: string): boolean {
    const named = this.#stages[stage]?.subgraphs
    return named === undefined || named.includes(subgraph)
  }

  #when<Hook>(stage: StageName, hook: Hook): Hook | undefined {
    return this.#stages[stage] === undefined ? undefined : hook
  }
}

function chosen(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])))
}

function listOf(answer: Json | Refusal, key: 'policies' | 'labels'): Iterable<string> {
  if ('refuse' in answer)
    throw new CoprocessorError(`the coprocessor ended the request where ${key} are decided`)
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
