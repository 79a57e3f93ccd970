/**
 * Several callers that wait for one call. Each leaves by its own deadline, and the call is cancelled when the last
 * of them has left.
 */
import type { Cancellation } from '../../../shared/http/cancellation.ts'

export class SharedCancellation implements Cancellation {
  deadline: number
  cancelled = false
  #callers = 0
  #listeners: Set<() => void> | undefined

  constructor(timeoutMs: number) {
    this.deadline = performance.now() + timeoutMs
  }

  onCancel(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }

  join(): void {
    this.#callers += 1
  }

  /** Returns true for the last caller. */
  leave(): boolean {
    this.#callers -= 1
    return this.#callers === 0
  }

  /** Nobody waits any more. `timedOut` says whether the last caller left because of its deadline. */
  cancel(timedOut: boolean): void {
    this.cancelled = true
    if (timedOut) this.deadline = performance.now()
    for (const listener of [...(this.#listeners ?? [])]) listener()
  }
}
