/** The operations of clients: reads that cost units, writes that can be found at the services, and the ledger. */
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import type { Random } from '../soak/random.ts'
import type { Kind } from './record.ts'

export interface Operation {
  readonly kind: Kind
  readonly effect: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** The most units that it may cost, including repetitions by the gateway and finding out outcomes. */
  readonly most: number
}

const videos = sampleVideos.own.slice(0, 12)

/** The further cost of repeated calls, and of calls that find out an outcome. */
const beside = 20

type Maker = (random: Random, serial: number) => Operation

const comment: Maker = (random, serial) => {
  const text = `text ${serial}`
  return {
    kind: 'comment',
    effect: text,
    query:
      'mutation ($video: ID!, $text: String!) { f: insertCommentThread(input: { videoId: $video, textOriginal: $text }) { commentThread { threadId } } }',
    variables: { video: random.pick(videos), text },
    most: 50 + beside,
  }
}

const intent: Maker = (_, serial) => {
  const name = `intent ${serial}`
  return {
    kind: 'intent',
    effect: name,
    query:
      'mutation ($name: String!) { f: createIntent(input: { project: "demo", displayName: $name, priority: 7 }) { intent { displayName } } }',
    variables: { name },
    most: 0,
  }
}

const like: Maker = (_, serial) => {
  const message = `77${String(serial).padStart(17, '0')}`
  return {
    kind: 'like',
    effect: `${sampleMessages.demoUser}:${message}`,
    query:
      'mutation ($user: ID!, $message: ID!) { f: likeMessage(input: { userId: $user, messageId: $message }) { liked } }',
    variables: { user: sampleMessages.demoUser, message },
    most: 0,
  }
}

const readVideo: Maker = (random, serial) => ({
  kind: 'read',
  effect: `read ${serial}`,
  query: 'query ($video: ID!) { f: video(videoId: $video) { snippet { title } statistics { viewCount } } }',
  variables: { video: random.pick(videos) },
  most: beside,
})

const readThreads: Maker = (random, serial) => ({
  kind: 'read',
  effect: `threads ${serial}`,
  query:
    'query ($video: ID!, $first: Int!) { f: video(videoId: $video) { videoId commentThreads(first: $first) { nodes { threadId } } } }',
  variables: { video: random.pick(videos), first: random.between(1, 40) },
  most: beside,
})

const budget: Maker = (_, serial) => ({
  kind: 'budget',
  effect: `budget ${serial}`,
  query: '{ f: mediaQuota { limit used remaining } }',
  variables: {},
  most: 0,
})

export const makers: readonly { readonly weight: number; readonly item: Maker }[] = [
  { weight: 6, item: comment },
  { weight: 3, item: intent },
  { weight: 2, item: like },
  { weight: 5, item: readVideo },
  { weight: 3, item: readThreads },
  { weight: 3, item: budget },
]

export const openOf = (title: string): Operation => ({
  kind: 'open',
  effect: `open ${title}`,
  query: `mutation ($title: String!) {
    f: insertVideo(input: { snippet: { title: $title }, contentType: "video/mp4", contentLength: "10" }) { upload { url } }
  }`,
  variables: { title },
  most: 1600 + beside,
})

export const deleteOf = (videoId: string): Operation => ({
  kind: 'delete',
  effect: videoId,
  query: 'mutation ($video: ID!) { f: deleteVideo(input: { videoId: $video }) { deletedVideoId } }',
  variables: { video: videoId },
  most: 50 + beside,
})
