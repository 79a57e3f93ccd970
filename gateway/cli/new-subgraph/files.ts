/**
 * The files of a new subgraph. `@things@` and similar placeholders stand for its name in the forms that code needs.
 */
import { version } from '../../telemetry/version.ts'
import type { Files } from '../files.ts'

const manifest = `{
  "name": "@things@-subgraph",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node src/main.ts",
    "stand-in": "node test/serve-stand-in.ts",
    "test": "node --test \\"test/*.test.ts\\"",
    "check": "tsc --noEmit"
  },
  "dependencies": {
    "@apollo/server": "^5.5.0",
    "graphql": "^16.15.0",
    "tessera-graph": "*"
  },
  "devDependencies": {
    "@types/node": "^24.0.0",
    "typescript": "^7.0.0"
  }
}
`

const tsconfig = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024", "esnext.disposable"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["src", "test"]
}
`

const schema = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@requiresScopes"])

type Query {
  "One @thing@; null if the id is unknown."
  @thing@(@thing@Id: ID!): @Thing@
  "All @things@, in pages."
  @things@(first: Int, after: String): @Thing@Connection
}

type @Thing@ @key(fields: "@thing@Id") {
  @thing@Id: ID!
  title: String
  "For the staff. Requires \`@things@.read\`."
  note: String @requiresScopes(scopes: [["@things@.read"]])
}

type @Thing@Connection {
  edges: [@Thing@Edge!]!
  nodes: [@Thing@!]!
  pageInfo: PageInfo!
  totalCount: Int
}

type @Thing@Edge {
  cursor: String!
  node: @Thing@!
}

type PageInfo @shareable {
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}
`

const subgraph = `/** The subgraph of @things@: pages of the service as a connection, lookups by id in one call. */
import { readFileSync } from 'node:fs'
import {
  connect,
  createLookUps,
  createSubgraph,
  createUpstream,
  type LookUp,
  type Subgraph,
  type SubgraphRequest,
} from 'tessera-graph/kit'

export const typeDefs: string = readFileSync(new URL('schema.graphql', @here@), 'utf8')

/** The JSON of the service. */
interface @Thing@Json {
  readonly id: string
  readonly title: string
  readonly note?: string
}

interface Page {
  readonly items: readonly @Thing@Json[]
  /** The token of the next page; absent on the last one. */
  readonly next?: string
  readonly total: number
}

interface Context {
  readonly request: SubgraphRequest
  readonly @things@: LookUp<null, @Thing@Json>
}

export function create@Thing@sSubgraph(baseUrl: string): Subgraph {
  const upstream = createUpstream({
    service: '@things@',
    baseUrl,
    // { kind: 'bearer', token }, { kind: 'key', key } or { kind: 'forward', header } for a service that wants one.
    credential: { kind: 'none' },
    // The meaning of a failed response, if its body says more than the status; undefined leaves it to the status.
    failure: () => undefined,
  })
  const get = async <T>(operation: string, path: string, request: SubgraphRequest): Promise<T> => {
    // safe: the call may be repeated if its response is lost.
    const { body } = await upstream.send<T>({ operation, method: 'GET', path, safe: true }, request)
    return body
  }
  const lookUps = createLookUps<null, ReadonlyMap<string, @Thing@Json>, @Thing@Json>({
    share: true,
    // The most ids that the service accepts in one call.
    maxIds: 50,
    async fetch(ids, _needs, request) {
      const path = \`/@things@?ids=\${ids.map(encodeURIComponent).join(',')}\`
      const { items } = await get<Page>('@things@.get', path, request)
      return new Map(items.map((item) => [item.id, item]))
    },
    pick: (id, found) => found.get(id) ?? null,
    unite: () => null,
    covers: () => true,
  })

  return createSubgraph({
    name: '@things@',
    typeDefs,
    resolvers: {
      Query: {
        @thing@: (_: unknown, { @thing@Id }: { @thing@Id: string }, { @things@ }: Context) =>
          @things@.read(@thing@Id, null),
        @things@: (_: unknown, args: { first?: number; after?: string }, { request }: Context) =>
          connect(args, {
            list: '@things@',
            pages: { maxPageSize: 50, defaultPageSize: 20 },
            fetch(token, size) {
              const after = token === undefined ? '' : \`&token=\${encodeURIComponent(token)}\`
              return get<Page>('@things@.list', \`/@things@?size=\${size}\${after}\`, request)
            },
          }),
      },
      @Thing@: {
        @thing@Id: ({ id }: @Thing@Json) => id,
        note: ({ note }: @Thing@Json) => note ?? null,
        __resolveReference: ({ @thing@Id }: { @thing@Id: string }, { @things@ }: Context) =>
          @things@.read(@thing@Id, null),
      },
    },
    createContext: (request): Context => ({
      request,
      @things@: lookUps(request, upstream.credentialKey(request)),
    }),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
`

