/**
 * Asks a subgraph service to go on in frames: an ordinary request with an `Upgrade` header. A service that does not know
 * them, the service's older version or a proxy between, answers it in some other way, and goes on being asked by HTTP.
 */
import type { IncomingMessage } from 'node:http'
import { request as requestByHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { FramedConnectionsOptions } from '../../../engine/subgraphs/index.ts'
import { headerOf } from '../../../shared/http/headers.ts'
import { request as requestByHttp } from '../../../shared/http/node-http.ts'
import { framesProtocol, instanceHeader, nonceHeader } from '../format/index.ts'

export interface HandshakeOptions {
  readonly url: URL
  /** With what proves the gateway. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: FramedConnectionsOptions['tls']
  readonly timeoutMs: number
}

/** The connection, and what the service said of itself. */
export interface Upgraded {
  readonly socket: Socket
  /** Bytes that came with the answer. */
  readonly first: Buffer
  readonly nonce: string | undefined
  readonly instance: string | undefined
}

/** 'refused': it answers, and knows no frames; 'busy': it does not for now, or cannot be reached. */
export type Handshake = Upgraded | 'refused' | 'busy'

export function shakeHands({ url, headers, tls, timeoutMs }: HandshakeOptions): Promise<Handshake> {
  const { promise, resolve } = Promise.withResolvers<Handshake>()
  const send = url.protocol === 'https:' ? requestByHttps : requestByHttp
  const request = send(url, {
    ...(url.protocol === 'https:' ? tls : {}),
    agent: false,
    headers: { ...headers, connection: 'Upgrade', upgrade: framesProtocol },
    timeout: timeoutMs,
  })
  const timer = setTimeout(() => {
    resolve('busy')
    request.destroy()
  }, timeoutMs)
  request.on('upgrade', ({ headers: answered }: IncomingMessage, socket: Socket, first: Buffer) => {
    clearTimeout(timer)
    if (answered.upgrade?.toLowerCase() !== framesProtocol) {
      resolve('refused')
      socket.destroy()
      return
    }
    socket.setTimeout(0)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, keepAliveMs)
    const nonce = headerOf(answered, nonceHeader) || undefined
    resolve({ socket, first, nonce, instance: headerOf(answered, instanceHeader) })
  })
  request.on('response', (response) => {
    clearTimeout(timer)
    resolve(response.statusCode === 503 ? 'busy' : 'refused')
    response.destroy()
  })
  request.on('error', () => {
    clearTimeout(timer)
    resolve('busy')
  })
  request.end()
  return promise
}

/** The system asks so often whether the other side is there. */
const keepAliveMs = 30_000
