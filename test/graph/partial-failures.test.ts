/** A failing call takes only its own field away: what must be nullable for that, and a write whose read fails. */
import { buildSchema, isNonNullType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { serviceCalls } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { startGraph } from '../support/graph.ts'

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

test('an update that was written stands, though the read of its other parts fails', async () => {
  await using graph = await startGraph({ tuning: { videos: { retries: 0 } } })
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
