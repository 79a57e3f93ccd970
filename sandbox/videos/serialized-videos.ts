/**
 * Serialized videos for benchmarks, which never change. Each video is kept separately, so that a call costs the same
 * whichever ids it combines. If whole responses were kept, a candidate that asks for one video per call would find
 * all of them, and one that joins the lookups of many requests would find none.
 */
import { SerializedJson, serialize } from '../serialized-json.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { Json } from './model.ts'
import { etagOf, resourceAnswer } from './resources.ts'

interface SerializedResource {
  readonly etag: string
  readonly json: SerializedJson
}

const mostKept = 20_000

export class SerializedVideos {
  readonly #namespace: string
  readonly #videos = new Map<string, Map<string, SerializedResource>>()
  /** Lists of one video, by their queries, whose parameters need not be read again. */
  readonly #alone = new Map<string, SerializedResource>()
  #count = 0

  constructor(namespace: string) {
    this.#namespace = namespace
  }

  /** The previous response to the same call, if that was about one video. */
  again(request: StandInRequest): StandInAnswer | undefined {
    const list = this.#alone.get(request.query.toString())
    return list === undefined ? undefined : resourceAnswer(request, list.etag, list.json)
  }

  /**
   * The list of these videos. A video's text depends only on its id and on `asked`. `resource` is called for those
   * that are not kept yet.
   */
  answer(
    request: StandInRequest,
    ids: readonly string[],
    asked: string,
    resource: (id: string) => Json,
  ): StandInAnswer {
    if (this.#count > mostKept) {
      this.#videos.clear()
      this.#alone.clear()
      this.#count = 0
    }
    const known = this.#videos.get(asked) ?? new Map<string, SerializedResource>()
    this.#videos.set(asked, known)
    const items = ids.map((id) => {
      let video = known.get(id)
      if (video === undefined) {
        const json = resource(id)
        video = { etag: String(json.etag), json: serialize(json) }
        known.set(id, video)
        this.#count += 1
      }
      return video
    })
    const list = this.#listOf(items)
    if (items.length === 1) {
      this.#alone.set(request.query.toString(), list)
      this.#count += 1
    }
    return resourceAnswer(request, list.etag, list.json)
  }

  #listOf(items: readonly SerializedResource[]): SerializedResource {
    const etag = etagOf([items.map((item) => item.etag), undefined])
    const pageInfo = { totalResults: items.length, resultsPerPage: items.length }
    const { text } = serialize({ kind: `${this.#namespace}#videoListResponse`, etag, pageInfo })
    const itemTexts = items.map(({ json }) => json.text).join(',')
    return { etag, json: new SerializedJson(`${text.slice(0, -1)},"items":[${itemTexts}]}`) }
  }
}
