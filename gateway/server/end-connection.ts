/** Ends a connection with last bytes that its client has time to read, and not as late as the client likes. */
import type { Duplex } from 'node:stream'

/** How long a client may continue to send, so that it can read them before the connection is closed. */
const lingerMs = 500

/** The connection may be one with or without TLS. An error of it must have a listener. */
export function endConnection(socket: Duplex, text: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(text, 'latin1')
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
