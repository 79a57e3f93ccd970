/**
 * Results that were made and not sent yet. They are sent in updates, each when the client has the previous one.
 * Results that are made in one turn of the event loop are sent together.
 */
import type { GraphQLError } from 'graphql'
import type {
  ExecutionUpdate,
  ExecutionUpdates,
  IncrementalResult,
  Path,
  PendingResult,
} from './execution-updates.ts'

interface OpenUpdate {
  readonly pending: PendingResult[]
  readonly incremental: IncrementalResult[]
  readonly completed: { readonly of: PendingResult; readonly errors?: readonly GraphQLError[] }[]
}

const emptyUpdate = (): OpenUpdate => ({ pending: [], incremental: [], completed: [] })
const isEmpty = ({ pending, incremental, completed }: OpenUpdate): boolean =>
  pending.length + incremental.length + completed.length === 0

export class UpdateQueue {
  readonly #rest: () => readonly GraphQLError[]
  #ids = 0
  /** The announced fragments and lists that are not complete. */
  #open = 0
  #update = emptyUpdate()
  #waiting: ((update: ExecutionUpdate | undefined) => void) | undefined
  #isFlushing = false
  #isEnded = false

  /** `rest` returns the errors that no payload has, for the last one. */
  constructor(rest: () => readonly GraphQLError[]) {
    this.#rest = rest
  }

  announce(kind: PendingResult['kind'], label: string | undefined, path: Path): PendingResult {
    const pending: PendingResult = { id: String(this.#ids++), kind, label, path }
    this.#open += 1
    this.#update.pending.push(pending)
    return pending
  }

  send(result: IncrementalResult): void {
    this.#update.incremental.push(result)
  }

  /** Completes it; with errors if it is lost. */
  complete(of: PendingResult, errors?: readonly GraphQLError[]): void {
    this.#open -= 1
    this.#update.completed.push(errors === undefined ? { of } : { of, errors })
  }

  /** Passes the update to a waiting client at the end of this turn of the event loop. */
  flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      const give = this.#waiting
      if (give === undefined || isEmpty(this.#update)) return
      this.#waiting = undefined
      give(this.#take())
    })
  }

  /** Whether everything that was announced is complete. */
  get isOver(): boolean {
    return this.#open === 0
  }

  /** Takes the announcements for the first response. Everything else goes into updates. */
  begin(): Pick<ExecutionUpdates, 'pending' | 'next'> {
    const { pending, incremental, completed } = this.#update
    // Payloads that are ready already are announced as well, and sent next.
    this.#update = { pending: [], incremental, completed }
    return { pending, next: () => this.#next() }
  }

  #next(): Promise<ExecutionUpdate | undefined> {
    if (this.#isEnded) return Promise.resolve(undefined)
    if (!isEmpty(this.#update) && !this.#isFlushing) return Promise.resolve(this.#take())
    return new Promise((resolve) => {
      this.#waiting = resolve
      if (!isEmpty(this.#update)) this.flushSoon()
    })
  }

  #take(): ExecutionUpdate {
    const hasNext = this.#open > 0
    if (!hasNext) {
      this.#isEnded = true
      addRest(this.#update, this.#rest())
    }
    const whole: ExecutionUpdate = { ...this.#update, hasNext }
    this.#update = emptyUpdate()
    return whole
  }
}

/** Adds the remaining errors to the last payload, or to a completion with errors. */
function addRest({ incremental, completed }: OpenUpdate, left: readonly GraphQLError[]): void {
  if (left.length === 0) return
  const last = incremental.pop()
  if (last !== undefined) {
    incremental.push({ ...last, errors: [...last.errors, ...left] })
    return
  }
  const lostAt = completed.findIndex(({ errors }) => errors !== undefined)
  const at = Math.max(0, lostAt)
  const found = completed[at]
  if (found === undefined) return
  const { of, errors } = found
  if (errors !== undefined || of.kind === 'stream')
    completed[at] = { of, errors: [...(errors ?? []), ...left] }
  else incremental.push({ kind: 'data', of, path: of.path, data: {}, errors: left })
}
