/**
 * Calls one hook with a timeout and a span, counts it, and contains every failure. The log has the error; a client
 * learns only that a hook failed.
 */
import { tesseraError } from '../../shared/errors.ts'
import { isPromise } from '../../shared/runtime/is-promise.ts'
import type { Logger } from '../telemetry/log.ts'
import type { HookResult, Metrics } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import type { Hooks, MaybePromise } from './define.ts'
import { HookRefusal } from './reading.ts'

/** The stages, as in traces, metrics and the protocol of coprocessors, and the hook of each. */
export const hookOf = {
  request: 'onRequest',
  identity: 'onIdentity',
  operation: 'onOperation',
  policies: 'decidePolicies',
  labels: 'decideLabels',
  subgraphRequest: 'onSubgraphRequest',
  subgraphAnswer: 'onSubgraphAnswer',
  answer: 'onAnswer',
} as const satisfies Readonly<Record<string, keyof Hooks>>
export type StageName = keyof typeof hookOf

/** What each stage may change, or decide, by the names in what its hook returns. */
export const changesOf = {
  request: ['headers'],
  identity: ['identity'],
  operation: ['variables'],
  policies: ['policies'],
  labels: ['labels'],
  subgraphRequest: ['headers', 'variables', 'answer'],
  subgraphAnswer: ['answer'],
  answer: ['data', 'errors', 'extensions', 'headers'],
} as const satisfies Readonly<Record<StageName, readonly string[]>>

/** Where hooks come from; they run in the order of their sources. */
export interface HookSource {
  /** For log and traces: `file`, `coprocessor`, `option`. */
  readonly name: string
  readonly hooks: Hooks
  readonly timeoutMs: number
  /** Whether a request continues without the hook if it fails; never by default. */
  readonly goesOn?: ((stage: StageName) => boolean) | undefined
}

export interface RunOptions {
  readonly metrics: Metrics
  readonly traces: Traces | undefined
  readonly log: Logger
}

/** A hook took too long, which metrics count apart from other failures. */
export class HookTimeout extends Error {
  override readonly name = 'HookTimeout'
}

interface HookCall<Returned, Read> {
  readonly stage: StageName
  readonly source: HookSource
  readonly id: string
  run(): MaybePromise<Returned>
  /** Reads the return value; throws a `HookMistake` if it is invalid. */
  read(returned: Returned): Read
}

/** Undefined if it failed and the request continues; else throws an error that a client may see. */
export async function runHook<Returned, Read>(
  { metrics, traces, log }: RunOptions,
  { stage, source, id, run, read }: HookCall<Returned, Read>,
): Promise<Read | undefined> {
  const started = performance.now()
  const ended = (result: HookResult): void =>
    metrics.hook(stage, source.name, result, performance.now() - started)
  try {
    const pending =
      traces === undefined ? run() : traces.step(`hook ${stage}`, { 'tessera.hook.source': source.name }, run)
    const returned = isPromise(pending) ? await within(pending, source.timeoutMs) : pending
    const value = read(returned as Awaited<typeof pending>)
    ended(value instanceof HookRefusal ? 'refused' : 'done')
    return value
  } catch (error) {
    ended(error instanceof HookTimeout ? 'timeout' : 'failed')
    log.error({ request: id, stage, source: source.name, err: error }, 'a hook failed')
    if (source.goesOn?.(stage) === true) return undefined
    throw tesseraError('HOOK_FAILED', `A hook of this server failed. The log has the error under ${id}.`)
  }
}

/** A hook that is late continues by itself; nothing waits for it any more. */
async function within<Value>(pending: PromiseLike<Value>, timeoutMs: number): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const expire = (): void => late.reject(new HookTimeout(`the hook took longer than ${timeoutMs} ms`))
  const timer = setTimeout(expire, timeoutMs)
  try {
    return await Promise.race([pending, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
