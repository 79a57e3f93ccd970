/**
 * Equal calls at the same time are sent once. Every caller waits by its own deadline, and the call itself is
 * cancelled when the last of them has gone.
 */
import type { Cancellation } from '../../../contract/http/cancellation.ts'
import { PassingMap } from '../../../contract/passing-map.ts'

/** A running call and the deadline that its callers share. A class, because one is made for every call. */
export class SharedCall<T> implements Cancellation {
  /** When it began. */
  readonly since: number
  readonly result: Promise<T>
  #deadline: number
  #callers = 0
  #cancelled = false
  #listeners: Set<() => void> | undefined
  readonly #forget: (call: SharedCall<T>) => void

  constructor(
    timeoutMs: number,
    send: (cancellation: Cancellation) => Promise<T>,
    forget: (call: SharedCall<T>) => void,
  ) {
    this.since = performance.now()
    this.#deadline = this.since + timeoutMs
    this.#forget = forget
    this.result = send(this).finally(() => forget(this))
  }

  get deadline(): number {
    return this.#deadline
  }

  get cancelled(): boolean {
    return this.#cancelled
  }

  onCancel(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }

  join(): void {
    this.#callers += 1
  }

  /** `timedOut` says whether the caller left because its deadline had passed. */
  leave(timedOut: boolean): void {
    this.#callers -= 1
    if (this.#callers > 0) return
    this.#cancelled = true
    if (timedOut) this.#deadline = performance.now()
    this.#forget(this)
    for (const listener of [...(this.#listeners ?? [])]) listener()
  }
}

export interface InFlightCalls<T> {
  find(key: string): SharedCall<T> | undefined
  /** Sends a call that replaces an older one under this key. */
  start(key: string, timeoutMs: number, send: (cancellation: Cancellation) => Promise<T>): SharedCall<T>
}

export function createInFlightCalls<T>(): InFlightCalls<T> {
  const calls = new PassingMap<SharedCall<T>>()
  return {
    find: (key) => calls.get(key),
    start(key, timeoutMs, send) {
      const call = new SharedCall(timeoutMs, send, (ended) => calls.delete(key, ended))
      calls.set(key, call)
      return call
    },
  }
}
