/**
 * The stages of a request at which hooks are called, as the pipeline sees them. A stage that no source has a hook for is
 * undefined, so that nothing of it is done. Each source sees what those before it have changed.
 */

import type { GatewayRequest } from '../../engine/request.ts'
import type { Identity } from '../../shared/identity.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import { copied } from './copied.ts'
import type { HookError, HookIdentity, HookOperation, Hooks } from './define.ts'
import { answerHead, changeOf, errorsOf, HookRefusal, headerChanges, recordOf, textsOf } from './reading.ts'
import { createRun, type HookSource, type RunHook, type RunOptions, type StageName } from './run.ts'
import { type HookedRequest, HookState } from './state.ts'

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

export interface Stages {
  begin(request: HookedRequest): HookState
  /** What is executed belongs to this request; labels that were decided for it hold. */
  attach(running: GatewayRequest, state: HookState): void
  stateOf(running: GatewayRequest): HookState | undefined
  readonly request: ((state: HookState) => Promise<HookedRequest | HookRefusal>) | undefined
  readonly identity: ((state: HookState, identity: Identity) => Promise<Identity | HookRefusal>) | undefined
  readonly operation:
    | ((
        state: HookState,
        about: { readonly identity: Identity; readonly operation: HookOperation; readonly variables: Json },
      ) => Promise<Json | HookRefusal>)
    | undefined
  readonly policies:
    | ((state: HookState, identity: Identity, policies: readonly string[]) => Promise<readonly string[]>)
    | undefined
  /** Decides which labels hold for a request; undefined if the supergraph has none to decide. */
  readonly labels: ((state: HookState, running: GatewayRequest) => Promise<void>) | undefined
  /** Whether a label was decided to hold. */
  holds(label: string, running: GatewayRequest): boolean
  readonly answer:
    | ((state: HookState, answer: FinishedAnswer) => Promise<ChangedAnswer | HookRefusal | undefined>)
    | undefined
  readonly run: RunHook
  /** The sources with hooks for requests to this subgraph, or for its answers. */
  forSubgraph(name: string): readonly HookSource[]
  close(): Promise<void>
}

export interface StagesOptions extends RunOptions {
  readonly sources: readonly HookSource[]
  /** The labels of `@override` that are to be decided. */
  readonly labels: readonly string[]
}

