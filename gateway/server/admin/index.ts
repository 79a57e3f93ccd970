/**
 * Routes for the gateway's operators, on a port that is not for clients: purging the response cache, and usage. Every
 * request needs the token; a wrong one costs time.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Kind } from 'graphql'
import { z } from 'zod'
import type { Supergraph } from '../../../engine/supergraph/index.ts'
import { joinReaderOf } from '../../../engine/supergraph/join.ts'
import { gatherWithin } from '../../../shared/http/gathered-bytes.ts'
import { createServer } from '../../../shared/http/node-http.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { keysOf, type Purge, type ResponseCache } from '../../response-cache/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { ListenError, originOf } from '../server.ts'

const mostBodyBytes = 256 * 1024
const mostConnections = 50
/** How long a refused request waits, so that tokens cannot be tried quickly. */
const refusedMs = 300

interface AdminOptions {
  readonly host: string
  readonly port: number
  readonly token: string
  readonly cache: ResponseCache | undefined
  /** The one that is served now. */
  readonly supergraph: () => Supergraph
  /** The usage report; undefined if usage is not counted. */
  readonly usage: (() => Promise<object>) | undefined
  readonly log: Logger
}

export type Admin = Awaited<ReturnType<typeof startAdmin>>

export async function startAdmin({ host, port, token, cache, supergraph, usage, log }: AdminOptions) {
  const expected = hash('sha256', `Bearer ${token}`, 'buffer')

  const isAllowed = ({ headers: { authorization = '' } }: IncomingMessage): boolean =>
    // The name of the scheme may have letters of either case.
    timingSafeEqual(hash('sha256', authorization.replace(/^bearer /i, 'Bearer '), 'buffer'), expected)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object, more: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...more,
      })
      response.end(JSON.stringify(body))
    }
    if (!isAllowed(request)) {
      await delay(refusedMs)
      send(
        401,
        { error: 'expected Authorization: Bearer with the token of TESSERA_ADMIN_TOKEN' },
        { 'www-authenticate': 'Bearer', connection: 'close' },
      )
      return
    }
    if (request.url === '/usage') {
      if (request.method !== 'GET') return send(405, { error: 'expected GET' }, { allow: 'GET' })
      if (usage === undefined) return send(409, { error: 'usage is not counted: TESSERA_USAGE_ENTRIES is 0' })
      return send(200, await usage())
    }
    if (request.url !== '/cache/purge')
      return send(404, { error: 'expected POST /cache/purge, or GET /usage' })
    if (request.method !== 'POST') return send(405, { error: 'expected POST' }, { allow: 'POST' })
    if (cache === undefined)
      return send(409, { error: 'nothing is cached: TESSERA_RESPONSE_CACHE_BYTES is 0' })
    const body = await gatherWithin(request as AsyncIterable<Buffer>, mostBodyBytes)
    if (body === undefined)
      return send(413, { error: `expected at most ${mostBodyBytes} bytes` }, { connection: 'close' })
    const read = readPurge(body)
    if ('fault' in read) return send(400, { error: read.fault })
    const { purge } = read
    await cache.purge({ ...purge, types: withPossible(purge.types, supergraph()) })
    const result = { purged: countOf(purge), unknown: unknownIn(purge, supergraph()) }
    log.info(result, 'cached responses were purged')
    send(200, result)
  }

  const server = createServer(
    { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 5000, maxHeaderSize: 16_384 },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'the admin server failed')
        response.destroy()
      })
    },
  )
  server.maxConnections = mostConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(host, port, error)))
    server.listen(port, host, resolve)
  })
  return {
    url: originOf(server, host),
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const countOf = ({ tags = [], subgraphs = [], types = [], objects = [] }: Purge): number =>
  tags.length + subgraphs.length + types.length + objects.length

/**
 * The types, and the object types that they stand for, each once. A response of a field with an object type has no tag of
 * its unions, and of its interfaces only if they have keys.
 */
function withPossible(types: Purge['types'] = [], { possibleTypes }: Supergraph): string[] {
  const found = new Set(types)
  for (const type of [...found]) for (const possible of possibleTypes.get(type) ?? []) found.add(possible)
  return [...found]
}

/** The subgraphs, types and keys that the graph does not have, so that nothing can be purged by them. */
function unknownIn(
  { subgraphs = [], types = [], objects = [] }: Purge,
  { document, subgraphs: graphs }: Supergraph,
): string[] {
  const join = joinReaderOf(document)
  const keys = new Map<string, readonly string[]>()
  for (const each of document.definitions)
    if (
      each.kind === Kind.OBJECT_TYPE_DEFINITION ||
      each.kind === Kind.INTERFACE_TYPE_DEFINITION ||
      each.kind === Kind.UNION_TYPE_DEFINITION
    )
      keys.set(
        each.name.value,
        keysOf(join.typesOf(each)).map((fields) => fields.join(' ')),
      )
  return [
    ...subgraphs.filter((name) => !graphs.some((graph) => graph.name === name)),
    ...types.filter((type) => !keys.has(type)),
    ...objects.flatMap(({ type, key }) => {
      const fields = Object.keys(key).sort().join(' ')
      const known = keys.get(type)
      if (known === undefined) return [type]
      return known.includes(fields) ? [] : [`${type} { ${fields} }`]
    }),
  ]
}

const mostOfEach = 1000
const names = z.array(z.string().min(1).max(1000)).max(mostOfEach).optional()
const scalar = z.union([z.string().max(1000), z.number(), z.boolean()])

const purge = z.strictObject({
  tags: names,
  subgraphs: names,
  types: names,
  objects: z
    .array(
      z.strictObject({
        type: z.string().min(1).max(1000),
        key: z
          .record(z.string().min(1).max(200), z.union([scalar, z.record(z.string().max(200), scalar)]))
          .refine((key) => Object.keys(key).length > 0 && Object.keys(key).length <= 20),
      }),
    )
    .max(mostOfEach)
    .optional(),
})

const expected =
  'expected JSON such as {"tags":["sale"],"subgraphs":["products"],"types":["Product"],"objects":[{"type":"Product","key":{"id":"1"}}]}, with at least one entry and at most 1000 in each list'

export function readPurge(body: Buffer | string): { readonly purge: Purge } | { readonly fault: string } {
  const read = purge.safeParse(parsedJson(body))
  if (!read.success) return { fault: expected }
  const isEmpty = Object.values(read.data).every((list) => list === undefined || list.length === 0)
  return isEmpty ? { fault: expected } : { purge: read.data }
}
