/** Finds out the outcome of inserting a comment thread when the response was lost. */
import type { SubgraphRequest } from '../../shared/request.ts'
import { textOf } from '../kit/json.ts'
import { visitPages } from '../kit/pagination/index.ts'
import type { VideosClient } from './client.ts'
import { beganAt, firstCommentOf, isOldestFirst, type ThreadModel } from './model.ts'

interface WantedThread {
  readonly videoId: string | null | undefined
  readonly channelId: string | null | undefined
  readonly textOriginal: string
  /** When the attempt began, in milliseconds since 1970. */
  readonly since: number
}

/** How far the service's clock may be behind our own. */
const skewMs = 60_000
const pageSize = 100
const mostPages = 5

/**
 * The thread with this text that was written since then; undefined if there is none. The service names no author
 * that could be compared, so text and time decide.
 */
export async function findThread(
  client: VideosClient,
  { videoId, channelId, textOriginal, since }: WantedThread,
  request: SubgraphRequest,
): Promise<ThreadModel | undefined> {
  const by = videoId ? 'videoId' : 'channelId'
  const filter = { by, id: videoId || channelId || '', order: 'time', withReplies: false } as const
  const isEarlier = (thread: ThreadModel): boolean => beganAt(thread) < since - skewMs
  let found: ThreadModel | undefined
  const broken = await visitPages({
    service: 'videos',
    mostPages,
    fetch: (token) => client.threadPage(filter, { token, size: pageSize }, request),
    visit({ items }) {
      found = items.find(
        (thread) => textOf(firstCommentOf(thread).textOriginal) === textOriginal && !isEarlier(thread),
      )
      // All later pages are older if the newest threads come first.
      return found !== undefined || (items.some(isEarlier) && !isOldestFirst(items))
    },
  })
  if (broken !== undefined) throw broken
  return found
}
