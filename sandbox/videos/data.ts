/**
 * The sample catalogue of the video service: the same at every start. Eight channels of an imaginary town,
 * with every part of a video filled somewhere, and threads that show what threads can be like.
 */
import { hash } from 'node:crypto'

export type Json = Record<string, unknown>

export interface Video {
  readonly id: string
  readonly owned: boolean
  /** Parts by name. */
  readonly parts: Record<string, Json>
  /** When its bytes arrived; its processing goes on from there. */
  readonly uploadedAt?: number
}

export interface Thread {
  readonly id: string
  readonly videoId: string | undefined
  readonly channelId: string
  readonly text: string
  readonly author: { readonly name: string; readonly channelId: string | undefined }
  readonly likes: number
  readonly publishedAt: string
  readonly replies: readonly { readonly id: string; readonly text: string; readonly author: string }[]
}

/** A list of threads that comes in short pages, some of them empty. */
export type Paging = 'even' | 'gappy'

export interface Catalogue {
  readonly videos: Map<string, Video>
  /** By the id of a video or of a channel. */
  readonly threads: Map<string, { readonly paging: Paging; readonly items: Thread[] }>
  readonly commentsDisabled: Set<string>
  readonly chart: readonly string[]
  readonly liked: readonly string[]
  readonly disliked: readonly string[]
}

function token(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length)
}

const channelNames = [
  'Harbour Kitchen',
  'Night Trains',
  'The Patient Gardener',
  'Bridge and Beam',
  'Small Orchestra',
  'Tide Tables',
  'Clockmakers',
  'Letters from the Hill',
] as const
const subjects = [
  'soup',
  'signal box',
  'moss',
  'arch',
  'second violin',
  'spring tide',
  'escapement',
  'postbox',
] as const
const forms = [
  'The first',
  'One hour with the',
  'The last',
  'What nobody tells you about the',
  'Repairing the',
] as const
const languages = ['en', 'de', 'fr', 'es'] as const
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

const channelIds = channelNames.map((name) => `UC${token(`channel ${name}`, 22)}`)
const videoCount = 140
const videoIds = Array.from({ length: videoCount }, (_, i) => token(`video ${i}`, 11))

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

/** Ids of the catalogue by what they are good for. */
export const sampleChannels = {
  /** The demo user's own. */
  own: at(channelIds, 0),
  /** 120 threads that stand on 60 distinct videos. */
  busy: at(channelIds, 1),
  /** Threads in short pages, some of them empty. */
  gappy: at(channelIds, 2),
  /** No threads. */
  silent: at(channelIds, 3),
  all: channelIds,
} as const

export const sampleVideos = {
  /** Has 120 threads; the demo user's own. */
  discussed: at(videoIds, 0),
  commentsDisabled: at(videoIds, 1),
  withoutComments: at(videoIds, 2),
  /** The demo user's own. */
  own: videoIds.filter((_, i) => i % channelIds.length === 0),
  live: at(videoIds, 5),
  /** Counters beyond 2^53. */
  huge: at(videoIds, 6),
  all: videoIds,
} as const

function thumbnailsOf(id: string, index: number): Json {
  const sizes: readonly [string, number, number][] = [
    ['default', 120, 90],
    ['medium', 320, 180],
    ['high', 480, 360],
    ...(index % 3 === 0 ? ([['maxres', 1280, 720]] satisfies [string, number, number][]) : []),
  ]
  return Object.fromEntries(
    sizes.map(([name, width, height]) => [
      name,
      { url: `https://pictures.example/${id}/${name}.jpg`, width, height },
    ]),
  )
}

