/**
 * Printed videos for benchmarks, which never change. Each is kept by itself, so that a call costs the service the same
 * whichever ids it names together: were whole answers kept, candidates that ask for one video a call would find all of
 * theirs, and one that puts the look-ups of many requests together none, as its ids seldom come together again.
 */
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { Json } from './model.ts'
import { etagOf, resourceAnswer } from './resources.ts'

interface Printed {
  readonly etag: string
  readonly bytes: Buffer
}

export interface PrintedVideos {
  /** The answer to the same call before, if that was about one video. */
  again(request: StandInRequest): StandInAnswer | undefined
  /**
   * The list of these videos. `asked` is all that a video's text depends on but its id; `resource` is called for those
   * that are not kept yet.
   */
  answer(
    request: StandInRequest,
    ids: readonly string[],
    asked: string,
    resource: (id: string) => Json,
  ): StandInAnswer
  clear(): void
}

const mostKept = 20_000
const comma = Buffer.from(',')

export function createPrintedVideos(namespace: string): PrintedVideos {
  const videos = new Map<string, Map<string, Printed>>()
  /** Lists of one, by their queries: their parameters need not be read again. */
  const alone = new Map<string, Printed>()
  let count = 0

  function clear(): void {
    videos.clear()
    alone.clear()
    count = 0
  }

  function listOf(items: readonly Printed[]): Printed {
    const etag = etagOf([items.map((item) => item.etag), undefined])
    const head = JSON.stringify({ kind: `${namespace}#videoListResponse`, etag }).slice(0, -1)
    const pageInfo = JSON.stringify({ totalResults: items.length, resultsPerPage: items.length })
    const parts: Uint8Array[] = [Buffer.from(`${head},"items":[`)]
    for (const [index, { bytes }] of items.entries()) {
      if (index > 0) parts.push(comma)
      parts.push(bytes)
    }
    parts.push(Buffer.from(`],"pageInfo":${pageInfo}}`))
    return { etag, bytes: Buffer.concat(parts) }
  }

  function videosFor(asked: string): Map<string, Printed> {
    let known = videos.get(asked)
    if (known === undefined) {
      known = new Map()
      videos.set(asked, known)
    }
    return known
  }

  return {
    clear,
    again(request) {
      const list = alone.get(request.query.toString())
      return list === undefined ? undefined : resourceAnswer(request, list.etag, list.bytes)
    },
    answer(request, ids, asked, resource) {
      if (count > mostKept) clear()
      const known = videosFor(asked)
      const items = ids.map((id) => {
        let video = known.get(id)
        if (video === undefined) {
          const json = resource(id)
          video = { etag: String(json.etag), bytes: Buffer.from(JSON.stringify(json)) }
          known.set(id, video)
          count += 1
        }
        return video
      })
      const list = listOf(items)
      if (items.length === 1) {
        alone.set(request.query.toString(), list)
        count += 1
      }
      return resourceAnswer(request, list.etag, list.bytes)
    },
  }
}
