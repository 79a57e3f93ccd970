/**
 * The stages of a request at which hooks are called, as the pipeline sees them. A stage without a hook is undefined, so
 * that it costs nothing. Each source sees the changes of the earlier ones.
 */

import type { GatewayRequest } from '../../engine/request.ts'
import type { Identity } from '../../shared/identity.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import { copied } from './copied.ts'
import type { HookError, HookIdentity, HookOperation, Hooks } from './define.ts'
import { answerHead, changeOf, errorsOf, HookRefusal, headerChanges, recordOf, textsOf } from './reading.ts'
import { createRun, type HookSource, type RunHook, type RunOptions, type StageName } from './run.ts'
import type { Hooked } from './hooked.ts'

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
  /** The executed operation belongs to this request; labels that were decided for it hold. */
  attach(running: GatewayRequest, hooked: Hooked): void
  hookedOf(running: GatewayRequest): Hooked | undefined
  /** Changes the headers of the request, or refuses it. */
  readonly request: ((hooked: Hooked) => Promise<HookRefusal | undefined>) | undefined
  readonly identity: ((hooked: Hooked, identity: Identity) => Promise<Identity | HookRefusal>) | undefined
  readonly operation:
    | ((
        hooked: Hooked,
        about: { readonly identity: Identity; readonly operation: HookOperation; readonly variables: Json },
      ) => Promise<Json | HookRefusal>)
    | undefined
  readonly policies:
    | ((hooked: Hooked, identity: Identity, policies: readonly string[]) => Promise<readonly string[]>)
    | undefined
  /** Decides which labels hold for a request; undefined if the supergraph has none to decide. */
  readonly labels: ((hooked: Hooked, running: GatewayRequest) => Promise<void>) | undefined
  /** Whether a label was decided to hold. */
  holds(label: string, running: GatewayRequest): boolean
  readonly answer:
    | ((hooked: Hooked, answer: FinishedAnswer) => Promise<ChangedAnswer | HookRefusal | undefined>)
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
  const all = new WeakMap<GatewayRequest, Hooked>()
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

  /** What all sources return together, of the requested names. */
  async function decide(
    stage: StageName,
    deciding: readonly HookSource[],
    hooked: Hooked,
    asked: readonly string[],
    ask: (source: HookSource) => ReturnType<NonNullable<Hooks['decidePolicies']>> | undefined,
  ): Promise<string[]> {
    const held = new Set<string>()
    for (const source of deciding) {
      const found = await run({
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

  return {
    run,
    attach: (running, hooked) => void all.set(running, hooked),
    hookedOf: (running) => all.get(running),

    request:
      onRequest &&
      (async (hooked) => {
        for (const source of onRequest) {
          const { id, method, url, event } = hooked
          const changes = await run({
            stage: 'request',
            source,
            id,
            run: () => source.hooks.onRequest?.({ ...event, method, url, address: hooked.peer() }),
            read(returned) {
              const change = changeOf(returned)
              return change instanceof HookRefusal ? change : headerChanges(change?.headers)
            },
          })
          if (changes instanceof HookRefusal) return changes
          if (changes !== undefined && changes.size > 0) hooked.changeHeaders(changes)
        }
        return undefined
      }),

    identity:
      onIdentity &&
      (async (hooked, given) => {
        let identity = given
        for (const source of onIdentity) {
          const before = identity
          const changed = await run({
            stage: 'identity',
            source,
            id: hooked.id,
            run: () => source.hooks.onIdentity?.({ ...hooked.event, identity: hookIdentity(before) }),
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
      (async (hooked, { identity, operation, variables: given }) => {
        let variables = given
        for (const source of onOperation) {
          const before = variables
          const changed = await run({
            stage: 'operation',
            source,
            id: hooked.id,
            run: () =>
              source.hooks.onOperation?.({
                ...hooked.event,
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
      ((hooked, identity, policies) =>
        decide('policies', decidePolicies, hooked, policies, ({ hooks }) =>
          hooks.decidePolicies?.({ ...hooked.event, identity: hookIdentity(identity), policies }),
        )),

    labels:
      decideLabels &&
      (async (hooked, running) => {
        const { identity = nobody } = running
        try {
          const held = await decide('labels', decideLabels, hooked, labels, ({ hooks }) =>
            hooks.decideLabels?.({ ...hooked.event, identity: hookIdentity(identity), labels }),
          )
          hooked.labels = new Set(held)
        } catch {
          // The log has the error; fields stay where they are without labels.
        }
      }),
    holds: (label, running) => all.get(running)?.labels.has(label) === true,

    answer:
      onAnswer &&
      (async (hooked, finished) => {
        let changed: ChangedAnswer | undefined
        for (const source of onAnswer) {
          const before = changed
          const next = await run({
            stage: 'answer',
            source,
            id: hooked.id,
            run: () =>
              source.hooks.onAnswer?.({
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
    ...(data === undefined ? {} : { data: recordOf(data, 'data') }),
    ...(errors === undefined ? {} : { errors: errorsOf(errors, 'errors') }),
    ...(extensions === undefined ? {} : { extensions: recordOf(extensions, 'extensions') }),
    head: [...(before?.head ?? []), ...answerHead(headers)],
  }
}
