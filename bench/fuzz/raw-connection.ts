/** Sends bytes to a server, and returns what it sends until it closes. */
import { connect } from 'node:net'

/** A server that waits for more bytes sends nothing. Then our side is closed, and the server closes its own. */
const quietMs = 20

export function exchangeBytes(url: string, pieces: readonly Buffer[]): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const received: Buffer[] = []
    let quiet: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece)
      quiet = setTimeout(() => socket.end(), quietMs)
    })
    socket.on('data', (bytes) => {
      received.push(bytes)
      quiet?.refresh()
    })
    // A server may reset a connection that it refuses.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(quiet)
      resolve(Buffer.concat(received))
    })
  })
}
