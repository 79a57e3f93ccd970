/**
 * How long a connection may have waited in the kernel until it was accepted. A listening socket accepts one connection
 * in a turn of the event loop; where it has one in each of several turns, those after the first were waiting behind it.
 * The kernel does not tell Node when they came.
 */
import type { Server, Socket } from 'node:net'

/** Turns of the event loop, counted as long as connections come, and for one turn more. */
let turn = 0
let acceptedIn = 0
let isCounting = false

function countTurns(): void {
  acceptedIn = turn
  if (isCounting) return
  isCounting = true
  setImmediate(countTurn)
}

function countTurn(): void {
  turn += 1
  isCounting = turn - acceptedIn <= 1
  if (isCounting) setImmediate(countTurn)
}

interface Waited {
  /** It did not come before this. */
  readonly since: number
  /** The turn in which it was accepted. */
  readonly turn: number
}

const waitedOf = new WeakMap<Socket, Waited>()

/** The connections of one listening socket. */
export class AcceptQueue {
  /** Of the last connection. */
  #turn = Number.NEGATIVE_INFINITY
  /** When a connection was accepted before which none had been waiting. */
  #since = 0

  accepted(socket: Socket): void {
    countTurns()
    if (turn - this.#turn > 1) this.#since = performance.now()
    else waitedOf.set(socket, { since: this.#since, turn })
    this.#turn = turn
  }
}

/**
 * Notes the connections of the server's own listening socket. The function that is returned gives the server a
 * connection of another listening socket, and notes it in the queue of that socket.
 */
export function watchAcceptQueue(server: Server): (queue: AcceptQueue, socket: Socket) => void {
  const own = new AcceptQueue()
  let accepting = own
  server.prependListener('connection', (socket: Socket) => accepting.accepted(socket))
  return (queue, socket) => {
    accepting = queue
    server.emit('connection', socket)
    accepting = own
  }
}

/**
 * The earliest time (of `performance.now()`) at which the request that was just read may have come, where that is
 * earlier than this turn: it is the first of its connection, and was read right after that had been accepted.
 */
export function mayHaveComeAt(socket: Socket): number | undefined {
  const waited = waitedOf.get(socket)
  if (waited === undefined) return undefined
  waitedOf.delete(socket)
  return turn - waited.turn > 1 ? undefined : waited.since
}
