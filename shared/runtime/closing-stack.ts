/**
 * What was opened so far, in the order in which it was opened, so that all of it is closed: at the end, or if something
 * that is opened later fails. It is the part of `AsyncDisposableStack` that is needed here; Node 22 has none.
 */
export class ClosingStack {
  readonly #closes: (() => unknown)[] = []
  #closing: Promise<void> | undefined

  /** `close` is called once, after everything that is added later is closed. It may return a promise. */
  add(close: () => unknown): void {
    this.#closes.push(close)
  }

  /** Closes the last first. A failure keeps nothing else open; the first one is the result. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  /** Closes everything after a start that failed. It never rejects, because the reason to report is that of the start. */
  async abandon(): Promise<void> {
    await this.close().catch(() => {})
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = []
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
