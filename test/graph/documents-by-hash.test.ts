/**
 * A subgraph service accepts the hash of a document that it has received before, and no other text for it.
 */
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { answerFrom } from '../support/graph.ts'
import { postJson } from '../support/post-json.ts'
import { serviceSecret, startServices } from '../support/services.ts'

const text = 'query One($id: ID!) { video(videoId: $id) { videoId snippet { title } } }'
const variables = { id: sampleVideos.own[0] }
const persisted = (of: string) => ({ persistedQuery: { version: 1, sha256Hash: hash('sha256', of) } })

test('a document is known by its hash once it came with it, and only then', async () => {
  await using sandbox = await startSandbox()
  await using services = await startServices(sandbox.url, {}, ['videos'])
  const ask = async (body: object) => {
    const answer = await postJson(services.urls.videos, body, {
      'router-authorization': `Bearer ${serviceSecret}`,
    })
    const { data, errors } = await answerFrom(answer)
    return data ?? errors[0]?.extensions.code
  }
  const expected = await ask({ query: text, variables })
  expect(expected).toMatchObject({ video: { videoId: variables.id } })
  // The text alone teaches no hash.
  expect(await ask({ extensions: persisted(text), variables })).toBe('PERSISTED_QUERY_NOT_FOUND')
  // An error, whatever Apollo Server calls it.
  const other = await ask({ query: '{ other: __typename }', extensions: persisted(text) })
  expect(other).toEqual(expect.stringMatching(/^[A-Z_]+$/))
  expect(await ask({ extensions: persisted(text), variables })).toBe('PERSISTED_QUERY_NOT_FOUND')
  expect(await ask({ query: text, extensions: persisted(text), variables })).toEqual(expected)
  for (let times = 0; times < 3; times++)
    expect(await ask({ extensions: persisted(text), variables, operationName: 'One' })).toEqual(expected)
  expect(await ask({ extensions: persisted(text), variables: {} })).toBe('BAD_USER_INPUT')
  // Too deep, and therefore never taught.
  const deep = `{ ${'a { '.repeat(200)}b${' }'.repeat(200)} }`
  expect(await ask({ query: deep, extensions: persisted(deep) })).toBe('OPERATION_TOO_LARGE')
  expect(await ask({ extensions: persisted(deep) })).toBe('PERSISTED_QUERY_NOT_FOUND')
})
