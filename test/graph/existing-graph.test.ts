/**
 * Our subgraphs in somebody else's graph: a catalogue that joins by natural ids, under three engines, over HTTP.
 * Tessera enforces the scopes itself; behind the others the subgraph services do.
 */
import { createServer } from 'node:http'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
import httpTransport from '@graphql-mesh/transport-http'
import { parse, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { type Catalogue, startCatalogue } from '../../examples/existing-graph/catalogue.ts'
import { withoutScopes } from '../../gateway/auth/without-scopes.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { toGlobalId } from '../../shared/graphql/global-id.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { allScopes, startGraph } from '../support/graph.ts'
import { listen } from '../support/listen.ts'
import { postJson } from '../support/post-json.ts'
import { type Services, serviceSecret, startServices } from '../support/services.ts'
import { signToken, tokenSecret } from '../support/token.ts'

interface Engine {
  readonly name: string
  readonly url: string
  close(): Promise<unknown>
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is compared
  readonly data: any
  readonly errors?: readonly { readonly path?: unknown; readonly extensions?: { readonly code?: string } }[]
}

let sandbox: Sandbox
let services: Services
let catalogue: Catalogue
const engines: Engine[] = []

async function supergraphOf(edit: (sdl: string) => string): Promise<string> {
  const sdl = await (await postJson(catalogue.url, { query: '{ _service { sdl } }' })).json()
  const { supergraph, errors } = compose([
    ...subgraphNames.map((name) => ({
      name,
      url: services.urls[name],
      typeDefs: edit(readSchemaFile(name)),
    })),
    { name: 'catalogue', url: catalogue.url, typeDefs: sdl.data._service.sdl },
  ])
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'))
  return supergraph
}

async function startTessera(supergraph: string): Promise<Engine> {
  const { url, gateway } = await startGraph({
    graph: { supergraph },
    env: {
      TESSERA_SUBGRAPH_SECRET: serviceSecret,
      TESSERA_SUBGRAPH_TOKENS: subgraphNames.join(' '),
      TESSERA_SUBGRAPH_ERRORS: subgraphNames.join(' '),
    },
  })
  return { name: 'Tessera', url, close: () => gateway.stop() }
}

async function startHive(supergraph: string, name: string): Promise<Engine> {
  const runtime = createGatewayRuntime({
    supergraph,
    unifiedGraphHandler,
    transports: { http: httpTransport },
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => ({
        'router-authorization': `Bearer ${serviceSecret}`,
        authorization: request.headers.get('authorization') ?? '',
      }),
    },
    logging: false,
    landingPage: false,
    graphiql: false,
    maskedErrors: false,
  })
  const server = createServer(runtime)
  const listening = await listen(server)
  return {
    name,
    url: `${listening.url}/graphql`,
    async close() {
      await listening[Symbol.asyncDispose]()
      await runtime[Symbol.asyncDispose]()
    },
  }
}

async function startApollo(supergraph: string): Promise<Engine> {
  const gateway = new ApolloGateway({
    supergraphSdl: supergraph,
    buildService: ({ url }) =>
      new RemoteGraphQLDataSource<{ authorization?: string }>({
        url: url ?? '',
        willSendRequest({ request, context }) {
          request.http?.headers.set('router-authorization', `Bearer ${serviceSecret}`)
          request.http?.headers.set('authorization', context.authorization ?? '')
        },
      }),
  })
  const server = new ApolloServer<{ authorization?: string }>({ gateway })
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => ({ authorization: req.headers.authorization ?? '' }),
  })
  return { name: '@apollo/gateway', url, close: () => server.stop() }
}

beforeAll(async () => {
  sandbox = await startSandbox()
  catalogue = await startCatalogue(0)
  services = await startServices(sandbox.url, {
    TESSERA_SUBGRAPH_SCOPES: 'true',
    TESSERA_JWT_SECRET: tokenSecret,
  })
  const guarded = await supergraphOf((sdl) => sdl)
  // As `tessera compose --scopes services` makes it, for routers that refuse the directives.
  const open = await supergraphOf((sdl) => print(withoutScopes(parse(sdl))))
  expect(open).not.toMatch(/requiresScopes|authenticated|policy/)
  engines.push(
    await startTessera(guarded),
    await startHive(guarded, 'Hive Gateway'),
    await startHive(open, 'Hive Gateway, scopes left to the services'),
    await startApollo(open),
  )
})

afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  await catalogue?.close()
  await services?.[Symbol.asyncDispose]()
  await sandbox?.close()
})

async function ask(engine: Engine, query: string, scope: string, variables = {}): Promise<Answer> {
  const response = await postJson(
    engine.url,
    { query, variables },
    { accept: 'application/json', authorization: `Bearer ${await signToken({ scope })}` },
  )
  return (await response.json()) as Answer
}

