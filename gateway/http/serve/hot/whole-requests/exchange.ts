/** One request and its response, without `node:http`. */
import type { Socket } from 'node:net'
import type { JsonText } from '../../../../../contract/json/raw.ts'
import type { Waiting } from '../../../shedding/index.ts'
import { bytesIn, isSentAtOnce } from '../../body.ts'
import { isGone } from '../../delivery.ts'
import { type Reply, sendBusy } from '../../reply.ts'
import { writeWithOthers } from '../coalesced.ts'
import type { ResponseHead } from './response-text.ts'
import type { WholeRequest } from './whole-request.ts'

export interface AnswerOptions {
  rank(body: Buffer): number
  /** Answers a request that the gate has let through. */
  answer(request: WholeRequest, reply: Reply): void
  /** Names and values of the headers that the refusal of a request has beside its own. */
  headOf(request: WholeRequest): readonly string[]
  /** The head of a response as it is written. */
  textOf(response: ResponseHead): string
}

/** The connection of a request. */
export interface Carrier {
  readonly socket: Socket
  /** The response has left, or nothing will. */
  over(): void
}

/** One request, until its response has left or its connection is closed. */
export class Exchange implements Waiting, Reply {
  status = 0
  readonly vary = undefined
  readonly #carrier: Carrier
  readonly #request: WholeRequest
  readonly #options: AnswerOptions
  #whenGone: (() => void) | undefined
  #isOver = false

  constructor(carrier: Carrier, request: WholeRequest, options: AnswerOptions) {
    this.#carrier = carrier
    this.#request = request
    this.#options = options
  }

  rank(): number {
    return this.#options.rank(this.#request.body)
  }

  isGone(): boolean {
    return isGone(this.#carrier.socket)
  }

  begin(): void {
    this.#options.answer(this.#request, this)
  }

  refuse(): void {
    sendBusy(this, this.#options.headOf(this.#request))
  }

  send(status: number, head: readonly string[], body: JsonText, atOnce?: boolean): void {
    if (this.status !== 0) throw new Error('the request was answered before')
    const length = bytesIn(body)
    const isKept = !head.includes('connection')
    const text = this.#options.textOf({ status, head, length, isKept })
    this.status = status
    if (atOnce ?? isSentAtOnce(length)) this.#write(text, body, isKept)
    else writeWithOthers(() => this.#write(text, body, isKept))
  }

  #write(head: string, body: JsonText, isKept: boolean): void {
    const { socket } = this.#carrier
    if (isGone(socket)) return
    if (typeof body === 'string') socket.write(head + body, 'latin1')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      for (const piece of body) socket.write(piece as string, 'latin1')
      socket.uncork()
    }
    if (!isKept) socket.destroySoon()
    else if (socket.writableLength === 0) this.#end()
    // What follows has left when all before it has.
    else socket.write('', () => this.#end())
  }

  inPieces(): never {
    throw new Error('a request in the plainest form takes no response in pieces')
  }

  destroy(): void {
    this.#carrier.socket.destroy()
  }

  whenGone(call: () => void): void {
    if (this.#isOver) call()
    else this.#whenGone = call
  }

  /** Its connection is closed. */
  closed(): void {
    this.#end()
    if (this.status === 0) this.#whenGone?.()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#carrier.over()
  }
}
