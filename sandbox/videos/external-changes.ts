/** Changes to videos and comments that no call makes: other people watch, comment and delete. */
import type { Catalogue, Json } from './model.ts'
import { sampleChannels } from './sample-ids.ts'
import { newThread } from './threads.ts'

/**
 * `{ videoId, statistics }` sets members of the statistics, `{ videoId, snippet }` those of the snippet, `{
 * videoId, comment }` adds a comment thread at the head of the list, `{ videoId, deleteThread }` removes one, and
 * `{ deleteVideo }` a video.
 */
export function changeCatalogue(catalogue: Catalogue, change: Readonly<Json>, now: number): void {
  const { videoId, statistics, snippet, comment, deleteThread, deleteVideo } = change
  if (typeof deleteVideo === 'string') {
    if (!catalogue.videos.delete(deleteVideo)) throw new Error('there is no such video')
    return
  }
  const id = String(videoId)
  const video = catalogue.videos.get(id)
  if (video === undefined) throw new Error('there is no such video')
  for (const [name, values] of Object.entries({ statistics, snippet })) {
    if (values === undefined) continue
    const part = { ...video.parts[name], ...(values as Json) }
    catalogue.videos.set(id, { ...video, parts: { ...video.parts, [name]: part } })
    return
  }
  const list = catalogue.threads.get(id) ?? { paging: 'even' as const, items: [] }
  if (typeof comment === 'string') {
    const author = { name: 'Somebody', channelId: undefined }
    const about = { videoId: id, channelId: sampleChannels.own, text: comment, author }
    list.items.unshift(newThread(about, now))
    catalogue.threads.set(id, list)
    return
  }
  const at = list.items.findIndex((thread) => thread.id === deleteThread)
  if (at < 0) throw new Error('expected statistics, snippet, comment, deleteThread or deleteVideo')
  list.items.splice(at, 1)
}
