/** What an earlier attempt made is found, in whichever direction the service lists threads. */
import { expect, test } from 'vitest'
import { testRequest } from '../../support/request.ts'
import { videosOver } from './kit.ts'

const since = Date.UTC(2026, 10, 22, 12)
const thread = (minutes: number, textOriginal: string) => ({
  id: `t${minutes}`,
  snippet: {
    topLevelComment: {
      id: `t${minutes}`,
      snippet: { textOriginal, publishedAt: new Date(since + minutes * 60_000).toISOString() },
    },
  },
})
/** The newest first. The same text was written an hour before, by somebody else. */
const threads = [
  thread(2, 'later'),
  thread(1, 'wanted'),
  ...Array.from({ length: 3 }, (_, at) => thread(-at - 60, at === 0 ? 'wanted' : 'earlier')),
]
const insert =
  'mutation { insertCommentThread(input: { videoId: "v", textOriginal: "wanted" }) { commentThread { threadId } } }'

test.for([
  ['the newest first', threads, 1],
  ['the oldest first', threads.toReversed(), 2],
] as const)('a comment is found in pages with %s', async ([, list, pages]) => {
  await using videos = await videosOver(({ query: { pageToken } }) => ({
    body:
      pageToken === undefined ? { items: list.slice(0, 3), nextPageToken: 'n' } : { items: list.slice(3) },
  }))
  const request = { ...testRequest(), earlierAttempt: { since, leftMs: 0 } }
  const { data, errors } = await videos.run(insert, {}, request)
  expect([data, errors]).toEqual([{ insertCommentThread: { commentThread: { threadId: 't1' } } }, []])
  expect(videos.arrived.map(({ method }) => method)).toEqual(Array(pages).fill('GET'))
})

test('a comment that was written before the attempt is another one', async () => {
  await using videos = await videosOver(({ method }) => ({
    body: method === 'GET' ? { items: threads.slice(2), nextPageToken: 'n' } : thread(5, 'wanted'),
  }))
  const request = { ...testRequest(), earlierAttempt: { since, leftMs: 0 } }
  const { data } = await videos.run(insert, {}, request)
  expect(data.insertCommentThread.commentThread.threadId).toBe('t5')
  expect(videos.arrived.map(({ method }) => method)).toEqual(['GET', 'POST'])
})