const main = `/** Serves the subgraph for a gateway or router: \`SERVICE_URL=http://127.0.0.1:8080 npm start\`. */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { env } from 'node:process'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled'
import { startStandaloneServer } from '@apollo/server/standalone'
import { GraphQLError } from 'graphql'
import { createGatewayRequest } from 'tessera-graph/engine'
import { create@Thing@sSubgraph } from './subgraph.ts'

const { SERVICE_URL, ROUTER_SECRET = '', PORT = '4006' } = env
if (SERVICE_URL === undefined) throw new Error('SERVICE_URL: the address of the service is missing')
const subgraph = create@Thing@sSubgraph(SERVICE_URL)
const expected = Buffer.from(\`Bearer \${ROUTER_SECRET}\`)

/** The router in front checks scopes, so with a secret only the router is served. */
function checkRouter(header: unknown): void {
  const given = Buffer.from(typeof header === 'string' ? header : '')
  if (ROUTER_SECRET === '' || (given.length === expected.length && timingSafeEqual(given, expected))) return
  throw new GraphQLError('The request lacks the secret of the router.', {
    extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
  })
}

const server = new ApolloServer<object>({
  schema: subgraph.schema,
  plugins: [ApolloServerPluginInlineTraceDisabled()],
  // They would tell the address of the service.
  includeStacktraceInErrorResponses: false,
})
const { url } = await startStandaloneServer<object>(server, {
  listen: { host: '127.0.0.1', port: Number(PORT) },
  async context({ req }) {
    checkRouter(req.headers['router-authorization'])
    return subgraph.createContext(
      createGatewayRequest({
        id: randomUUID(),
        deadline: performance.now() + 15_000,
        header: (name) => req.headers[name]?.toString(),
      }),
    )
  },
})
console.log(\`subgraph \${url}\`)
process.once('SIGTERM', () => void server.stop().then(() => subgraph.close()))
`

const standIn = `/** A small service with the rules of the real one, for tests: pages, and lookups by id. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const all = Array.from({ length: 7 }, (_, index) => ({
  id: \`t\${index + 1}\`,
  title: \`The title of \${index + 1}\`,
  note: 'Handle with care.',
}))

export interface StandIn extends AsyncDisposable {
  readonly url: string
  /** Path and query of each call, in order. */
  readonly calls: string[]
}

export async function startStandIn(port = 0): Promise<StandIn> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const ids = searchParams.get('ids')?.split(',')
    const from = Number(searchParams.get('token') ?? 0)
    const to = from + Number(searchParams.get('size') ?? 20)
    const items = ids === undefined ? all.slice(from, to) : all.filter(({ id }) => ids.includes(id))
    const next = ids === undefined && to < all.length ? { next: String(to) } : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ items, total: all.length, ...next }))
  })
  server.listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
`

const servedStandIn = `/** Serves the stand-in by itself, to try the subgraph without the service: \`npm run stand-in\`. */
import { env } from 'node:process'
import { startStandIn } from './stand-in.ts'

const { url } = await startStandIn(Number(env.PORT ?? 8080))
console.log(\`stand-in \${url}\`)
`