export function createStages(options: StagesOptions): Stages {
  const { sources, labels, log } = options
  const run = createRun(options)
  const states = new WeakMap<GatewayRequest, HookState>()
  const having = (key: keyof Hooks): readonly HookSource[] | undefined => {
    const found = sources.filter(({ hooks }) => hooks[key] !== undefined)
    return found.length === 0 ? undefined : found
  }
  const onRequest = having('onRequest')
  const onIdentity = having('onIdentity')
  const onOperation = having('onOperation')
  const decidePolicies = having('decidePolicies')
  const decideLabels = labels.length === 0 ? undefined : having('decideLabels')
  const onAnswer = having('onAnswer')

  /** What all sources return together of the names that were in question. */
  async function decide(
    stage: StageName,
    deciding: readonly HookSource[],
    state: HookState,
    asked: readonly string[],
    ask: (source: HookSource) => ReturnType<NonNullable<Hooks['decidePolicies']>> | undefined,
  ): Promise<string[]> {
    const held = new Set<string>()
    for (const source of deciding) {
      const found = await run({
        stage,
        source,
        id: state.request.id,
        run: () => ask(source) ?? [],
        read: (returned) => textsOf(returned, stage),
      })
      for (const name of found ?? []) if (asked.includes(name)) held.add(name)
    }
    return [...held]
  }

  return {
    run,
    begin: (request) => new HookState(request),
    attach: (running, state) => void states.set(running, state),
    stateOf: (running) => states.get(running),

    request:
      onRequest &&
      (async (state) => {
        for (const source of onRequest) {
          const { request, event } = state
          const { method, url } = request
          const changes = await run({
            stage: 'request',
            source,
            id: request.id,
            run: () => source.hooks.onRequest?.({ ...event, method, url, address: request.peer?.() }),
            read(returned) {
              const change = changeOf(returned)
              return change instanceof HookRefusal ? change : headerChanges(change?.headers)
            },
          })
          if (changes instanceof HookRefusal) return changes
          if (changes !== undefined && changes.size > 0) state.changeHeaders(changes)
        }
        return state.request
      }),

    identity:
      onIdentity &&
      (async (state, given) => {
        let identity = given
        for (const source of onIdentity) {
          const before = identity
          const changed = await run({
            stage: 'identity',
            source,
            id: state.request.id,
            run: () => source.hooks.onIdentity?.({ ...state.event, identity: hookIdentity(before) }),
            read(returned) {
              const change = changeOf(returned)
              return change instanceof HookRefusal ? change : identityOf(change?.identity, before)
            },
          })
          if (changed instanceof HookRefusal) return changed
          identity = changed ?? identity
        }
        return identity
      }),

    operation:
      onOperation &&
      (async (state, { identity, operation, variables: given }) => {
        let variables = given
        for (const source of onOperation) {
          const before = variables
          const changed = await run({
            stage: 'operation',
            source,
            id: state.request.id,
            run: () =>
              source.hooks.onOperation?.({
                ...state.event,
                identity: hookIdentity(identity),
                operation,
                variables: copied(before),
              }),
            read(returned) {
              const change = changeOf(returned)
              if (change instanceof HookRefusal || change?.variables === undefined) return change
              return { variables: recordOf(change.variables, 'variables') }
            },
          })
          if (changed instanceof HookRefusal) return changed
          variables = (changed?.variables as Json | undefined) ?? variables
        }
        return variables
      }),

    policies:
      decidePolicies &&
      ((state, identity, policies) =>
        decide('policies', decidePolicies, state, policies, ({ hooks }) =>
          hooks.decidePolicies?.({ ...state.event, identity: hookIdentity(identity), policies }),
        )),

    labels:
      decideLabels &&
      (async (state, running) => {
        const { identity = nobody } = running
        try {
          const held = await decide('labels', decideLabels, state, labels, ({ hooks }) =>
            hooks.decideLabels?.({ ...state.event, identity: hookIdentity(identity), labels }),
          )
          state.labels = new Set(held)
        } catch {
          // The log has it: fields stay where they are without their labels.
        }
      }),
    holds: (label, running) => states.get(running)?.labels.has(label) === true,

    answer:
      onAnswer &&
      (async (state, finished) => {
        let changed: ChangedAnswer | undefined
        for (const source of onAnswer) {
          const before = changed
          const next = await run({
            stage: 'answer',
            source,
            id: state.request.id,
            run: () =>
              source.hooks.onAnswer?.({
                ...state.event,
                identity: finished.identity && hookIdentity(finished.identity),
                operation: finished.operation,
                status: finished.status,
                get data() {
                  return copied(before?.data ?? finished.data())
                },
                errors: before?.errors ?? finished.errors,
                extensions: before?.extensions ?? finished.extensions,
                milliseconds: performance.now() - state.started,
              }),
            read(returned) {
              const change = changeOf(returned)
              return change === undefined || change instanceof HookRefusal
                ? change
                : readAnswer(change, before)
            },
          })
          if (next instanceof HookRefusal) return next
          changed = next ?? changed
        }
        return changed
      }),

    forSubgraph: (name) =>
      sources.filter(
        ({ hooks }) =>
          (hooks.onSubgraphRequest !== undefined || hooks.onSubgraphAnswer !== undefined) &&
          (hooks.subgraphs === undefined || hooks.subgraphs.includes(name)),
      ),

    async close() {
      for (const { name, hooks } of sources) {
        try {
          await hooks.close?.()
        } catch (error) {
          log.error({ source: name, err: asError(error) }, 'hooks could not be closed')
        }
      }
    },
  }
}

const nobody: Identity = { scopes: new Set(), claims: {}, authenticated: false }

/** A copy, as all that hooks get: what they change in it changes nothing. */
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
    ...(data === undefined ? {} : { data: recordOf(data, 'data') }),
    ...(errors === undefined ? {} : { errors: errorsOf(errors, 'errors') }),
    ...(extensions === undefined ? {} : { extensions: recordOf(extensions, 'extensions') }),
    head: [...(before?.head ?? []), ...answerHead(headers)],
  }
}
