/**
 * The stages of a request at which hooks are called, as the pipeline sees them. A stage without a hook is undefined, so
 * that it costs nothing. Each source sees the changes of the earlier ones.
 */

import type { GatewayRequest } from '../../engine/request.ts'
import { type Identity, subjectFrom } from '../../shared/identity.ts'
import { release, retain } from '../../shared/runtime/reference-count.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import type { AnswerEvent, HookError, HookIdentity, HookOperation, Hooks } from './define.ts'
import { copied, type Hooked } from './hooked.ts'
import {
  answerHead,
  changeOf,
  errorsOf,
  HookMistake,
  HookRefusal,
  headerChanges,
  jsonOf,
  recordOf,
  textsOf,
} from './reading.ts'
import { changesOf, type HookSource, hookOf, type RunOptions, runHook, type StageName } from './run.ts'

type Json = Readonly<Record<string, unknown>>

interface FinishedAnswer {
  readonly identity: Identity | undefined
  readonly operation: HookOperation | undefined
  readonly status: number
  data(): Json | null | undefined
  readonly errors: readonly HookError[] | undefined
  readonly extensions: Json | undefined
}

interface ChangedAnswer {
  readonly data?: Json | undefined
  readonly errors?: readonly HookError[] | undefined
  readonly extensions?: Json | undefined
  readonly head: readonly string[]
}

/** What hooks get to know of an operation before it is executed. */
interface OperationAbout {
  readonly identity: Identity
  readonly operation: HookOperation
  readonly variables: Json
}

interface StagesOptions extends RunOptions {
  readonly sources: readonly HookSource[]
  /** The labels of `@override` that need a decision. */
  readonly labels: readonly string[]
}

export class Stages {
  readonly #sources: readonly HookSource[]
  readonly #options: RunOptions
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
    const { sources, labels } = options
    this.#sources = sources
    this.#options = options
    if (this.#has('request'))
      this.request = (hooked) =>
        this.inTurn('request', hooked, undefined, {
          event() {
            const { method, url } = hooked
            return { ...hooked.event, method, url, address: hooked.address() }
          },
          call: (hooks, event) => hooks.onRequest?.(event),
          read({ headers }) {
            const changes = headerChanges(headers)
            if (changes.size > 0) hooked.changeHeaders(changes)
            return undefined
          },
        })
    if (this.#has('identity'))
      this.identity = (hooked, given) =>
        this.inTurn('identity', hooked, given, {
          event: (before) => ({ ...hooked.event, identity: hookIdentity(before) }),
          call: (hooks, event) => hooks.onIdentity?.(event),
          read: ({ identity }, before) => identityOf(identity, before),
        })
    if (this.#has('operation'))
      this.operation = (hooked, { identity: caller, operation, variables: given }) =>
        this.inTurn('operation', hooked, given, {
          event(before) {
            const identity = hookIdentity(caller)
            return { ...hooked.event, identity, operation, variables: copied(before) }
          },
          call: (hooks, event) => hooks.onOperation?.(event),
          read: ({ variables }, before) =>
            variables === undefined ? before : jsonOf(variables, 'variables'),
        })
    if (this.#has('policies'))
      this.policies = (hooked, identity, policies) =>
        this.#decide('policies', hooked, policies, (hooks) =>
          hooks.decidePolicies?.({ ...hooked.event, identity: hookIdentity(identity), policies }),
        )
    if (labels.length > 0 && this.#has('labels'))
      this.labels = async (hooked, { identity = nobody }) => {
        try {
          const held = await this.#decide('labels', hooked, labels, (hooks) =>
            hooks.decideLabels?.({ ...hooked.event, identity: hookIdentity(identity), labels }),
          )
          hooked.labels = new Set(held)
        } catch {
          // The log has the error; fields stay where they are without labels.
        }
      }
    if (this.#has('answer'))
      this.answer = (hooked, { identity, operation, status, data, errors, extensions }) =>
        this.inTurn<ChangedAnswer | undefined, AnswerEvent>('answer', hooked, undefined, {
          event: (before) => ({
            ...hooked.event,
            identity: identity && hookIdentity(identity),
            operation,
            status,
            get data() {
              return copied(before?.data ?? data())
            },
            errors: before?.errors ?? errors,
            extensions: before?.extensions ?? extensions,
            milliseconds: performance.now() - hooked.started,
          }),
          call: (hooks, event) => hooks.onAnswer?.(event),
          read: readAnswer,
        })
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
    for (const { hooks } of this.#sources) retain(hooks)
  }

  async close(): Promise<void> {
    for (const { name, hooks } of this.#sources) {
      if (!release(hooks)) continue
      try {
        await hooks.close?.()
      } catch (error) {
        this.#options.log.error({ source: name, err: asError(error) }, 'hooks could not be closed')
      }
    }
  }

  #has(stage: StageName): boolean {
    return this.#sources.some(({ hooks }) => hooks[hookOf[stage]] !== undefined)
  }

  /** What all sources return together, of the requested names. */
  async #decide(
    stage: StageName,
    hooked: Hooked,
    asked: readonly string[],
    ask: (hooks: Hooks) => ReturnType<NonNullable<Hooks['decidePolicies']>> | undefined,
  ): Promise<string[]> {
    const held = new Set<string>()
    for (const source of this.#sources) {
      if (source.hooks[hookOf[stage]] === undefined) continue
      const found = await runHook(this.#options, {
        stage,
        source,
        id: hooked.id,
        run: () => ask(source.hooks) ?? [],
        read: (returned) => textsOf(returned, stage),
      })
      for (const name of found ?? []) if (asked.includes(name)) held.add(name)
    }
    return [...held]
  }

  /** Each source changes what the earlier ones left. A refusal ends it, and so does a state that is over. */
  async inTurn<State, Event extends object>(
    stage: StageName,
    hooked: Hooked,
    first: State,
    { event: eventOf, call, read, isOver = () => false }: Turn<State, Event>,
    sources: readonly HookSource[] = this.#sources,
  ): Promise<State | HookRefusal> {
    let state = first
    for (const source of sources) {
      if (source.hooks[hookOf[stage]] === undefined) continue
      if (isOver(state)) break
      const before = state
      const event = eventOf(before)
      const changed = await runHook(this.#options, {
        stage,
        source,
        id: hooked.id,
        run: () => call(source.hooks, event),
        read(returned) {
          const change = changeOf(returned, changesOf[stage], event)
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
}

/**
 * What a stage does with each source: it calls the hook, and applies the change that the hook returned. Hooks are called
 * as methods, because those of a program may be an object of a class.
 */
interface Turn<State, Event> {
  /** What the hook gets. */
  event(state: State): Event
  call(hooks: Hooks, event: Event): unknown
  read(change: Json, state: State): State
  isOver?(state: State): boolean
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
    ...(subject === undefined || subject === null ? {} : { subject: textOfSubject(subject) }),
    scopes: new Set(scopes === undefined ? [] : textsOf(scopes, 'identity.scopes')),
    claims: Object.freeze({ ...(claims === undefined ? {} : recordOf(claims, 'identity.claims')) }),
    authenticated: authenticated === true,
  })
}

/** A value without a text of its own would be the same subject for all callers. */
function textOfSubject(value: unknown): string {
  const subject = subjectFrom(value)
  if (subject === undefined)
    throw new HookMistake('identity.subject is neither a text nor an exact whole number')
  return subject
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
