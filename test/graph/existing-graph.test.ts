/**
 * Our subgraphs in somebody else's graph: a catalogue that joins by natural ids, under three engines, over HTTP.
 * Tessera enforces the scopes itself; behind the others the subgraph services do.
 */
import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
import { parse, print } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { startCatalogue } from '../../examples/existing-graph/catalogue.ts'
import { withoutScopes } from '../../gateway/auth/without-scopes.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { toGlobalId } from '../../shared/graphql/global-id.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import { allScopes, type Json, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { type Router, startApolloGateway, startHiveGateway, supergraphOf } from '../support/other-routers.ts'
import { postJson } from '../support/post-json.ts'
import { serviceSecret, startServices } from '../support/services.ts'
import { signToken, tokenSecret } from '../support/token.ts'

interface Engine extends Router {
  readonly name: string
}

interface Answer {
  readonly data: Json
  readonly errors?: readonly { readonly path?: unknown; readonly extensions?: { readonly code?: string } }[]
}

const sandbox = keepForFile(await startSandbox())
const catalogue = await startCatalogue(0)
afterAll(() => catalogue.close())
const services = keepForFile(
  await startServices(sandbox.url, { TESSERA_SUBGRAPH_SCOPES: 'true', TESSERA_JWT_SECRET: tokenSecret }),
)

async function supergraph(edit: (sdl: string) => string): Promise<string> {
  const sdl = await (await postJson(catalogue.url, { query: '{ _service { sdl } }' })).json()
  const theirs = { name: 'catalogue', url: catalogue.url, typeDefs: sdl.data._service.sdl }
  return supergraphOf(services, edit, theirs)
}

const guarded = await supergraph((sdl) => sdl)
// As `tessera compose --scopes services` makes it, for routers that refuse the directives.
const open = await supergraph((sdl) => print(withoutScopes(parse(sdl))))

const startTessera = (): Promise<Router> =>
  startGraph({
    graph: { supergraph: guarded },
    env: {
      TESSERA_SUBGRAPH_SECRET: serviceSecret,
      TESSERA_SUBGRAPH_TOKENS: subgraphNames.join(' '),
      TESSERA_SUBGRAPH_ERRORS: subgraphNames.join(' '),
    },
  })

const startHive = (supergraph: string): Promise<Router> =>
  startHiveGateway({
    supergraph,
    unifiedGraphHandler,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => ({
        'router-authorization': `Bearer ${serviceSecret}`,
        authorization: request.headers.get('authorization') ?? '',
      }),
    },
    maskedErrors: false,
  })

const started = async (name: string, router: Promise<Router>): Promise<Engine> => ({
  name,
  ...keepForFile(await router),
})
const engines: readonly Engine[] = [
  await started('Tessera', startTessera()),
  await started('Hive Gateway', startHive(guarded)),
  await started('Hive Gateway, scopes left to the services', startHive(open)),
  await started('@apollo/gateway', startApolloGateway(open)),
]

test('a supergraph that leaves scopes to the services has no directive of them', () => {
  expect(open).not.toMatch(/requiresScopes|authenticated|policy/)
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
