/** The sample videos. Every part is filled in some of them. */
import { hash } from 'node:crypto'
import type { Json, Video } from './model.ts'
import { availabilityOf } from './resources.ts'
import { at, channelIds, channelNames, token, videoCount } from './sample-ids.ts'

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
/** By the last digit of the index. */
const regionRestrictions: Readonly<Record<number, Json>> = {
  3: { blocked: ['AQ'] },
  4: { allowed: ['DE', 'FR'] },
}

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

type SampleVideo = ReturnType<typeof sampleOf>

function sampleOf(id: string, index: number) {
  const channel = index % channelIds.length
  const title = `${at(forms, Math.floor(index / channelIds.length))} ${at(subjects, index)}`
  const description = `${title}. Filmed by ${at(channelNames, index)} on an ordinary day, with "quotes", ünïcode — and patience. Part ${index + 1}.`
  return {
    id,
    index,
    channel,
    owned: channel === 0,
    words: { title, description },
    language: at(languages, index),
    seconds: 61 + ((index * 37) % 3400),
    day: String((index % 28) + 1).padStart(2, '0'),
  }
}

function shownParts({ id, index, owned, words, language, seconds, day }: SampleVideo): Record<string, Json> {
  return {
    snippet: {
      publishedAt:
        index % 2 === 0
          ? `2025-0${(index % 9) + 1}-${day}T08:00:00Z`
          : `2019-0${(index % 9) + 1}-${day}T08:00:00.000Z`,
      channelId: at(channelIds, index),
      ...words,
      thumbnails: thumbnailsOf(id, index),
      channelTitle: at(channelNames, index),
      tags: index % 4 === 3 ? undefined : [at(subjects, index), 'slow', `part ${index + 1}`],
      categoryId: String(20 + (index % 6)),
      liveBroadcastContent: index === 5 ? 'live' : 'none',
      defaultLanguage: index % 5 === 4 ? undefined : language,
      localized: words,
      defaultAudioLanguage: index % 2 === 0 ? language : undefined,
    },
    contentDetails: {
      duration: index === 5 ? 'P0D' : `PT${Math.floor(seconds / 60)}M${seconds % 60}S`,
      dimension: index % 20 === 7 ? '3d' : '2d',
      definition: index % 3 === 2 ? 'sd' : 'hd',
      caption: index % 2 === 0 ? 'true' : 'false',
      licensedContent: index % 4 === 0,
      regionRestriction: regionRestrictions[index % 10],
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
      hasCustomThumbnail: owned ? index % 16 === 0 : undefined,
    },
  }
}

function toldParts(
  { id, index, channel, owned, words, language, day }: SampleVideo,
  namespace: string,
): Record<string, Json> {
  const views =
    index === 6 ? '18446744073709551615' : String(1_000_003 * (videoCount - (index % videoCount)) + index)
  return {
    status: {
      uploadStatus: 'processed',
      privacyStatus: owned && index % 24 === 8 ? 'unlisted' : 'public',
      license: index % 7 === 0 ? 'creativeCommon' : namespace,
      embeddable: index % 9 !== 5,
      publicStatsViewable: true,
      madeForKids: index % 11 === 0,
      selfDeclaredMadeForKids: owned ? index % 11 === 0 : undefined,
      containsSyntheticMedia: owned ? index % 16 === 0 : undefined,
    },
    statistics: {
      viewCount: views,
      likeCount: index % 13 === 4 ? undefined : String(Math.floor(Number(views) / 40)),
      dislikeCount: owned ? String(index) : undefined,
      favoriteCount: '0',
      commentCount: index === 1 ? undefined : String((index * 7) % 130),
    },
    player: { embedHtml: `<iframe src="https://player.example/${id}" allowfullscreen></iframe>` },
    topicDetails: {
      topicIds: [`/m/${token(`topic ${channel}`, 6).toLowerCase()}`],
      relevantTopicIds: [`/m/${token(`relevant ${channel}`, 6).toLowerCase()}`],
      topicCategories: [`https://encyclopedia.example/wiki/${at(subjects, index).replaceAll(' ', '_')}`],
    },
    recordingDetails:
      index % 3 === 0
        ? {
            recordingDate: `2024-1${index % 3}-${day}T00:00:00Z`,
            location: { latitude: 48.137 + index / 1000, longitude: 11.575, altitude: 519 },
            locationDescription: 'A street near the river',
          }
        : {},
    paidProductPlacementDetails: { hasPaidProductPlacement: index % 5 === 2 },
    localizations: {
      [language]: words,
      it: index % 2 === 0 ? { ...words, title: `${words.title} (it)` } : undefined,
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
}

function ownerParts({ index, seconds }: SampleVideo): Record<string, Json> {
  return {
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
    processingDetails: { processingStatus: 'succeeded', ...availabilityOf('available') },
    suggestions: {
      processingErrors: [],
      processingWarnings: ['hasEditlist'],
      processingHints: ['sendBestQualityVideo'],
      tagSuggestions: [{ tag: 'craft', categoryRestricts: ['26'] }],
      editorSuggestions: ['videoStabilize'],
    },
  }
}

export function videoOf(id: string, index: number, namespace: string): Video {
  const sample = sampleOf(id, index)
  const parts = { ...shownParts(sample), ...toldParts(sample, namespace), ...ownerParts(sample) }
  return { id, owned: sample.owned, parts }
}

export function isSyntheticVideo(id: string): boolean {
  return id.startsWith('syn')
}

/** A video for benchmarks, which is computed from its id. */
export function syntheticVideo(id: string, namespace: string): Video {
  const index = Number.parseInt(hash('sha256', id, 'hex').slice(0, 6), 16)
  return { ...videoOf(id, index * 3 + 1, namespace), owned: true }
}
