/** The HTTP server of a subgraph service: its routes, and how it stops. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { tesseraError } from '../../contract/errors.ts'
import { framesProtocol } from '../../contract/frames/index.ts'
import { byteString, jsonText } from '../../contract/json/byte-string.ts'
import { maskError } from '../http/mask.ts'
import { createWatchedGate } from '../http/overload/index.ts'
import { collectBody, HeldBody, jsonType } from '../http/serve/body.ts'
import { createConnections } from '../http/serve/connections.ts'
import { isGone } from '../http/serve/delivery.ts'
import { sendBodyRefusal } from '../http/serve/graphql.ts'
import { closeServer, listen } from '../http/serve/listening.ts'
import { Reply, sendBusy } from '../http/serve/reply.ts'
import { createHttpServer, originOf } from '../http/serve/server.ts'
import { createTraffic } from '../http/serve/traffic.ts'
import { uploadPath } from '../http/uploads.ts'
import { measureStates, type ServiceState, serviceState } from '../observe/health.ts'
import { traceField } from '../observe/log.ts'
import { createAdmission } from './admission.ts'
import { createServiceEvents } from './events/index.ts'
import { createFramesService } from './frames.ts'
import { createGraphqlRequests, traceIdOf } from './graphql.ts'
import { guardSubgraph } from './guard.ts'
import type { SubgraphServiceOptions } from './options.ts'
import { send, sendAnswer, sendJson } from './respond.ts'
import { takeUpload } from './uploads.ts'

export interface SubgraphService {
  readonly url: string
  /**
   * Turns `ready` false and goes on responding for `delayMs`; then lets running requests finish within
   * `graceMs`, and closes everything.
   */
  stop(graceMs: number, delayMs?: number): Promise<void>
}

export async function startSubgraphService(options: SubgraphServiceOptions): Promise<SubgraphService> {
  const { metrics, log, maxBodyBytes } = options
  const subgraph =
    options.authenticator === undefined ? options.subgraph : guardSubgraph(options.subgraph, options.stepUp)
  const admission = createAdmission({
    audience: subgraph.name,
    secret: options.secret,
    introspection: options.introspection,
  })
  const gate = createWatchedGate(options.maxWaitMs, metrics, log)
  const events = createServiceEvents(subgraph, { admission, gate }, options)
  const graphql = await createGraphqlRequests(subgraph, { admission, events }, options)
  const connections = createConnections(options.connections, metrics.refused)
  const traffic = createTraffic()
  let leaving = false
  let draining = false

  const states = (): ServiceState[] => {
    const state = subgraph.state?.()
    return state === undefined ? [] : [serviceState(subgraph.name, state)]
  }
  measureStates(metrics, states)

  /** The routes that are there for everybody; false for any other path. */
  function respondOpenly(path: string, response: ServerResponse): boolean {
    if (path === '/health/live') sendJson(response, 200, { live: true })
    else if (path === '/health/ready') {
      sendJson(response, leaving ? 503 : 200, { ready: !leaving, services: states() })
    } else if (path === '/metrics') {
      metrics.text().then(
        (text) => send(response, 200, metrics.contentType, byteString(text)),
        () => response.destroy(),
      )
    } else return false
    return true
  }

  function refuseStopping(reply: Reply): void {
    metrics.refused('stopping')
    const error = tesseraError('SERVICE_STOPPING', 'This server is shutting down.')
    sendAnswer(reply, { status: 503, contentType: jsonType, body: jsonText({ errors: [error] }) })
  }

  /** Answers a request of GraphQL that has begun. */
  function execute(raw: IncomingMessage, reply: Reply, body: Buffer): void {
    graphql.respond(raw, reply, body).then(gate.ended, (error: unknown) => {
      gate.ended()
      const traceId = traceIdOf(raw)
      log.error({ ...traceField(traceId), err: error }, 'the subgraph service failed')
      if (reply.status !== 0) {
        reply.destroy()
        return
      }
      const masked = maskError(error, subgraph.name, log, traceId)
      sendAnswer(reply, { status: 500, contentType: jsonType, body: jsonText({ errors: [masked] }) })
    })
  }

  function respond(raw: IncomingMessage, response: ServerResponse, held: HeldBody): void {
    const reply = new Reply(raw, response)
    collectBody(raw, maxBodyBytes, connections, held, (body) => {
      if (typeof body === 'string') {
        sendBodyRefusal(raw, response, body, maxBodyBytes)
        return
      }
      gate.enter({
        isGone: () => isGone(raw.socket),
        begin() {
          held.release()
          execute(raw, reply, body)
        },
        refuse() {
          held.release()
          sendBusy(reply, [])
        },
      })
    })
  }

  const frames =
    options.frames === false
      ? undefined
      : createFramesService({
          ...{ name: subgraph.name, secret: options.secret, limits: connections.limits },
          ...{ admission, graphql, gate, traffic, maxBodyBytes, metrics, log },
        })
  const server = createHttpServer(
    (raw, response) => {
      const path = (raw.url ?? '/').split('?', 1)[0] ?? '/'
      const upload = path.startsWith(uploadPath) && raw.method === 'PUT' ? subgraph.upload : undefined
      if (upload === undefined && path !== '/graphql' && path !== '/') {
        connections.awaitBody(raw, () => raw.destroy())
        if (respondOpenly(path, response)) return
        sendJson(response, 404, { errors: [tesseraError('NOT_FOUND', 'There is nothing here.')] })
        return
      }
      if (leaving) response.setHeader('connection', 'close')
      if (draining) {
        raw.resume()
        connections.awaitBody(raw, () => raw.destroy())
        refuseStopping(new Reply(raw, response))
        return
      }
      const held = new HeldBody(connections)
      traffic.take(raw, response, held)
      if (upload === undefined) respond(raw, response, held)
      else {
        connections.awaitProgress(raw, () => raw.destroy())
        void takeUpload(upload, raw, response, { token: path.slice(uploadPath.length), admission, log })
      }
    },
    connections,
    {
      tls: options.tls,
      protocols: frames === undefined ? ['websocket'] : ['websocket', framesProtocol],
      unread: { metrics, log },
    },
  )
  server.on('upgrade', (raw: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = (raw.url ?? '/').split('?', 1)[0]
    const isGraphql = path === '/graphql' || path === '/'
    const isFrames = raw.headers.upgrade?.toLowerCase() === framesProtocol
    if (isGraphql && isFrames && frames !== undefined) frames.upgrade(raw, socket, head)
    else if (isGraphql && !isFrames && !draining) events.upgrade(raw, socket, head)
    else {
      const status = isGraphql && !isFrames ? '503 Service Unavailable' : '404 Not Found'
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    }
  })
  const { host, port } = options
  await listen(server, { host, port, backlog: connections.limits.backlog })
  return {
    url: `${originOf(server, options.host)}/graphql`,
    async stop(graceMs, delayMs = 0) {
      leaving = true
      frames?.leave(false)
      if (delayMs > 0) await delay(delayMs)
      draining = true
      events.drain()
      frames?.leave(true)
      await traffic.settled(graceMs)
      events.close()
      frames?.close()
      await closeServer(server)
      await graphql.stop()
    },
  }
}
