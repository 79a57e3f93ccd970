/** What the fields of the videos subgraph cost in calls. */
import { distinct, type LookupCalls, type ServiceCalls } from '../lib/calls.ts'
import { maxIds, prices, threadPages, videoPages } from './client.ts'
import { neededNames, partParameter, partsOf } from './parts.ts'
import { writableParts } from './update.ts'

const ids: ReadonlySet<string> = new Set([
  'id',
  'videoId',
  'commentThreads',
  '__typename',
  'fileDetails',
  'processingDetails',
  'suggestions',
])
const lookup: LookupCalls = { kind: 'lookup', operation: 'videos.list', batch: maxIds }
const reached: LookupCalls = { ...lookup, free: ids }
const list = { kind: 'list', operation: 'videos.list', ...videoPages } as const
const threads = { kind: 'list', operation: 'commentThreads.list', ...threadPages } as const

export const videosCalls: ServiceCalls = {
  service: 'videos',
  prices,
  fields: {
    'Query.video': lookup,
    'Query.videos': { ...lookup, keys: ({ videoIds }) => distinct(videoIds) },
    'Query.chartVideos': list,
    'Query.ratedVideos': list,
    'Query.videoUpload': {
      kind: 'plain',
      calls: (_, below) => ['videos.upload', ...(below().has('video') ? ['videos.list'] : [])],
    },
    'Video.commentThreads': threads,
    'Channel.commentThreads': threads,
    'CommentThread.video': reached,
    'Comment.video': reached,
    'Mutation.insertVideo': { kind: 'plain', calls: () => ['videos.insert'] },
    'Mutation.deleteVideo': { kind: 'plain', calls: () => ['videos.delete'] },
    'Mutation.insertCommentThread': { kind: 'plain', calls: () => ['commentThreads.insert'] },
    'Mutation.updateVideo': {
      kind: 'plain',
      calls({ input }, below) {
        const named = (input ?? {}) as Readonly<Record<string, unknown>>
        const missing = neededNames(below('video')) & ~partsOf(...writableParts.filter((part) => named[part]))
        return [
          ...(named.replace === true ? [] : ['videos.list']),
          'videos.update',
          ...(missing === 0 ? [] : ['videos.list']),
        ]
      },
    },
  },
  entities: { Video: reached },
  apart: {
    'Video.fileDetails': lookup,
    'Video.processingDetails': lookup,
    'Video.suggestions': lookup,
  },
  asksFor: (type, selected) => (type === 'Video' ? `part=${partParameter(neededNames(selected))}` : ''),
}
