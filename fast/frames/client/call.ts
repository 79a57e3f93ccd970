/** One request in frames and its answer: ends once, by the answer, its deadline, its caller or the connection. */

import { type Cancellation, type CancelReason, cancelReason } from '../../../shared/http/cancellation.ts'
import type { Exchanged, Loss } from '../../../shared/http/exchange.ts'
import { GatheredBytes } from '../../../shared/http/gathered-bytes.ts'
import { notInBag } from '../../../shared/runtime/bag.ts'
import { stopWaiting, type Waiter, wait } from '../../../shared/runtime/deadlines.ts'
import { headersIn } from '../format/index.ts'

const noBytes = Buffer.alloc(0)

/** What a call asks of the connection that it is on. */
export interface CallOwner {
  /** It ended otherwise than by its answer. */
  givenUp(call: FramedCall, why: CancelReason | 'too-large'): void
}

export class FramedCall implements Waiter {
  readonly deadline: number
  readonly exchange: number
  /** How often something had come on its connection when it was sent. */
  readonly heard: number
  place = notInBag
  readonly #owner: CallOwner
  readonly #maxBytes: number
  readonly #tell: (end: Exchanged) => void
  #stop: (() => void) | undefined
  #ended = false
  #status = 0
  #head = ''
  #length = 0
  /** Of a body that comes in parts. What was announced takes no memory before it comes. */
  #body: GatheredBytes | undefined

  constructor(
    exchange: number,
    {
      owner,
      cancellation,
      deadline,
      maxBytes,
      heard,
    }: { owner: CallOwner; cancellation: Cancellation; deadline: number; maxBytes: number; heard: number },
    tell: (end: Exchanged) => void,
  ) {
    this.exchange = exchange
    this.deadline = deadline
    this.heard = heard
    this.#owner = owner
    this.#maxBytes = maxBytes
    this.#tell = tell
    // The request ends the call at its own deadline.
    if (deadline < cancellation.deadline) wait(this)
    this.#stop = cancellation.onCancel(() => this.#giveUp(cancelReason(cancellation)))
  }

  get ended(): boolean {
    return this.#ended
  }

  /** False if it has begun before, or if this is no status. */
  begin(status: number, head: string, length: number): boolean {
    if (this.#status !== 0 || status === 0) return false
    this.#status = status
    this.#head = head
    this.#length = length
    if (length > this.#maxBytes) this.#giveUp('too-large')
    return true
  }

  /** Whether the answer is whole with it; undefined if it is longer than was said, or has not begun. */
  part(bytes: Buffer): boolean | undefined {
    if (this.#ended) return true
    if (this.#status === 0) return undefined
    if (bytes.length === this.#length) {
      this.#end(undefined, bytes, undefined)
      return true
    }
    this.#body ??= new GatheredBytes(this.#length)
    if (!this.#body.add(bytes)) return undefined
    if (this.#body.length < this.#length) return false
    this.#end(undefined, this.#body.take(), undefined)
    return true
  }

  expire(): void {
    this.#giveUp('timeout')
  }

  /** The connection is gone; `begun`: within the answer. */
  lose(cause: Error, begun: boolean): void {
    if (!this.#ended) this.#end(begun || this.#status !== 0 ? 'truncated' : 'connection', noBytes, cause)
  }

  #giveUp(why: CancelReason | 'too-large'): void {
    if (this.#ended) return
    this.#end(why, noBytes, undefined)
    this.#owner.givenUp(this, why)
  }

  #end(loss: Loss | undefined, body: Buffer, cause: Error | undefined): void {
    this.#ended = true
    stopWaiting(this)
    this.#stop?.()
    this.#stop = undefined
    this.#body = undefined
    const headers = loss === undefined ? headersIn(this.#head) : {}
    this.#tell({ loss, left: true, status: this.#status, headers, body, cause })
  }
}
