/** What the fields of the videos subgraph cost in calls. */
import { distinct, type LookupCalls, type ServiceCalls } from '../lib/calls.ts'
import { maxIds, prices, threadPages, videoPages } from './client.ts'
import { neededNames, partParameter } from './parts.ts'

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
      calls: (_, selected) => ['videos.upload', ...(selected.has('video') ? ['videos.list'] : [])],
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
      calls({ input }) {
        const { replace } = (input ?? {}) as { replace?: unknown }
        return replace === true ? ['videos.update'] : ['videos.list', 'videos.update']
      },
    },
    // Parts of the payload that were not written are read.
    'UpdateVideoPayload.video': reached,
  },
  entities: { Video: reached },
  apart: {
    'Video.fileDetails': lookup,
    'Video.processingDetails': lookup,
    'Video.suggestions': lookup,
  },
  asksFor: (type, selected) => (type === 'Video' ? `part=${partParameter(neededNames(selected))}` : ''),
}
