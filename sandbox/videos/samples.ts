/** The sample catalogue: videos on the channels of an imaginary town, their threads, and lists of them. */
import type { Catalogue, Thread } from './model.ts'
import { at, channelIds, sampleChannels, sampleVideos, token, videoIds } from './sample-ids.ts'
import { videoOf } from './sample-videos.ts'

const commenters = ['Ada', 'Bram', 'Chidi', 'Dunja', 'Emre', 'Freya', 'Goro', 'Hana', 'Ivo', 'Jun'] as const
const remarks = [
  'This made my morning.',
  'I tried it and it works & works.',
  'The part at the end\nis the best part.',
  'More of this, please!',
  'Could you show the tools again?',
  'My grandmother did it the other way round.',
  'Lovely light in this one.',
] as const

function threadOf(key: string, index: number, videoId: string | undefined, channelId: string): Thread {
  const id = `Ug${token(`thread ${key} ${index}`, 22)}AaABAg`
  const replies = at([0, 1, 2, 7], index)
  const minutes = String(index % 60).padStart(2, '0')
  const author = at(commenters, index * 3)
  return {
    id,
    videoId,
    channelId,
    text: at(remarks, index),
    author: { name: author, channelId: index % 5 === 3 ? undefined : `UC${token(`author ${author}`, 22)}` },
    likes: (index * 7) % 31,
    publishedAt: `2026-0${(index % 9) + 1}-1${index % 9}T12:${minutes}:00Z`,
    replies: Array.from({ length: replies }, (_, i) => ({
      id: `${id}.${token(`reply ${i}`, 22)}`,
      text: at(remarks, index + i + 1),
      author: at(commenters, index + i),
    })),
  }
}

/** Threads for benchmarks, which are computed from the id of their video. */
export function syntheticThreads(id: string): Thread[] {
  return Array.from({ length: 20 }, (_, i) => threadOf(id, i, id, at(channelIds, i)))
}

/** How many threads the videos have, in turn. */
const counts = [3, 0, 5, 8, 2, 1, 6]

/** By namespace. Making one takes longer than most requests. */
const made = new Map<string, Catalogue>()

/** Each call returns its own maps. What is in them is shared, because nothing changes it in place. */
export function createCatalogue(namespace: string): Catalogue {
  let samples = made.get(namespace)
  if (samples === undefined) {
    samples = makeCatalogue(namespace)
    made.set(namespace, samples)
  }
  const threads: Catalogue['threads'] = new Map()
  for (const [id, { paging, items }] of samples.threads) threads.set(id, { paging, items: [...items] })
  return {
    ...samples,
    videos: new Map(samples.videos),
    threads,
    commentsDisabled: new Set(samples.commentsDisabled),
  }
}

function makeCatalogue(namespace: string): Catalogue {
  const videos = new Map(videoIds.map((id, index) => [id, videoOf(id, index, namespace)]))
  const threads: Catalogue['threads'] = new Map()
  videoIds.forEach((id, index) => {
    const count = index === 0 ? 120 : index === 1 || index === 2 ? 0 : at(counts, index)
    const items = Array.from({ length: count }, (_, i) => threadOf(id, i, id, at(channelIds, index)))
    // One comment on the first video waits for its owner.
    if (index === 0)
      items.push({ ...threadOf(id, count, id, at(channelIds, index)), moderation: 'heldForReview' })
    threads.set(id, { paging: 'even', items })
  })
  const { busy, gappy, own } = sampleChannels
  const threadsOf = (channel: string, count: number, videoOfThread: (index: number) => string | undefined) =>
    Array.from({ length: count }, (_, i) => threadOf(channel, i, videoOfThread(i), channel))
  threads.set(busy, { paging: 'even', items: threadsOf(busy, 120, (i) => at(videoIds.slice(10, 70), i)) })
  threads.set(gappy, { paging: 'gappy', items: threadsOf(gappy, 23, () => undefined) })
  threads.set(own, { paging: 'even', items: threadsOf(own, 4, () => undefined) })
  const byViews = [...videoIds].sort((a, b) => {
    const views = (id: string): bigint => BigInt(String(videos.get(id)?.parts.statistics?.viewCount ?? 0))
    return views(a) > views(b) ? -1 : 1
  })
  return {
    videos,
    threads,
    commentsDisabled: new Set([sampleVideos.commentsDisabled]),
    chart: byViews.slice(0, 120),
    liked: videoIds.filter((_, i) => i % 3 === 1),
    disliked: videoIds.filter((_, i) => i % 20 === 9),
  }
}
