/**
 * Whether an answer reached its client, or the client went away before. Each connection has one listener for all
 * of its requests: they come and go by the thousand on it, and adding and removing one for each costs a
 * microsecond.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, (() => void)[]>()

/**
 * Tells once, as soon as the response has left or its connection is closed; `whole` says that nothing of it was
 * left to write.
 */
export function whenDelivered(
  { socket }: IncomingMessage,
  response: ServerResponse,
  ended: (whole: boolean) => void,
): void {
  const those = waiting.get(socket) ?? listenTo(socket)
  const over = (): void => {
    const at = those.lastIndexOf(over)
    if (at < 0) return
    const last = those.pop()
    if (last !== undefined && last !== over) those[at] = last
    ended(response.writableEnded)
  }
  those.push(over)
  // The connection's own end as well: a response that waits behind another one does not get that event in every version of Node.
  response.on('close', over)
}

/** One function for all connections, each of which closes once. */
function endAll(this: Socket): void {
  for (const over of [...(waiting.get(this) ?? [])]) over()
}

function listenTo(socket: Socket): (() => void)[] {
  const those: (() => void)[] = []
  socket.on('close', endAll)
  waiting.set(socket, those)
  return those
}
