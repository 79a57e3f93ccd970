/**
 * The gateway's HTTP front: Fastify with routes for GraphQL, health and measures. It knows nothing of
 * GraphQL beyond handing a request to the answerer; it watches clients that go away, and drains at the end.
 */
import { setTimeout as delay } from 'node:timers/promises'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import type { Answerer } from './answer.ts'
import type { Logger } from './log.ts'
import type { Measures } from './measures.ts'
import type { GatewayRequest } from './request.ts'

export interface ServiceState {
  readonly service: string
  readonly ready: boolean
  /** What is known of it: "closed", "open" (the breaker), "unreachable". */
  readonly state: string
}

export interface FrontOptions {
  readonly answer: Answerer
  readonly measures: Measures
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly corsOrigins: readonly string[]
  readonly csrf: boolean
  /** The state of each service, for `/health/ready`. */
  readonly states: () => readonly ServiceState[]
  /** More routes: the explorer, uploads. */
  readonly routes?: ((app: FastifyInstance) => void | Promise<void>) | undefined
}

export interface Front {
  readonly app: FastifyInstance
  listen(host: string, port: number): Promise<string>
  /**
   * Turns `ready` false and goes on answering for `delayMs`, so that a load balancer sees it before anything
   * is refused; then lets running requests finish within `graceMs` and refuses new ones.
   */
  drain(graceMs: number, delayMs?: number): Promise<void>
}

/** Every port is taken by somebody sooner or later; this says so in one line. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** Headers that a page of another site cannot send without asking first. */
const preflightHeaders = ['apollo-require-preflight', 'x-apollo-operation-name', 'x-tessera-csrf'] as const

export async function createFront(options: FrontOptions): Promise<Front> {
  const { answer, measures, log, states } = options
  const app = fastify({
    bodyLimit: options.maxBodyBytes,
    // A token that is too long is told so; with Node's own bound the connection would just be cut.
    http: { maxHeaderSize: 65_536 },
    logger: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    genReqId: requestId,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192 },
  })
  /** Still answering, and asking everybody to go elsewhere: no connection is kept. */
  let leaving = false
  let draining = false
  let active = 0
  const idle = Promise.withResolvers<void>()

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const anyOrigin = options.corsOrigins.includes('*')
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: anyOrigin ? '*' : [...options.corsOrigins],
      methods: ['GET', 'POST', 'PUT', 'OPTIONS'],
      exposedHeaders: [
        'server-timing',
        'x-request-id',
        'retry-after',
        'location',
        'range',
        'tessera-global-id',
      ],
      maxAge: 86_400,
    })
  }

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) log.error({ request: request.id, err: error }, 'the front failed')
    const problem =
      status === 413
        ? tesseraError('REQUEST_TOO_LARGE', `The request body is larger than ${options.maxBodyBytes} bytes.`)
        : status < 500
          ? tesseraError('BAD_REQUEST', 'The HTTP request cannot be read.')
          : tesseraError(
              'INTERNAL_SERVER_ERROR',
              `Something went wrong here. The log has it under ${request.id}.`,
            )
    return reply
      .code(status)
      .headers(securityHeaders)
      .send({ errors: [problem] })
  })
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .send({ errors: [tesseraError('NOT_FOUND', 'There is nothing here. GraphQL is served at /graphql.')] }),
  )

  const graphql = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { raw } = request
    reply.headers(securityHeaders)
    reply.header('x-request-id', request.id)
    if (leaving) reply.header('connection', 'close')
    if (draining) {
      reply.header('retry-after', '1')
      return reply
        .code(503)
        .send({ errors: [tesseraError('SERVICE_STOPPING', 'This server is shutting down.')] })
    }
    if (options.csrf && request.method === 'GET' && isForeignPage(request, options.corsOrigins)) {
      return reply.code(403).send({
        errors: [
          tesseraError(
            'FORBIDDEN',
            `A page of another site must send one of these headers: ${preflightHeaders.join(', ')}.`,
          ),
        ],
      })
    }
    let watched: GatewayRequest | GatewayRequest[] | undefined
    const gone = (): void => {
      if (reply.raw.writableEnded || watched === undefined) return
      for (const one of Array.isArray(watched) ? watched : [watched]) one.cancel()
    }
    const { socket } = raw
    socket.once('close', gone)
    active += 1
    try {
      const { status, headers, body } = await answer(
        {
          id: request.id,
          method: request.method,
          url: raw.url ?? '/graphql',
          headers: raw.headers,
          body: (request.body as Buffer | undefined) ?? '',
        },
        (one) => {
          watched = watched === undefined ? one : Array.isArray(watched) ? [...watched, one] : [watched, one]
        },
      )
      return reply.code(status).headers(headers).send(body)
    } finally {
      socket.off('close', gone)
      active -= 1
      if (draining && active === 0) idle.resolve()
    }
  }
  app.route({ method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], url: '/graphql', handler: graphql })

  app.get('/health/live', async (_request, reply) => reply.send({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    const services = states()
    const ready = !leaving
    return reply.code(ready ? 200 : 503).send({ ready, services })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', measures.contentType).send(await measures.text()),
  )
  await options.routes?.(app)

  return {
    app,
    async listen(host, port) {
      try {
        await app.listen({ host, port })
      } catch (error) {
        throw new ListenError(listenFault(error, host, port), { cause: error })
      }
      const address = app.server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
    },
    async drain(graceMs, delayMs = 0) {
      leaving = true
      if (delayMs > 0) await delay(delayMs)
      draining = true
      const timer = setTimeout(() => idle.resolve(), graceMs)
      if (active > 0) await idle.promise
      clearTimeout(timer)
      app.server.closeIdleConnections()
      const closed = app.close()
      const cut = setTimeout(() => app.server.closeAllConnections(), 500)
      await closed
      clearTimeout(cut)
    },
  }
}

let counter = 0
const processPart = Math.floor(Math.random() * 0xffffffff).toString(36)

/** The caller's own id where it is harmless, else one of ours. */
function requestId(raw: { headers: Record<string, string | string[] | undefined> }): string {
  const given = raw.headers['x-request-id']
  if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given
  counter += 1
  return `${processPart}-${counter.toString(36)}`
}

/** Whether a browser says that a page of another site sent this, without having been asked for leave. */
function isForeignPage(request: FastifyRequest, origins: readonly string[]): boolean {
  const { headers } = request
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  if (preflightHeaders.some((name) => headers[name] !== undefined)) return false
  return headers.origin === undefined || !origins.includes(headers.origin)
}

function listenFault(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use: choose another one with PORT or --port`
  if (code === 'EACCES') return `port ${port} on ${host} needs rights that this process does not have`
  if (code === 'EADDRNOTAVAIL')
    return `${host} is no address of this machine: choose another one with HOST or --host`
  return `cannot listen on ${host}:${port} (${String(code ?? 'unknown reason')})`
}
