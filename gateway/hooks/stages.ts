/**
 * The stages of a request at which hooks are called, as the pipeline sees them. A stage without a hook is undefined, so
 * that it costs nothing. Each source sees the changes of the earlier ones.
 */

import type { GatewayRequest } from '../../engine/request.ts'
import type { Identity } from '../../shared/identity.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import { isLastUser, use } from '../../shared/runtime/users.ts'
import type { HookError, HookIdentity, HookOperation, Hooks } from './define.ts'
import { copied, type Hooked } from './hooked.ts'
import {
  answerHead,
  changeOf,
  errorsOf,
  HookRefusal,
  headerChanges,
  jsonOf,
  recordOf,
  textsOf,
} from './reading.ts'
import { createRun, type HookSource, type RunOptions, type StageName } from './run.ts'

type Json = Readonly<Record<string, unknown>>

export interface FinishedAnswer {
  readonly identity: Identity | undefined
  readonly operation: HookOperation | undefined
  readonly status: number
  data(): Json | null | undefined
  readonly errors: readonly HookError[] | undefined
  readonly extensions: Json | undefined
}

export interface ChangedAnswer {
  readonly data?: Json | undefined
  readonly errors?: readonly HookError[] | undefined
  readonly extensions?: Json | undefined
  readonly head: readonly string[]
}

/** What hooks get to know of an operation before it is executed. */
export interface OperationAbout {
  readonly identity: Identity
  readonly operation: HookOperation
  readonly variables: Json
}

export interface StagesOptions extends RunOptions {
  readonly sources: readonly HookSource[]
  /** The labels of `@override` that need a decision. */
  readonly labels: readonly string[]
}

export class Stages {
  readonly #sources: readonly HookSource[]
  readonly #labels: readonly string[]
  readonly #log
  readonly #run
  readonly #all = new WeakMap<GatewayRequest, Hooked>()
  /** Changes the headers of the request, or refuses it. */
  readonly request: ((hooked: Hooked) => Promise<HookRefusal | undefined>) | undefined
  readonly identity: ((hooked: Hooked, identity: Identity) => Promise<Identity | HookRefusal>) | undefined
  readonly operation: ((hooked: Hooked, about: OperationAbout) => Promise<Json | HookRefusal>) | undefined
  readonly policies:
    | ((hooked: Hooked, identity: Identity, policies: readonly string[]) => Promise<readonly string[]>)
    | undefined
  /** Decides which labels hold for a request; undefined if the supergraph has none to decide. */
  readonly labels: ((hooked: Hooked, running: GatewayRequest) => Promise<void>) | undefined
  readonly answer:
    | ((hooked: Hooked, answer: FinishedAnswer) => Promise<ChangedAnswer | HookRefusal | undefined>)
    | undefined

  constructor(options: StagesOptions) {
    const { sources, labels, log } = options
    this.#sources = sources
    this.#labels = labels
    this.#log = log
    this.#run = createRun(options)
    const onRequest = this.#having('onRequest')
    this.request = onRequest && ((hooked) => this.#changeRequest(onRequest, hooked))
    const onIdentity = this.#having('onIdentity')
    this.identity = onIdentity && ((hooked, given) => this.#changeIdentity(onIdentity, hooked, given))
    const onOperation = this.#having('onOperation')
    this.operation = onOperation && ((hooked, about) => this.#changeVariables(onOperation, hooked, about))
    const decidePolicies = this.#having('decidePolicies')
    this.policies =
      decidePolicies &&
      ((hooked, identity, policies) =>
        this.#decide('policies', decidePolicies, hooked, policies, ({ hooks }) =>
          hooks.decidePolicies?.({ ...hooked.event, identity: hookIdentity(identity), policies }),
        ))
    const decideLabels = labels.length === 0 ? undefined : this.#having('decideLabels')
    this.labels = decideLabels && ((hooked, running) => this.#decideLabels(decideLabels, hooked, running))
    const onAnswer = this.#having('onAnswer')
    this.answer = onAnswer && ((hooked, finished) => this.#changeAnswer(onAnswer, hooked, finished))
  }

  /** The executed operation belongs to this request; labels that were decided for it hold. */
  attach(running: GatewayRequest, hooked: Hooked): void {
    this.#all.set(running, hooked)
  }

  hookedOf(running: GatewayRequest): Hooked | undefined {
    return this.#all.get(running)
  }

  /** Whether a label was decided to hold. */
  readonly holds = (label: string, running: GatewayRequest): boolean => {
    return this.#all.get(running)?.labels.has(label) === true
  }

  /** The sources that have hooks for requests to this subgraph, or for its responses. */
  forSubgraph(name: string): readonly HookSource[] {
    return this.#sources.filter(
      ({ hooks }) =>
        (hooks.onSubgraphRequest !== undefined || hooks.onSubgraphAnswer !== undefined) &&
        (hooks.subgraphs === undefined || hooks.subgraphs.includes(name)),
    )
  }

  /** These hooks are used from now on, until `close`. */
  open(): void {
    for (const { hooks } of this.#sources) use(hooks)
  }

  async close(): Promise<void> {
    for (const { name, hooks } of this.#sources) {
      if (!isLastUser(hooks)) continue
      try {
        await hooks.close?.()
      } catch (error) {
        this.#log.error({ source: name, err: asError(error) }, 'hooks could not be closed')
      }
    }
  }

  #having(key: keyof Hooks): readonly HookSource[] | undefined {
    const found = this.#sources.filter(({ hooks }) => hooks[key] !== undefined)
    return found.length === 0 ? undefined : found
  }

  /** What all sources return together, of the requested names. */
  async #decide(
    stage: StageName,
    deciding: readonly HookSource[],
    hooked: Hooked,
    asked: readonly string[],
    ask: (source: HookSource) => ReturnType<NonNullable<Hooks['decidePolicies']>> | undefined,
  ): Promise<string[]> {
    const held = new Set<string>()
    for (const source of deciding) {
      const found = await this.#run({
        stage,
        source,
        id: hooked.id,
        run: () => ask(source) ?? [],
        read: (returned) => textsOf(returned, stage),
      })
      for (const name of found ?? []) if (asked.includes(name)) held.add(name)
    }
    return [...held]
  }

