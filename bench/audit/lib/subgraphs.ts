/**
 * The subgraphs of a graph as real HTTP services that record their requests. Subscriptions are served as
 * server-sent events and by `graphql-transport-ws`, at the same address.
 */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { composeServices } from '@theguild/federation-composition'
import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionArgs,
  execute,
  getOperationAST,
  isObjectType,
  parse,
  subscribe,
  validate,
} from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { Graph, ServedSubgraph, SubgraphSource } from './types.ts'

export interface Journal {
  /** Requests to each subgraph. */
  readonly calls: { readonly [subgraph: string]: number }
  /** Fields whose resolvers have run: `User.email`. */
  readonly fields: ReadonlySet<string>
}

export interface Served {
  readonly supergraph: string
  readonly subgraphs: readonly ServedSubgraph[]
  /** The record since it was last taken. */
  take(): Journal
  close(): Promise<void>
}

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external", "@provides", "@shareable", "@override", "@inaccessible", "@authenticated", "@requiresScopes", "@interfaceObject"])\n'

const mostBytes = 1_000_000

/** GraphQL over server-sent events, with one connection for each operation. */
async function sendEvents(args: ExecutionArgs, response: ServerResponse): Promise<void> {
  const events = await subscribe(args)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (result: unknown): void => {
    response.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`)
  }
  if (Symbol.asyncIterator in events) {
    for await (const result of events) {
      if (response.destroyed) return
      send(result)
    }
  } else send(events)
  response.end('event: complete\ndata:\n\n')
}

/** Some gateways subscribe by GET. */
function askedByGet(url: string): { query?: string; variables?: object; operationName?: string } {
  const { query, variables, operationName } = Object.fromEntries(new URL(url, 'http://audit').searchParams)
  if (query === undefined) throw new Error('no query')
  return {
    query,
    ...(variables === undefined ? {} : { variables: JSON.parse(variables) }),
    ...(operationName === undefined ? {} : { operationName }),
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
}

/** Throws if the subgraphs cannot be composed. */
export async function serve(graph: Graph): Promise<Served> {
  let calls: { [subgraph: string]: number } = {}
  let fields = new Set<string>()

  const sockets = new Set<WebSocketServer>()

  function serverOf({ name, sdl, resolvers }: SubgraphSource): Server {
    const schema = buildSubgraphSchema([{ typeDefs: parse(link + sdl), resolvers: resolvers as never }])
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue
      for (const field of Object.values(type.getFields())) {
        const resolve = field.resolve ?? defaultFieldResolver
        field.resolve = (...args) => {
          fields.add(`${type.name}.${field.name}`)
          return resolve(...args)
        }
        const { subscribe: begin } = field
        if (begin === undefined) continue
        field.subscribe = (...args) => {
          fields.add(`${type.name}.${field.name}`)
          return begin(...args)
        }
      }
    }
    const count = (): void => {
      calls[name] = (calls[name] ?? 0) + 1
    }
    const server = createServer((request, response) => {
      const pieces: Buffer[] = []
      let size = 0
      request.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > mostBytes) request.destroy()
        else pieces.push(piece)
      })
      request.once('end', async () => {
        const reply = (status: number, body: unknown): void => {
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        }
        let body: { query?: string; variables?: object; operationName?: string }
        try {
          body =
            request.method === 'GET'
              ? askedByGet(request.url ?? '')
              : JSON.parse(Buffer.concat(pieces).toString('utf8'))
        } catch {
          reply(request.method === 'GET' ? 200 : 400, {})
          return
        }
        if (typeof body.query !== 'string') {
          reply(400, {
            errors: [{ message: 'a query is required', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
          })
          return
        }
        // Requests at a gateway's start, and its health checks, belong to no caller.
        if (
          !/\b(_service|__schema)\b/.test(body.query) &&
          !/^\s*(query)?\s*\{\s*__typename\s*\}\s*$/.test(body.query)
        )
          count()
        const { query, variables, operationName } = body
        let document: DocumentNode
        try {
          document = parse(query)
        } catch (error) {
          reply(200, { errors: [error] })
          return
        }
        const errors = validate(schema, document)
        if (errors.length > 0) {
          reply(200, { errors })
          return
        }
        const args: ExecutionArgs = {
          schema,
          document,
          variableValues: variables as { [name: string]: unknown } | undefined,
          operationName,
        }
        if (getOperationAST(document, operationName)?.operation === 'subscription')
          await sendEvents(args, response)
        else reply(200, await execute(args))
      })
    })
    const webSockets = new WebSocketServer({ server, path: '/graphql', maxPayload: mostBytes })
    sockets.add(webSockets)
    useServer({ schema, onSubscribe: count }, webSockets)
    return server
  }

  const servers = new Map<string, Server>()
  const subgraphs: ServedSubgraph[] = []
  for (const source of graph.subgraphs) {
    const server = serverOf(source)
    servers.set(source.name, server)
    subgraphs.push({ name: source.name, url: await listen(server), sdl: link + source.sdl })
  }
  const close = async (): Promise<void> => {
    for (const webSockets of sockets) {
      for (const client of webSockets.clients) client.terminate()
      webSockets.close()
    }
    for (const server of servers.values()) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  const composed = composeServices(
    subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })),
  )
  if (composed.supergraphSdl === undefined) {
    await close()
    throw new Error(
      `the graph ${graph.name} does not compose: ${composed.errors?.map(({ message }) => message).join('; ')}`,
    )
  }
  return {
    supergraph: composed.supergraphSdl,
    subgraphs,
    take() {
      const taken = { calls, fields }
      calls = {}
      fields = new Set()
      return taken
    },
    close,
  }
}