const product = 'product(sku: "lamp")'
const queries: readonly [what: string, query: string, variables?: Record<string, unknown>][] = [
  ['theirs alone', '{ products { sku name price { amount currency } } }'],
  ['ours alone', '{ video(videoId: "u62wyH56M7e") { videoId snippet { title channelTitle } } }'],
  [
    'from theirs to ours',
    `{ ${product} { name video { videoId snippet { title } statistics { viewCount } } } }`,
  ],
  ['a list, some of it null', '{ products { sku message { messageId } } }'],
  ['from ours to theirs', '{ video(videoId: "u62wyH56M7e") { snippet { title } products { sku name } } }'],
  ['there and back', `{ ${product} { video { products { sku video { snippet { title } } } } } }`],
  ['two services of ours', `{ ${product} { video { etag } message { text authorId } } }`],
  ['nothing of that name', '{ product(sku: "nothing") { name video { etag } } }'],
  [
    'aliases and fragments',
    `fragment Film on Video { film: snippet { heading: title } }
     { first: ${product} { ...P } second: product(sku: "tent") { ...P } } fragment P on Product { n: name video { ...Film } }`,
  ],
  [
    'conditions',
    `query ($yes: Boolean!, $no: Boolean!) { ${product} { name @skip(if: $yes) price @include(if: $yes) { amount }
      video @include(if: $yes) { videoId statistics @skip(if: $no) { likeCount } } message @include(if: $no) { text } } }`,
    { yes: true, no: false },
  ],
  [
    'a connection in it',
    `{ ${product} { video { commentThreads(first: 3) { nodes { threadId video { products { sku } } } pageInfo { hasNextPage } } } } }`,
  ],
  [
    'by global id',
    `{ ${product} { video { id } } nodes(ids: ["${toGlobalId('Video', 'u62wyH56M7e')}"]) { id __typename } }`,
  ],
  ['types', `{ ${product} { __typename video { __typename } price { __typename } } }`],
  [
    'a write',
    'mutation { renameProduct(sku: "rope", name: "Strong rope") { sku name video { snippet { title } } } }',
  ],
]

describe('the same queries give the same answers', () => {
  test.each(queries)('%s', async (_, query, variables) => {
    const answers = await Promise.all(engines.map((engine) => ask(engine, query, allScopes, variables)))
    for (const [index, { data, errors }] of answers.entries()) {
      expect({ engine: engines[index]?.name, errors }).toEqual({
        engine: engines[index]?.name,
        errors: undefined,
      })
      expect({ engine: engines[index]?.name, data }).toEqual({
        engine: engines[index]?.name,
        data: answers[0]?.data,
      })
    }
    expect(Object.keys(answers[0]?.data ?? {}).length).toBeGreaterThan(0)
  })

  test('what is not there any more is null in none of them the whole answer', async () => {
    const query = '{ product(sku: "gone") { name video { videoId snippet { title } } } products { sku } }'
    for (const engine of engines) {
      const { data } = await ask(engine, query, allScopes)
      expect(data.product.name).toBe('Whistle')
      expect(data.product.video?.snippet ?? null).toBeNull()
      expect(data.products.length).toBe(4)
    }
  })
})

describe('what a scope guards stays shut', () => {
  const query = `{ ${product} { name message { messageId text } video { videoId fileDetails { fileName } } } }`

  test('on the way from the catalogue too, whichever engine asks; the rest of the answer is whole', async () => {
    for (const engine of engines) {
      sandbox.journal.length = 0
      const { data, errors = [] } = await ask(engine, query, 'media.read')
      expect({ engine: engine.name, name: data.product.name, id: data.product.video.videoId }).toEqual({
        engine: engine.name,
        name: 'Lamp',
        id: 'u62wyH56M7e',
      })
      expect(data.product.message?.text ?? null).toBeNull()
      expect(data.product.video.fileDetails).toBeNull()
      expect(errors.length).toBeGreaterThan(0)
      // The other subgraphs call one of the product's services to learn whether the message exists. Tessera calls
      // none.
      if (engine.name === 'Tessera') expect(sandbox.calls('messages.lookup')).toEqual([])
    }
  })

  test('and opens to who holds it', async () => {
    for (const engine of engines) {
      const { data, errors } = await ask(engine, query, allScopes)
      expect({ engine: engine.name, errors }).toEqual({ engine: engine.name, errors: undefined })
      expect(data.product.message.text).toEqual(expect.any(String))
      expect(data.product.video.fileDetails.fileName).toEqual(expect.any(String))
    }
  })
})