  /** Each source changes what the earlier ones left. A refusal ends it, and so does a state that is over. */
  async inTurn<State>(
    stage: StageName,
    sources: readonly HookSource[],
    hooked: Hooked,
    first: State,
    call: (hooks: Hooks, state: State) => unknown,
    read: (change: Json, state: State) => State,
    isOver: (state: State) => boolean = () => false,
  ): Promise<State | HookRefusal> {
    let state = first
    for (const source of sources) {
      if (isOver(state)) break
      const before = state
      const changed = await this.#run({
        stage,
        source,
        id: hooked.id,
        run: () => call(source.hooks, before),
        read(returned) {
          const change = changeOf(returned)
          return change === undefined || change instanceof HookRefusal
            ? change
            : { state: read(change, before) }
        },
      })
      if (changed instanceof HookRefusal) return changed
      if (changed !== undefined) state = changed.state
    }
    return state
  }

  #changeRequest(sources: readonly HookSource[], hooked: Hooked): Promise<HookRefusal | undefined> {
    const { method, url } = hooked
    return this.inTurn(
      'request',
      sources,
      hooked,
      undefined,
      (hooks) => hooks.onRequest?.({ ...hooked.event, method, url, address: hooked.address() }),
      ({ headers }) => {
        const changes = headerChanges(headers)
        if (changes.size > 0) hooked.changeHeaders(changes)
        return undefined
      },
    )
  }

  #changeIdentity(
    sources: readonly HookSource[],
    hooked: Hooked,
    first: Identity,
  ): Promise<Identity | HookRefusal> {
    return this.inTurn(
      'identity',
      sources,
      hooked,
      first,
      (hooks, before) => hooks.onIdentity?.({ ...hooked.event, identity: hookIdentity(before) }),
      ({ identity }, before) => identityOf(identity, before),
    )
  }

  #changeVariables(
    sources: readonly HookSource[],
    hooked: Hooked,
    { identity, operation, variables }: OperationAbout,
  ): Promise<Json | HookRefusal> {
    return this.inTurn(
      'operation',
      sources,
      hooked,
      variables,
      (hooks, before) =>
        hooks.onOperation?.({
          ...hooked.event,
          identity: hookIdentity(identity),
          operation,
          variables: copied(before),
        }),
      (change, before) => (change.variables === undefined ? before : jsonOf(change.variables, 'variables')),
    )
  }

  async #decideLabels(
    sources: readonly HookSource[],
    hooked: Hooked,
    { identity = nobody }: GatewayRequest,
  ): Promise<void> {
    try {
      const held = await this.#decide('labels', sources, hooked, this.#labels, ({ hooks }) =>
        hooks.decideLabels?.({ ...hooked.event, identity: hookIdentity(identity), labels: this.#labels }),
      )
      hooked.labels = new Set(held)
    } catch {
      // The log has the error; fields stay where they are without labels.
    }
  }

  #changeAnswer(
    sources: readonly HookSource[],
    hooked: Hooked,
    finished: FinishedAnswer,
  ): Promise<ChangedAnswer | HookRefusal | undefined> {
    return this.inTurn<ChangedAnswer | undefined>(
      'answer',
      sources,
      hooked,
      undefined,
      (hooks, before) =>
        hooks.onAnswer?.({
          ...hooked.event,
          identity: finished.identity && hookIdentity(finished.identity),
          operation: finished.operation,
          status: finished.status,
          get data() {
            return copied(before?.data ?? finished.data())
          },
          errors: before?.errors ?? finished.errors,
          extensions: before?.extensions ?? finished.extensions,
          milliseconds: performance.now() - hooked.started,
        }),
      readAnswer,
    )
  }
}

const nobody: Identity = { scopes: new Set(), claims: {}, authenticated: false }

/** A copy: changes that a hook makes in it have no effect. */
export function hookIdentity({ subject, scopes, claims, authenticated }: Identity): HookIdentity {
  return { subject, scopes: new Set(scopes), claims: copied(claims), authenticated }
}

function identityOf(value: unknown, before: Identity): Identity {
  if (value === undefined) return before
  const { subject, scopes, claims, authenticated = true } = recordOf(value, 'identity')
  return Object.freeze({
    ...(subject === undefined ? {} : { subject: String(subject) }),
    scopes: new Set(scopes === undefined ? [] : textsOf(scopes, 'identity.scopes')),
    claims: Object.freeze({ ...(claims === undefined ? {} : recordOf(claims, 'identity.claims')) }),
    authenticated: authenticated === true,
  })
}

function readAnswer(change: Json, before: ChangedAnswer | undefined): ChangedAnswer {
  const { data, errors, extensions, headers } = change
  return {
    ...before,
    ...(data === undefined ? {} : { data: jsonOf(data, 'data') }),
    ...(errors === undefined ? {} : { errors: errorsOf(errors, 'errors') }),
    ...(extensions === undefined ? {} : { extensions: jsonOf(extensions, 'extensions') }),
    head: [...(before?.head ?? []), ...answerHead(headers)],
  }
}
