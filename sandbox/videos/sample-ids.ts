/** The ids of the sample videos and channels. */
import { hash } from 'node:crypto'

/** A token of this length that is computed from the text alone. */
export function token(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length)
}

/** The item at an index, which may exceed the length of the list. */
export function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

export const channelNames = [
  'Harbour Kitchen',
  'Night Trains',
  'The Patient Gardener',
  'Bridge and Beam',
  'Small Orchestra',
  'Tide Tables',
  'Clockmakers',
  'Letters from the Hill',
] as const
export const channelIds = channelNames.map((name) => `UC${token(`channel ${name}`, 22)}`)
export const videoCount = 140
export const videoIds = Array.from({ length: videoCount }, (_, i) => token(`video ${i}`, 11))

/** Ids for tests and for trying the sandbox, by what is special about them. */
export const sampleChannels = {
  /** It belongs to the demo user. */
  own: at(channelIds, 0),
  /** It has 120 threads on 60 videos. */
  busy: at(channelIds, 1),
  /** Its threads come in short pages, some of them empty. */
  gappy: at(channelIds, 2),
  /** It has no threads. */
  silent: at(channelIds, 3),
  all: channelIds,
} as const

export const sampleVideos = {
  /** It has 120 threads, and belongs to the demo user. */
  discussed: at(videoIds, 0),
  commentsDisabled: at(videoIds, 1),
  withoutComments: at(videoIds, 2),
  /** They belong to the demo user. */
  own: videoIds.filter((_, i) => i % channelIds.length === 0),
  live: at(videoIds, 5),
  /** It has counters beyond 2^53. */
  huge: at(videoIds, 6),
  all: videoIds,
} as const
