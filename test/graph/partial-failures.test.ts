/** A failing call takes only its own field away: every other field of the operation is answered as if it had not failed. */
import { buildSchema, isNonNullType, isObjectType, Kind, parse } from 'graphql'
import { beforeEach, describe, expect, test } from 'vitest'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { serviceCalls } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { operations } from '../support/operations.ts'

const graph = keepForFile(
  await startGraph({
    tuning: Object.fromEntries(
      ['videos', 'agents', 'messages', 'metrics'].map((service) => [service, { retries: 0 }]),
    ),
  }),
)
beforeEach(() => graph.sandbox.reset())

const schema = buildSchema(readSchemaFile('api'), { assumeValidSDL: true })

test('every root field, and every field that costs a call, is nullable', () => {
  const roots = ['Query', 'Mutation'].flatMap((name) => {
    const type = schema.getType(name)
    return isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : []
  })
  const calling = [
    ...serviceCalls.flatMap(({ fields }) => Object.keys(fields)),
    'Video.fileDetails',
    'Video.processingDetails',
    'Video.suggestions',
    'UpdateVideoPayload.video',
    'VideoUpload.video',
  ]
  expect(calling.length).toBeGreaterThan(25)
  const required = [...new Set([...roots, ...calling])].filter((coordinate) => {
    const [name = '', field = ''] = coordinate.split('.')
    const type = schema.getType(name)
    const definition = isObjectType(type) ? type.getFields()[field] : undefined
    if (definition === undefined) throw new Error(`no ${coordinate}`)
    return isNonNullType(definition.type)
  })
  // Relay wants this list; it reads ids and makes no call, and its items are nullable.
  expect(required).toEqual(['Query.nodes'])
})

/** Fields of other services, and one of the same that makes no call. */
const siblings: Readonly<Record<string, { readonly query: string; readonly mutation: string }>> = {
  videos: {
    query:
      'sibling: metrics { buildInfo { version } } quota: mediaQuota { used } other: channel(channelId: "UCx") { channelId }',
    mutation: `sibling: likeMessage(input: { userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }) { liked }`,
  },
  agents: {
    query:
      'sibling: chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } quota: mediaQuota { used }',
    mutation: `sibling: deleteVideo(input: { videoId: "${sampleVideos.own[0]}" }) { deletedVideoId }`,
  },
  messages: {
    query:
      'sibling: chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } quota: mediaQuota { used }',
    mutation: `sibling: deleteVideo(input: { videoId: "${sampleVideos.own[0]}" }) { deletedVideoId }`,
  },
  metrics: {
    query:
      'sibling: chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } quota: mediaQuota { used }',
    mutation: '',
  },
}

/** The operation with the siblings before and after its own fields. */
function among(text: string, service: string): { readonly text: string; readonly own: string } {
  const [definition] = parse(text).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation')
  const [field] = definition.selectionSet.selections
  if (field?.kind !== Kind.FIELD || definition.selectionSet.loc === undefined) throw new Error('no field')
  const at = definition.selectionSet.loc.start + 1
  const sibling = siblings[service]?.[definition.operation === 'mutation' ? 'mutation' : 'query'] ?? ''
  return { text: `${text.slice(0, at)} ${sibling} ${text.slice(at)}`, own: (field.alias ?? field.name).value }
}

describe.each(operations)('$name', ({ name, service, ask, variables }) => {
  test.each([500, 400])('that fails with %i leaves every other field as it is', async (status) => {
    const { text, own } = among(ask, service)
    const good = await graph.ask(text, variables)
    graph.sandbox.reset()
    graph.sandbox.fail({ operation: name, kind: 'status', status, times: 100 })
    const { data, errors } = await graph.ask(text, variables)
    expect(data, JSON.stringify(errors)).not.toBeNull()
    const { [own]: _, quota: __, ...others } = data
    const { [own]: ___, quota: used, ...expected } = good.data
    expect(others).toEqual(expected)
    if (used !== undefined) expect(data.quota).toEqual({ used: expect.any(Number) })
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      expect(error.path?.[0]).toBe(own)
      expect(error.extensions.service).toBe(service)
    }
  })
})

test('an update that was written stands, though the read of its other parts fails', async () => {
  const id = sampleVideos.own[0] as string
  const update = `mutation { updateVideo(input: { videoId: "${id}", replace: true, snippet: { title: "New", categoryId: "22" } }) {
    videoId video { snippet { title } statistics { viewCount } } } }`
  graph.sandbox.fail({ operation: 'videos.list', kind: 'status', status: 500, times: 100 })
  const { data, errors } = await graph.ask(update)
  expect(data).toEqual({ updateVideo: { videoId: id, video: null } })
  expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [['updateVideo', 'video'], 'UPSTREAM_UNAVAILABLE'],
  ])
  expect(graph.sandbox.calls('videos.update').length).toBe(1)
})
