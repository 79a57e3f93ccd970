/**
 * Asks a subgraph service to switch to frames, by an ordinary request with an `Upgrade` header. A service or proxy
 * that does not support them responds in some other way, and continues to get requests by HTTP.
 */
import type { IncomingMessage } from 'node:http'
import { request as requestByHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { FramedConnectionsOptions } from '../../../engine/subgraphs/index.ts'
import { headerOf } from '../../../shared/http/headers.ts'
import { request as requestByHttp } from '../../../shared/http/node-http.ts'
import { framesProtocol, instanceHeader, keepAliveMs, nonceHeader } from '../format/index.ts'

interface HandshakeOptions {
  readonly url: URL
  /** They contain the gateway's signature. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: FramedConnectionsOptions['tls']
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The upgraded connection, and what the service said about itself. */
interface Upgraded {
  readonly socket: Socket
  /** Bytes that came with the response. */
  readonly first: Buffer
  readonly nonce: string | undefined
  readonly instance: string | undefined
}

/** 'refused': the service responds, but does not support frames. 'busy': it refuses for now, or cannot be reached. */
type Handshake = Upgraded | 'refused' | 'busy'

export function shakeHands({ url, headers, tls, timeoutMs, signal }: HandshakeOptions): Promise<Handshake> {
  const { promise, resolve } = Promise.withResolvers<Handshake>()
  const send = url.protocol === 'https:' ? requestByHttps : requestByHttp
  const request = send(url, {
    ...(url.protocol === 'https:' ? tls : {}),
    agent: false,
    signal,
    headers: { ...headers, connection: 'Upgrade', upgrade: framesProtocol },
  })
  const timer = setTimeout(() => {
    resolve('busy')
    request.destroy()
  }, timeoutMs)
  request.on('upgrade', ({ headers: answered }: IncomingMessage, socket: Socket, first: Buffer) => {
    if (answered.upgrade?.toLowerCase() !== framesProtocol) {
      resolve('refused')
      socket.destroy()
      return
    }
    socket.setNoDelay(true)
    socket.setKeepAlive(true, keepAliveMs)
    const nonce = headerOf(answered, nonceHeader) || undefined
    resolve({ socket, first, nonce, instance: headerOf(answered, instanceHeader) })
  })
  request.on('response', (response) => {
    resolve(response.statusCode === 503 ? 'busy' : 'refused')
    response.destroy()
  })
  request.on('error', () => resolve('busy'))
  request.end()
  return promise.finally(() => clearTimeout(timer))
}
