/** The subgraphs of a graph as real HTTP services, which keep a record of what they are asked for. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { composeServices } from '@theguild/federation-composition'
import { defaultFieldResolver, graphql, isObjectType, parse } from 'graphql'
import type { Graph, SubgraphSource } from './types.ts'

export interface Journal {
  /** Requests to each subgraph. */
  readonly calls: { readonly [subgraph: string]: number }
  /** Fields whose resolvers have run: `User.email`. */
  readonly fields: ReadonlySet<string>
}

export interface Served {
  readonly supergraph: string
  /** By subgraph. */
  readonly urls: { readonly [subgraph: string]: string }
  /** What has been asked for since it was last taken. */
  take(): Journal
  close(): Promise<void>
}

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external", "@provides", "@shareable", "@override", "@inaccessible", "@authenticated", "@requiresScopes", "@interfaceObject"])\n'

const mostBytes = 1_000_000

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
}

/** Throws where the subgraphs do not compose. */
export async function serve(graph: Graph): Promise<Served> {
  let calls: { [subgraph: string]: number } = {}
  let fields = new Set<string>()

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
      }
    }
    return createServer((request, response) => {
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
          body = JSON.parse(Buffer.concat(pieces).toString('utf8'))
        } catch {
          reply(request.method === 'GET' ? 200 : 400, {})
          return
        }
        if (typeof body.query !== 'string') {
          reply(400, {
            errors: [{ message: 'a query is wanted', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
          })
          return
        }
        // What a gateway asks at its start, or to see whether a service lives, is about nobody.
        if (
          !/\b(_service|__schema)\b/.test(body.query) &&
          !/^\s*(query)?\s*\{\s*__typename\s*\}\s*$/.test(body.query)
        )
          calls[name] = (calls[name] ?? 0) + 1
        const { query: source, variables, operationName } = body
        reply(
          200,
          await graphql({
            schema,
            source,
            variableValues: variables as { [name: string]: unknown } | undefined,
            operationName,
          }),
        )
      })
    })
  }

  const servers = new Map<string, Server>()
  const urls: { [subgraph: string]: string } = {}
  for (const source of graph.subgraphs) {
    const server = serverOf(source)
    servers.set(source.name, server)
    urls[source.name] = await listen(server)
  }
  const close = async (): Promise<void> => {
    for (const server of servers.values()) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  const composed = composeServices(
    graph.subgraphs.map(({ name, sdl }) => ({ name, url: urls[name] ?? '', typeDefs: parse(link + sdl) })),
  )
  if (composed.supergraphSdl === undefined) {
    await close()
    throw new Error(
      `the graph ${graph.name} does not compose: ${composed.errors?.map(({ message }) => message).join('; ')}`,
    )
  }
  return {
    supergraph: composed.supergraphSdl,
    urls,
    take() {
      const taken = { calls, fields }
      calls = {}
      fields = new Set()
      return taken
    },
    close,
  }
}
