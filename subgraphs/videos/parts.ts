/**
 * The parts of a video resource as a set in one number: which of them a selection needs, and how they are
 * requested. Owner-only parts are requested in calls of their own, because the service refuses a whole call for one
 * of them.
 */

import { memoByObject } from '../../shared/runtime/memo.ts'
import type { Selection } from '../kit/selection.ts'

/** In the order of the request. The field of the same name reads each. */
const publicParts = [
  'snippet',
  'contentDetails',
  'status',
  'statistics',
  'player',
  'topicDetails',
  'recordingDetails',
  'liveStreamingDetails',
  'localizations',
  'paidProductPlacementDetails',
] as const
const ownerParts = ['fileDetails', 'processingDetails', 'suggestions'] as const
const allParts = [...publicParts, ...ownerParts] as const

export const writableParts = [
  'snippet',
  'status',
  'recordingDetails',
  'localizations',
  'paidProductPlacementDetails',
] as const
export type WritablePart = (typeof writableParts)[number]

export type PartName = (typeof allParts)[number]
export type OwnerPart = (typeof ownerParts)[number]

/** A set of parts, with one bit for each name in order. 0 requests only the id. */
export type Parts = number

const bitOf = new Map<string, Parts>(allParts.map((name, index) => [name, 1 << index]))
/** Fields that read another part than that of their own name. */
const readBy: Readonly<Record<string, PartName>> = { channel: 'snippet' }
/** Fields that need only the id. */
export const freeFields: ReadonlySet<string> = new Set([
  'id',
  'videoId',
  'commentThreads',
  'moderatedCommentThreads',
  '__typename',
  ...ownerParts,
])

export function partsOf(...names: readonly PartName[]): Parts {
  return names.reduce((parts, name) => parts | (bitOf.get(name) ?? 0), 0)
}

export const ownerOnly: Parts = partsOf(...ownerParts)

export interface Needed {
  /** The public parts that the selection reads. */
  readonly parts: Parts
  /** Whether the id alone is enough, without knowing that the video exists. */
  readonly idOnly: boolean
  /** The owner-only parts that the selection reads. */
  readonly ownerParts: Parts
}

/** The public parts that fields of these names read. */
export function neededNames(names: Iterable<string>): Parts {
  let parts: Parts = 0
  for (const name of names) if (!freeFields.has(name)) parts |= bitOf.get(readBy[name] ?? name) ?? 0
  return parts & ~ownerOnly
}

/** The owner-only parts that fields of these names read. */
export function ownerPartsOf(names: ReadonlySet<string>): Parts {
  return partsOf(...ownerParts.filter((part) => names.has(part)))
}

export const neededBy = memoByObject((selection: Selection): Needed => {
  return {
    parts: neededNames(selection.names),
    idOnly: !selection.hasBeside(freeFields),
    ownerParts: ownerPartsOf(selection.names),
  }
})

/** The names of the parts, in the order of the request. */
export function partNames(parts: Parts): readonly PartName[] {
  return allParts.filter((name) => (parts & (bitOf.get(name) ?? 0)) !== 0)
}

const parameters = new Map<Parts, string>()

/** The `part` parameter. The id is always part of the response, and the only value if nothing else is selected. */
export function partParameter(parts: Parts): string {
  let text = parameters.get(parts)
  if (text === undefined) {
    text = partNames(parts).join(',') || 'id'
    parameters.set(parts, text)
  }
  return text
}
