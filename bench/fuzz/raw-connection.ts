/** Bytes to a server, and what it sends back until it closes. */
import { connect } from 'node:net'

/** What waits for more bytes says nothing: then our side is closed, upon which a server closes its own. */
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
    // What it refuses it may reset.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(quiet)
      resolve(Buffer.concat(received))
    })
  })
}
