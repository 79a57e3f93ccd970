/** A server of plain bytes: it writes what a script says for each whole request, in just these pieces. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** What the server does with a request: writes these, one after the other, and then closes or not. */
export interface ByteScript {
  readonly pieces: readonly (string | Buffer)[]
  readonly closes?: boolean
}

export interface RawServer extends AsyncDisposable {
  readonly url: string
  /** Whole requests, as they came. */
  readonly requests: string[]
  /** All connections, in their order. */
  readonly sockets: Socket[]
  /** For the next requests; then `fine`. */
  scripts: ByteScript[]
  /** For requests without a script of their own. */
  usual: ByteScript
}

export const fine: ByteScript = { pieces: ['HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine'] }

export async function startRawServer(usual: ByteScript = fine): Promise<RawServer> {
  const server = createServer({ noDelay: true }, (socket) => {
    kit.sockets.push(socket)
    socket.on('error', () => {})
    let got = ''
    socket.on('data', async (chunk: Buffer) => {
      got += chunk.toString('latin1')
      const head = got.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/.exec(got)?.[1] ?? 0)
      if (head < 0 || got.length < head + 4 + length) return
      kit.requests.push(got)
      got = ''
      const { pieces, closes = false } = kit.scripts.shift() ?? kit.usual
      for (const piece of pieces) {
        if (socket.destroyed) return
        // The next one is a packet of its own.
        if (socket.write(piece, 'latin1')) await new Promise(setImmediate)
        else await Promise.race([once(socket, 'drain'), once(socket, 'close')])
      }
      if (closes) socket.end()
    })
  })
  const kit: RawServer = { ...(await listen(server)), requests: [], sockets: [], scripts: [], usual }
  return kit
}
