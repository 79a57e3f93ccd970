/** relay-runtime reads the flat form: a deferred fragment and a streamed list go into its store payload by payload. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { meros } from 'meros/browser'
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLResponse,
  getSingularSelector,
  Network,
  Observable,
  type ReaderFragment,
  RecordSource,
  Store,
} from 'relay-runtime'
import { expect, test } from 'vitest'
import { allScopes } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'
import { relayLinked, relayRequest, relayScalar } from '../../support/relay.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { startSetting } from './kit.ts'
import { startPages, total } from './pages.ts'

const setting = keepForFile(await startSetting())

/** As apps write it: each part goes on to Relay as it comes. */
function environment(url = setting.url, headers: Readonly<Record<string, string>> = {}): Environment {
  return new Environment({
    store: new Store(new RecordSource()),
    network: Network.create((params, variables) =>
      Observable.create<GraphQLResponse>((sink) => {
        const run = async (): Promise<void> => {
          const response = await postJson(
            url,
            { query: params.text, variables },
            { accept: 'multipart/mixed, application/json', ...headers },
          )
          const parts = await meros<GraphQLResponse>(response)
          if (parts instanceof Response) sink.next(await parts.json())
          else for await (const part of parts) if (part.json) sink.next(part.body)
          sink.complete()
        }
        run().catch((error: Error) => sink.error(error))
      }),
    ),
  })
}

async function seenBy(asked: ConcreteRequest): Promise<unknown[]> {
  const relay = environment()
  const descriptor = createOperationDescriptor(asked, {})
  relay.retain(descriptor)
  const seen: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    fetchQuery(relay, asked, {}).subscribe({
      next() {
        seen.push(JSON.parse(JSON.stringify(relay.lookup(descriptor.fragment).data)))
        setting.release()
      },
      complete: resolve,
      error: reject,
    })
  })
  return seen
}

test('@defer', async () => {
  setting.hold()
  const label = 'deferred$defer$stars'
  const fields = ['id', 'name'].map(relayScalar)
  const later = { if: null, kind: 'Defer', label, selections: ['stars', 'id'].map(relayScalar) }
  const seen = await seenBy(
    relayRequest({
      name: 'deferred',
      text: `query deferred { item(id: "2") { id name ... @defer(label: "${label}") { stars id } } }`,
      field: relayLinked('item', 'Item', [...fields, later], {
        args: [{ kind: 'Literal', name: 'id', value: '2' }],
        storageKey: 'item(id:"2")',
      }),
    }),
  )
  expect(seen[0]).toEqual({ item: { id: '2', name: 'Item 2' } })
  expect(seen.at(-1)).toEqual({ item: { id: '2', name: 'Item 2', stars: 20 } })
})

test('@stream', async () => {
  const label = 'streamed$stream$items'
  const list = relayLinked('items', 'Item', ['id', 'name'].map(relayScalar), { plural: true })
  const seen = await seenBy(
    relayRequest({
      name: 'streamed',
      text: `query streamed { items @stream(label: "${label}", initialCount: 1) { id name } }`,
      field: { if: null, kind: 'Stream', label, selections: [list] },
    }),
  )
  const lengths = seen.map((each) => (each as { items: unknown[] }).items.length)
  expect(lengths[0]).toBe(1)
  expect((seen.at(-1) as { items: unknown[] }).items).toEqual(
    [1, 2, 3, 4, 5].map((id) => ({ id: String(id), name: `Item ${id}` })),
  )
})

const chart = `
  import { graphql } from 'relay-runtime'
  graphql\`
    query chartQuery($count: Int!) { ...chart_paged @arguments(count: $count) }
  \`
  graphql\`
    fragment chart_paged on Query @argumentDefinitions(count: { type: "Int!" }) {
      chartVideos(chart: MOST_POPULAR, first: $count)
        @stream_connection(key: "chart_chartVideos", initial_count: 2) {
        edges { node { id videoId } }
      }
    }
  \`
`

/** What relay-compiler makes of the source of an app. */
async function compiled(source: string): Promise<{ query: ConcreteRequest; fragment: ReaderFragment }> {
  const folder = temporaryFolder()
  const root = new URL('../../..', import.meta.url)
  for (const name of ['src', 'made']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'src/chart.js'), source)
  const config = {
    src: './src',
    schema: fileURLToPath(new URL('schema/api.graphql', root)),
    language: 'javascript',
    artifactDirectory: './made',
    eagerEsModules: true,
  }
  writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config))
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('node_modules/relay-compiler/cli.js', root)), join(folder, 'relay.config.json')],
    { cwd: folder },
  )
  const made = async (name: string) =>
    (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'made', `${name}.graphql.js`)).href)).default
  return { query: await made('chartQuery'), fragment: await made('chart_paged') }
}

test('@stream_connection, as relay-compiler writes it', async () => {
  const { query, fragment } = await compiled(chart)
  expect(query.params.text).toContain('@stream(')
  expect(query.params.text).toContain('@defer(')
  await using pages = await startPages()
  const relay = environment(pages.graph.url, {
    authorization: `Bearer ${await pages.graph.token(allScopes)}`,
  })
  const descriptor = createOperationDescriptor(query, { count: total })
  relay.retain(descriptor)
  interface Connection {
    readonly edges: readonly { readonly node: { readonly videoId: string } }[]
    readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string }
  }
  const seen: Connection[] = []
  await new Promise<void>((resolve, reject) => {
    fetchQuery(relay, query, { count: total }).subscribe({
      next() {
        const selector = getSingularSelector(fragment, relay.lookup(descriptor.fragment).data)
        const { chartVideos } = relay.lookup(selector as never).data as never as { chartVideos: Connection }
        seen.push(JSON.parse(JSON.stringify(chartVideos)))
        // The store has the first page while the second one is held.
        if (seen.at(-1)?.edges.length === 50) void pages.release('p50')
        if (seen.at(-1)?.edges.length === 100) void pages.release('p100')
      },
      complete: resolve,
      error: reject,
    })
  })
  const lengths = seen.map(({ edges }) => edges.length)
  expect(lengths[0]).toBe(2)
  expect(lengths).toContain(50)
  expect(lengths).toContain(100)
  expect(seen.at(-1)?.edges.map(({ node }) => node.videoId)).toEqual(
    Array.from({ length: total }, (_, at) => `video${at}`),
  )
  expect(seen.at(-1)?.pageInfo?.hasNextPage).toBe(false)
})
