/**
 * The connections on which our own gateway uses frames instead of HTTP. They are upgraded with the gateway's
 * signature, and each write is sealed. The same rules hold as for HTTP requests: the queue, draining, cancellation,
 * and bounds on bytes, concurrency and time.
 */
import { randomBytes } from 'node:crypto'
import type { ServeFramed } from '../../../gateway/subgraph-service/index.ts'
import { headerOf } from '../../../shared/http/headers.ts'
import { signatureHeader } from '../../../shared/http/signature.ts'
import { createSealing, framesProtocol, instanceHeader, keepAliveMs, nonceHeader } from '../format/index.ts'
import { FramesConnection } from './connection.ts'

const lookEveryMs = 1000

export const serveFrames: ServeFramed = (options) => {
  const { admission, limits, metrics, secret } = options
  const instance = randomBytes(9).toString('base64url')
  const sealing = secret === undefined ? undefined : createSealing(secret)
  const open = new Set<FramesConnection>()
  let leaving = false
  let refusing = false

  metrics.gauge(
    'tessera_frames_connections',
    'Connections on which gateways use frames instead of HTTP.',
    () => [{ labels: {}, value: open.size }],
  )
  const timer = setInterval(() => {
    const now = performance.now()
    for (const connection of open) connection.look(now, limits)
  }, lookEveryMs)
  timer.unref()

  return {
    name: framesProtocol,
    upgrade(raw, socket, first) {
      if (leaving) return '503 Service Unavailable'
      const signature = headerOf(raw.headers, signatureHeader)
      const isSigned = secret === undefined || signature !== undefined
      if (!isSigned || !admission.isProven(raw, '')) return '401 Unauthorized'
      // Without a secret there are no seals, and a gateway that has one continues by HTTP.
      const nonce = secret === undefined ? undefined : randomBytes(16).toString('base64url')
      socket.setTimeout(0)
      socket.setNoDelay(true)
      socket.setKeepAlive(true, keepAliveMs)
      const head = [
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        `Upgrade: ${framesProtocol}`,
        ...(nonce === undefined ? [] : [`${nonceHeader}: ${nonce}`]),
        `${instanceHeader}: ${instance}`,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      const seal = signature === undefined || nonce === undefined ? undefined : sealing?.(signature, nonce)
      const connection = new FramesConnection({
        ...options,
        socket,
        seal,
        isRefusing: () => refusing,
        closed: (one) => open.delete(one),
      })
      open.add(connection)
      connection.begin(first)
      return undefined
    },
    leave(refuse) {
      leaving = true
      refusing = refuse
      for (const connection of open) connection.leave()
    },
    close() {
      clearInterval(timer)
      for (const connection of [...open]) connection.end()
    },
  }
}
