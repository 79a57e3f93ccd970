/**
 * The operations of the video service, and which of them each field needs. The client sends them, connections and
 * lookups keep their bounds, and the gateway estimates operations from them.
 */
import {
  type Ask,
  type SelectedNames,
  type ServiceCalls,
  type ServiceOperation,
  unitsBucket,
} from '../../shared/service-calls.ts'
import { hasBeside, listCalls, lookupCalls, plainCalls } from '../kit/calls.ts'
import { freeFields, neededNames, ownerPartsOf, partNames, partsOf, writableParts } from './parts.ts'

const videos = { path: '/{namespace}/v3/videos' } as const
const threads = { path: '/{namespace}/v3/commentThreads' } as const

/** All operations but uploads take from this bucket. */
const units = { bucket: unitsBucket } as const
/** The service counts uploads separately. */
const uploads = { bucket: 'videos.uploads' } as const

export const operations = {
  list: {
    ...videos,
    ...units,
    name: 'videos.list',
    method: 'GET',
    safe: true,
    cacheable: true,
    units: 1,
    maxIds: 50,
    pages: { maxPageSize: 50, defaultPageSize: 5 },
  },
  insert: {
    ...uploads,
    name: 'videos.insert',
    method: 'POST',
    path: '/upload/{namespace}/v3/videos',
    safe: false,
    units: 1600,
  },
  update: { ...videos, ...units, name: 'videos.update', method: 'PUT', safe: false, units: 50 },
  delete: { ...videos, ...units, name: 'videos.delete', method: 'DELETE', safe: false, units: 50 },
  listThreads: {
    ...threads,
    ...units,
    name: 'commentThreads.list',
    method: 'GET',
    safe: true,
    cacheable: true,
    units: 1,
    maxIds: 50,
    pages: { maxPageSize: 100, defaultPageSize: 20 },
  },
  listComments: {
    ...units,
    name: 'comments.list',
    method: 'GET',
    path: '/{namespace}/v3/comments',
    safe: true,
    cacheable: true,
    units: 1,
    pages: { maxPageSize: 100, defaultPageSize: 20 },
  },
  insertThread: {
    ...threads,
    ...units,
    name: 'commentThreads.insert',
    method: 'POST',
    safe: false,
    units: 50,
  },
  /** An upload goes to the address of its session, which the service has returned. */
  upload: { ...uploads, name: 'videos.upload', method: 'PUT', path: '', safe: false },
} as const satisfies Readonly<Record<string, ServiceOperation>>

/** The operations that cost units. */
export type PricedOperation = Exclude<(typeof operations)[keyof typeof operations], { name: 'videos.upload' }>

/** Prices in units that differ from the published ones, by the operation's name. */
export type Prices = Readonly<Partial<Record<PricedOperation['name'], number>>>

const everybody = 'public'
const owner = 'owner'

/** The call of the public parts, and the separate one of owner-only parts. */
function listAsks(selected: SelectedNames): readonly Ask[] {
  const owned = ownerPartsOf(selected)
  const ofOwner = owned === 0 ? [] : [{ group: owner, names: partNames(owned) }]
  return [{ group: everybody, names: partNames(neededNames(selected)) }, ...ofOwner]
}

/** If only owner-only parts are selected, there is one call. */
function asksOf(selected: SelectedNames): readonly Ask[] {
  const asks = listAsks(selected)
  return asks.length > 1 && !hasBeside(selected, freeFields) ? asks.slice(1) : asks
}

const lookup = lookupCalls(operations.list, { asks: asksOf })
/** A video that another object names. Its ids are known. */
const reached = lookupCalls(operations.list, {
  asks: (selected) =>
    hasBeside(selected, freeFields) || ownerPartsOf(selected) !== 0 ? asksOf(selected) : [],
})
const list = listCalls(operations.list, { asks: listAsks, itemLookup: lookup })
const threadList = listCalls(operations.listThreads, {
  asks: (selected) => [
    {
      group: everybody,
      names: ['snippet', ...(selected.has('replies') || selected.has('repliesComplete') ? ['replies'] : [])],
    },
  ],
})

export const videosCalls: ServiceCalls = {
  service: 'videos',
  fields: {
    'Query.video': lookup,
    'Query.videos': lookupCalls(operations.list, { keys: 'videoIds', asks: asksOf }),
    'Query.chartVideos': list,
    'Query.ratedVideos': list,
    'Query.videoUpload': {
      kind: 'plain',
      reads: [],
      calls: (_, below) => [
        operations.upload,
        ...(below().has('video') ? asksOf(below('video')).map(() => operations.list) : []),
      ],
    },
    'Video.commentThreads': threadList,
    'Video.moderatedCommentThreads': threadList,
    'Channel.commentThreads': threadList,
    'Channel.allCommentThreads': threadList,
    'Channel.moderatedCommentThreads': threadList,
    'Query.commentThread': lookupCalls(operations.listThreads),
    'CommentThread.allReplies': listCalls(operations.listComments),
    'CommentThread.video': reached,
    'Comment.video': reached,
    'Mutation.insertVideo': plainCalls(operations.insert),
    'Mutation.deleteVideo': plainCalls(operations.delete),
    'Mutation.insertCommentThread': plainCalls(operations.insertThread),
    'Mutation.updateVideo': {
      kind: 'plain',
      reads: ['input'],
      calls({ input }, below) {
        const { replace, ...named } = (input ?? {}) as Readonly<Record<string, unknown>>
        const written = partsOf(...writableParts.filter((part) => named[part]))
        const selected = below('video')
        return [
          ...(replace === true ? [] : [operations.list]),
          operations.update,
          ...((neededNames(selected) & ~written) === 0 ? [] : [operations.list]),
          ...(ownerPartsOf(selected) === 0 ? [] : [operations.list]),
        ]
      },
    },
  },
  polls: {
    videoChanged: {
      calls: lookupCalls(operations.list, { keys: 'videoIds', asks: asksOf }),
      everySeconds: 15,
    },
    commentThreadAdded: { calls: plainCalls(operations.listThreads), everySeconds: 15 },
  },
  entities: { Video: reached },
  printAsk: (names) => `part=${names.join(',') || 'id'}`,
}