const tests = `/** The subgraph in a graph of its own, over the stand-in, with its calls counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose, createHandler, createInProcessTransport, type GraphHandler } from 'tessera-graph/engine'
import { create@Thing@sSubgraph, typeDefs } from '../src/subgraph.ts'
import { startStandIn } from './stand-in.ts'

function graphOver(url: string): GraphHandler {
  const { supergraph, errors } = compose([{ name: '@things@', url: 'http://127.0.0.1:4006/', typeDefs }])
  if (supergraph === undefined) throw new AggregateError(errors)
  const transport = createInProcessTransport(create@Thing@sSubgraph(url))
  return createHandler({ supergraph, transports: new Map([['@things@', transport]]) })
}

/** Results have objects without a prototype, which \`deepEqual\` of node:assert treats as different. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('pages through the list', async () => {
  await using service = await startStandIn()
  const graph = graphOver(service.url)
  const page = '{ @things@(first: 3) { nodes { @thing@Id } pageInfo { hasNextPage } totalCount } }'
  const { data, errors } = await graph.execute({ query: page })
  assert.equal(errors, undefined)
  assert.deepEqual(plain(data), {
    @things@: {
      nodes: [{ @thing@Id: 't1' }, { @thing@Id: 't2' }, { @thing@Id: 't3' }],
      pageInfo: { hasNextPage: true },
      totalCount: 7,
    },
  })
  assert.equal(service.calls.length, 1)
  await graph.close()
})

test('looks several up in one call, and returns null for unknown ids', async () => {
  await using service = await startStandIn()
  const graph = graphOver(service.url)
  const query = '{ a: @thing@(@thing@Id: "t2") { title } b: @thing@(@thing@Id: "t5") { title } c: @thing@(@thing@Id: "none") { title } }'
  const { data } = await graph.execute({ query })
  assert.deepEqual(plain(data), { a: { title: 'The title of 2' }, b: { title: 'The title of 5' }, c: null })
  assert.equal(service.calls.length, 1)
  await graph.close()
})

test('refuses a scoped field to a caller without a token', async () => {
  await using service = await startStandIn()
  const graph = graphOver(service.url)
  const { data, errors } = await graph.execute({ query: '{ @thing@(@thing@Id: "t1") { title note } }' })
  assert.deepEqual(plain(data), { @thing@: { title: 'The title of 1', note: null } })
  assert.equal(errors?.[0]?.extensions.code, 'UNAUTHORIZED_FIELD_OR_TYPE')
  await graph.close()
})
`

const readme = `# @things@

A subgraph over the @things@ service.

    npm install PATH/tessera-graph-@version@.tgz
    npm test
    npm run check
    npm run stand-in          # in another terminal: the stand-in of the service at http://127.0.0.1:8080
    SERVICE_URL=http://127.0.0.1:8080 npm start

\`npm pack\` in a checkout of Tessera makes the first file. Then compose it with Tessera's own subgraphs;
docs/own-subgraph.md of the checkout says how to run these and how to make a token:

    npx tessera compose --with @things@=http://127.0.0.1:4006/ --out supergraph.graphql
    npx tessera serve --supergraph supergraph.graphql

| file | what to change in it |
|---|---|
| \`src/schema.graphql\` | types and fields, and the scopes that they need |
| \`src/subgraph.ts\` | addresses of the service, its pages, its credential, what its errors mean |
| \`test/stand-in.ts\` | the rules of your service |
`

/** A bundler would replace the whole word by its own address. */
const here = ['import', 'meta', 'url'].join('.')

/** A plural such as `books` in the forms of a field and of a type of one: `book` and `Book`. */
export function formsOf(name: string): { readonly thing: string; readonly upper: string } {
  const thing = name.slice(0, -1)
  return { thing, upper: `${thing[0]?.toUpperCase()}${thing.slice(1)}` }
}

/** The content of each file by its path. `name` is such a plural. */
export function subgraphFiles(name: string): Files {
  const { thing, upper } = formsOf(name)
  const named = (text: string): string =>
    text
      .replaceAll('@here@', here)
      .replaceAll('@version@', version)
      .replaceAll('@things@', name)
      .replaceAll('@thing@', thing)
      .replaceAll('@Thing@', upper)
  const files: Files = {
    'package.json': manifest,
    'tsconfig.json': tsconfig,
    'README.md': readme,
    'src/schema.graphql': schema,
    'src/subgraph.ts': subgraph,
    'src/main.ts': main,
    'test/stand-in.ts': standIn,
    'test/serve-stand-in.ts': servedStandIn,
    'test/subgraph.test.ts': tests,
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, named(text)]))
}