export function videoOf(id: string, index: number, namespace: string): Video {
  const channel = index % channelIds.length
  const owned = channel === 0
  const title = `${at(forms, Math.floor(index / channelIds.length))} ${at(subjects, index)}`
  const description = `${title}. Filmed by ${at(channelNames, index)} on an ordinary day, with "quotes", ünïcode — and patience. Part ${index + 1}.`
  const language = at(languages, index)
  const seconds = 61 + ((index * 37) % 3400)
  const day = String((index % 28) + 1).padStart(2, '0')
  const views =
    index === 6 ? '18446744073709551615' : String(1_000_003 * (videoCount - (index % videoCount)) + index)
  const parts: Record<string, Json> = {
    snippet: {
      publishedAt:
        index % 2 === 0
          ? `2025-0${(index % 9) + 1}-${day}T08:00:00Z`
          : `2019-0${(index % 9) + 1}-${day}T08:00:00.000Z`,
      channelId: at(channelIds, index),
      title,
      description,
      thumbnails: thumbnailsOf(id, index),
      channelTitle: at(channelNames, index),
      ...(index % 4 === 3 ? {} : { tags: [at(subjects, index), 'slow', `part ${index + 1}`] }),
      categoryId: String(20 + (index % 6)),
      liveBroadcastContent: index === 5 ? 'live' : 'none',
      ...(index % 5 === 4 ? {} : { defaultLanguage: language }),
      localized: { title, description },
      ...(index % 2 === 0 ? { defaultAudioLanguage: language } : {}),
    },
    contentDetails: {
      duration: index === 5 ? 'P0D' : `PT${Math.floor(seconds / 60)}M${seconds % 60}S`,
      dimension: index % 20 === 7 ? '3d' : '2d',
      definition: index % 3 === 2 ? 'sd' : 'hd',
      caption: index % 2 === 0 ? 'true' : 'false',
      licensedContent: index % 4 === 0,
      ...(index % 10 === 3 ? { regionRestriction: { blocked: ['AQ'] } } : {}),
      ...(index % 10 === 4 ? { regionRestriction: { allowed: ['DE', 'FR'] } } : {}),
      contentRating:
        index % 6 === 1
          ? {
              fskRating: 'fsk6',
              mpaaRating: 'mpaaPg',
              djctqRating: 'djctq10',
              djctqRatingReasons: ['djctqFear'],
            }
          : {},
      projection: index % 25 === 8 ? '360' : 'rectangular',
      ...(owned ? { hasCustomThumbnail: index % 16 === 0 } : {}),
    },
    status: {
      uploadStatus: 'processed',
      privacyStatus: owned && index % 24 === 8 ? 'unlisted' : 'public',
      license: index % 7 === 0 ? 'creativeCommon' : namespace,
      embeddable: index % 9 !== 5,
      publicStatsViewable: true,
      madeForKids: index % 11 === 0,
      ...(owned ? { selfDeclaredMadeForKids: index % 11 === 0 } : {}),
    },
    statistics: {
      viewCount: views,
      ...(index % 13 === 4 ? {} : { likeCount: String(Math.floor(Number(views) / 40)) }),
      ...(owned ? { dislikeCount: String(index) } : {}),
      favoriteCount: '0',
      ...(index === 1 ? {} : { commentCount: String((index * 7) % 130) }),
    },
    player: { embedHtml: `<iframe src="https://player.example/${id}" allowfullscreen></iframe>` },
    topicDetails: {
      topicIds: [`/m/${token(`topic ${channel}`, 6).toLowerCase()}`],
      relevantTopicIds: [`/m/${token(`relevant ${channel}`, 6).toLowerCase()}`],
      topicCategories: [`https://encyclopedia.example/wiki/${at(subjects, index).replaceAll(' ', '_')}`],
    },
    recordingDetails: index % 3 === 0 ? { recordingDate: `2024-1${index % 3}-${day}T00:00:00Z` } : {},
    localizations: {
      [language]: { title, description },
      ...(index % 2 === 0 ? { it: { title: `${title} (it)`, description } } : {}),
    },
    fileDetails: {
      fileName: `part-${index + 1}.mov`,
      fileSize: index === 0 ? '9007199254740993' : String(50_000_000 + index),
      fileType: 'video',
      container: 'mov',
      videoStreams: [
        {
          widthPixels: 1920,
          heightPixels: 1080,
          frameRateFps: 29.97,
          aspectRatio: 1.7777777777777777,
          codec: 'h264',
          bitrateBps: '8000000',
          rotation: 'none',
          vendor: 'appl',
        },
      ],
      audioStreams: [{ channelCount: 2, codec: 'aac', bitrateBps: '192000', vendor: 'appl' }],
      durationMs: String(seconds * 1000),
      bitrateBps: '8192000',
      creationTime: index % 2 === 0 ? '2024-10-01' : '2024-10-01T09:30:00',
    },
    processingDetails: {
      processingStatus: 'succeeded',
      fileDetailsAvailability: 'available',
      processingIssuesAvailability: 'available',
      tagSuggestionsAvailability: 'available',
      editorSuggestionsAvailability: 'available',
      thumbnailsAvailability: 'available',
    },
    suggestions: {
      processingErrors: [],
      processingWarnings: ['hasEditlist'],
      processingHints: ['sendBestQualityVideo'],
      tagSuggestions: [{ tag: 'craft', categoryRestricts: ['26'] }],
      editorSuggestions: ['videoStabilize'],
    },
    ...(index === 5
      ? {
          liveStreamingDetails: {
            actualStartTime: '2026-11-20T06:00:00Z',
            scheduledStartTime: '2026-11-20T06:00:00Z',
            concurrentViewers: '4711',
            activeLiveChatId: token('chat', 20),
          },
        }
      : {}),
  }
  return { id, owned, parts }
}

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

const counts = [3, 0, 5, 8, 2, 1, 6]

export function createCatalogue(namespace: string): Catalogue {
  const videos = new Map(videoIds.map((id, index) => [id, videoOf(id, index, namespace)]))
  const threads: Catalogue['threads'] = new Map()
  videoIds.forEach((id, index) => {
    const count = index === 0 ? 120 : index === 1 || index === 2 ? 0 : at(counts, index)
    const items = Array.from({ length: count }, (_, i) => threadOf(id, i, id, at(channelIds, index)))
    threads.set(id, { paging: 'even', items })
  })
  const { busy, gappy, own } = sampleChannels
  threads.set(busy, {
    paging: 'even',
    items: Array.from({ length: 120 }, (_, i) => threadOf(busy, i, at(videoIds.slice(10, 70), i), busy)),
  })
  threads.set(gappy, {
    paging: 'gappy',
    items: Array.from({ length: 23 }, (_, i) => threadOf(gappy, i, undefined, gappy)),
  })
  threads.set(own, {
    paging: 'even',
    items: Array.from({ length: 4 }, (_, i) => threadOf(own, i, undefined, own)),
  })
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

/** A video that exists because somebody asks for it: for benchmarks. */
export function syntheticVideo(id: string, namespace: string): Video {
  const index = Number.parseInt(hash('sha256', id, 'hex').slice(0, 6), 16)
  return { ...videoOf(id, index * 3 + 1, namespace), owned: true }
}

export function syntheticThreads(id: string): Thread[] {
  return Array.from({ length: 20 }, (_, i) => threadOf(id, i, id, at(channelIds, i)))
}
