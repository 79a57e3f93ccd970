/** The parts of a video. */

export const partNames = [
  'id',
  'snippet',
  'contentDetails',
  'status',
  'statistics',
  'player',
  'topicDetails',
  'recordingDetails',
  'fileDetails',
  'processingDetails',
  'suggestions',
  'liveStreamingDetails',
  'localizations',
  'paidProductPlacementDetails',
] as const

/** The parts that only the owner of a video may read. */
export const ownerParts: ReadonlySet<string> = new Set(['fileDetails', 'processingDetails', 'suggestions'])
