/** Videos, comment threads and their lists, as the stand-in stores them. */
import type { Access } from './access.ts'

export type Json = Record<string, unknown>

export interface Video {
  readonly id: string
  readonly owned: boolean
  readonly parts: Record<string, Json>
  /** When its bytes arrived, in milliseconds. Its processing begins then. */
  readonly uploadedAt?: number
}

export interface Thread {
  /** Published by default. */
  readonly moderation?: 'heldForReview' | 'likelySpam'
  readonly id: string
  readonly videoId: string | undefined
  readonly channelId: string
  readonly text: string
  readonly author: { readonly name: string; readonly channelId: string | undefined }
  readonly likes: number
  readonly publishedAt: string
  readonly replies: readonly { readonly id: string; readonly text: string; readonly author: string }[]
}

/** How a list of threads is paged: `gappy` lists have short pages, some of which are empty. */
export type Paging = 'even' | 'gappy'

export interface ThreadList {
  readonly paging: Paging
  readonly items: Thread[]
}

export interface Catalogue {
  readonly videos: Map<string, Video>
  /** By the id of a video or of a channel. */
  readonly threads: Map<string, ThreadList>
  readonly commentsDisabled: Set<string>
  readonly chart: readonly string[]
  readonly liked: readonly string[]
  readonly disliked: readonly string[]
}

/** What the operations of the stand-in share. */
export interface Service {
  /** The first path segment, which is also the name in kinds and error domains. */
  readonly namespace: string
  /** For benchmarks: every id that begins with `syn` exists. */
  readonly synthetic: boolean
  readonly now: () => number
  readonly access: Access
  catalogue(): Catalogue
  findVideo(id: string): Video | undefined
}
