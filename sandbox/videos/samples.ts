/** The sample catalogue: videos on the channels of an imaginary town, their threads, and lists of them. */
import type { Catalogue } from './model.ts'
import { at, channelIds, sampleChannels, sampleVideos, videoIds } from './sample-ids.ts'
import { threadOf } from './sample-threads.ts'
import { videoOf } from './sample-videos.ts'

/** How many threads the videos have, in turn. */
const counts = [3, 0, 5, 8, 2, 1, 6]

/** By namespace. Making one takes longer than most requests. */
const made = new Map<string, Catalogue>()

/**
 * Each call returns its own catalogue. The videos and threads in it are shared, because nothing changes them in
 * place.
 */
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
