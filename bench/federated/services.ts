/**
 * The four subgraphs of `graph.ts` in their own process. Repeated requests are answered from memory, so that the
 * subgraphs are not the bottleneck. It sends its parent `{ url }` over the process channel.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { GraphQLSchema } from 'graphql'
import { link, services } from './graph.ts'

// The product's own copy, which `@apollo/subgraph` needs, because the benchmark's packages bring another graphql.
const ofProduct = createRequire(new URL('../../package.json', import.meta.url))
const { buildSubgraphSchema } = ofProduct('@apollo/subgraph') as typeof import('@apollo/subgraph')
const { execute, parse } = ofProduct('graphql') as typeof import('graphql')

const schemas = new Map<string, GraphQLSchema>(
  Object.entries(services).map(([name, { sdl, resolvers }]) => [
    `/${name}`,
    buildSubgraphSchema([{ typeDefs: parse(link + sdl), resolvers }]),
  ]),
)
const known = new Map<string, Buffer>()
const mostKnown = 2000

async function answerTo(path: string, body: string): Promise<Buffer> {
  // All numbers above the last product mean the same. Each request of the benchmark has another one.
  const same = body.replace(/"first":\d{2,}/, '"first":100')
  const key = `${path} ${same}`
  let answer = known.get(key)
  if (answer === undefined) {
    const schema = schemas.get(path)
    if (schema === undefined) throw new Error(`There is no subgraph at ${path}.`)
    const { query, variables } = JSON.parse(same)
    answer = Buffer.from(
      JSON.stringify(await execute({ schema, document: parse(query), variableValues: variables })),
    )
    if (known.size < mostKnown) known.set(key, answer)
  }
  return answer
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    answerTo(request.url ?? '', Buffer.concat(chunks).toString()).then(
      (answer) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
        response.end(answer)
      },
      (error: unknown) => {
        response.writeHead(400)
        response.end(String(error))
      },
    )
  })
})
// The default is the address of the public benchmark, so that a router configured for that one runs here, too.
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('disconnect', () => process.exit(0))
