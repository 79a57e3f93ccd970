/** A client by bytes: it sends what a test writes, and keeps what the server says. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { onTestFinished } from 'vitest'
import { endOf } from './wait.ts'

export interface RawClient {
  readonly socket: Socket
  /** What has come so far, a character for each byte. */
  text(): string
  /** When the connection is over, in order or by a reset. */
  readonly ended: Promise<void>
}

/** Connects to the port of a URL; the connection goes away with the test. */
export async function connectRaw(url: string, secure = false): Promise<RawClient> {
  const address = { port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true }
  const socket = secure ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more
  })
  const ended = endOf(socket)
  await once(socket, secure ? 'secureConnect' : 'connect')
  return { socket, text: () => text, ended }
}

/** What the server says to these bytes until it ends the connection. */
export async function saidTo(url: string, bytes: string, secure = false): Promise<string> {
  const { socket, text, ended } = await connectRaw(url, secure)
  socket.write(bytes)
  await ended
  return text()
}
