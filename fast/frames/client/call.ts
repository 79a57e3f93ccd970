/**
 * One request in frames and its response. The call ends once: with the response, at its deadline, or when its
 * caller or the connection ends it.
 */

import { type Cancellation, type CancelReason, cancelReason } from '../../../shared/http/cancellation.ts'
import type { HttpResult, LossReason } from '../../../shared/http/dispatch-request.ts'
import { GatheredBytes } from '../../../shared/http/gathered-bytes.ts'
import { clearDeadline, type WithDeadline, watchDeadline } from '../../../shared/runtime/deadlines.ts'
import { notInSet } from '../../../shared/runtime/intrusive-set.ts'
import { headersIn } from '../format/index.ts'

const noBytes = Buffer.alloc(0)

export interface CallOwner {
  /** The call ended without its response. */
  givenUp(call: FramedCall, why: CancelReason | 'too-large'): void
}

export class FramedCall implements WithDeadline {
  readonly deadline: number
  readonly exchange: number
  /** The connection's count of arrivals when the request was sent. */
  readonly heard: number
  setIndex = notInSet
  readonly #owner: CallOwner
  readonly #maxBytes: number
  readonly #tell: (end: HttpResult) => void
  #stop: (() => void) | undefined
  #ended = false
  #status = 0
  #head = ''
  #length = 0
  /** The parts of a long body. The announced length allocates nothing. */
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
    tell: (end: HttpResult) => void,
  ) {
    this.exchange = exchange
    this.deadline = deadline
    this.heard = heard
    this.#owner = owner
    this.#maxBytes = maxBytes
    this.#tell = tell
    // The request itself ends the call at its own deadline.
    if (deadline < cancellation.deadline) watchDeadline(this)
    this.#stop = cancellation.onCancel(() => this.#giveUp(cancelReason(cancellation)))
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Returns false if the response had begun before, or if this is no status. */
  begin(status: number, head: string, length: number): boolean {
    if (this.#status !== 0 || status === 0) return false
    this.#status = status
    this.#head = head
    this.#length = length
    if (length > this.#maxBytes) this.#giveUp('too-large')
    return true
  }

  /**
   * Returns whether the response is complete with this part; undefined if it is longer than announced, or has not
   * begun.
   */
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

  /** The connection is lost. `begun` says that the response had begun. */
  lose(cause: Error, begun: boolean): void {
    if (!this.#ended) this.#end(begun || this.#status !== 0 ? 'truncated' : 'connection', noBytes, cause)
  }

  #giveUp(why: CancelReason | 'too-large'): void {
    if (this.#ended) return
    this.#end(why, noBytes, undefined)
    this.#owner.givenUp(this, why)
  }

  #end(loss: LossReason | undefined, body: Buffer, cause: Error | undefined): void {
    this.#ended = true
    clearDeadline(this)
    this.#stop?.()
    this.#stop = undefined
    this.#body = undefined
    const headers = loss === undefined ? headersIn(this.#head) : {}
    this.#tell({ loss, wasSent: true, status: this.#status, headers, body, cause })
  }
}
