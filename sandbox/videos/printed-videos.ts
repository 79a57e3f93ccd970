/**
 * Printed videos for benchmarks, which never change. Each video is kept separately, so that a call costs the same
 * whichever ids it combines. If whole responses were kept, a candidate that asks for one video per call would find
 * all of them, and one that joins the look-ups of many requests would find none.
 */
import { Printed, print } from '../printed.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { Json } from './model.ts'
import { etagOf, resourceAnswer } from './resources.ts'

interface PrintedResource {
  readonly etag: string
  readonly json: Printed
}

export interface PrintedVideos {
  /** The previous response to the same call, if that was about one video. */
  again(request: StandInRequest): StandInAnswer | undefined
  /**
   * The list of these videos. A video's text depends only on its id and on `asked`. `resource` is called for those
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

export function createPrintedVideos(namespace: string): PrintedVideos {
  const videos = new Map<string, Map<string, PrintedResource>>()
  /** Lists of one video, by their queries, whose parameters need not be read again. */
  const alone = new Map<string, PrintedResource>()
  let count = 0

  function clear(): void {
    videos.clear()
    alone.clear()
    count = 0
  }

  function videosFor(asked: string): Map<string, PrintedResource> {
    let known = videos.get(asked)
    if (known === undefined) {
      known = new Map()
      videos.set(asked, known)
    }
    return known
  }

  function listOf(items: readonly PrintedResource[]): PrintedResource {
    const etag = etagOf([items.map((item) => item.etag), undefined])
    const pageInfo = { totalResults: items.length, resultsPerPage: items.length }
    const { text } = print({ kind: `${namespace}#videoListResponse`, etag, pageInfo })
    const itemTexts = items.map(({ json }) => json.text).join(',')
    return { etag, json: new Printed(`${text.slice(0, -1)},"items":[${itemTexts}]}`) }
  }

  return {
    clear,
    again(request) {
      const list = alone.get(request.query.toString())
      return list === undefined ? undefined : resourceAnswer(request, list.etag, list.json)
    },
    answer(request, ids, asked, resource) {
      if (count > mostKept) clear()
      const known = videosFor(asked)
      const items = ids.map((id) => {
        let video = known.get(id)
        if (video === undefined) {
          const json = resource(id)
          video = { etag: String(json.etag), json: print(json) }
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
      return resourceAnswer(request, list.etag, list.json)
    },
  }
}
