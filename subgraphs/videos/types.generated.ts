import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { VideoModel, ChannelModel, ThreadModel, CommentModel, VideoConnectionModel, VideoEdgeModel, CommentConnectionModel, CommentEdgeModel, ThreadConnectionModel, ThreadEdgeModel, UpdatedModel, ThreadAddedModel } from './model.ts';
import type { QuotaState } from '../../shared/quota.ts';
import type { UploadState, UploadTarget } from './upload/index.ts';
import type { Context } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A point in time in RFC 3339 form with an offset, such as `2026-11-20T20:21:07.389276077Z`. */
  DateTime: { input: string; output: string; }
  /** An unsigned whole number of up to 64 bits, always as a decimal string: exact beyond 2^53. */
  UInt64: { input: string; output: string; }
  /** A whole number from 0 to 2^53 - 1, as a JSON number: larger than `Int` and still exact in every JSON parser. */
  UnsignedInt: { input: number; output: number; }
  _FieldSet: { input: unknown; output: unknown; }
};

/** A channel. The service has no call that looks one up, so its data come from the videos and comments that name it. */
export type Channel = Node & {
  __typename?: 'Channel';
  /**
   * Threads about the channel and about all of its videos. From the video service, comment thread list by
   * `allThreadsRelatedToChannelId`.
   */
  allCommentThreads: Maybe<CommentThreadConnection>;
  /** The service's id. */
  channelId: Scalars['ID']['output'];
  /** Threads about the channel itself. From the video service, comment thread list by `channelId`. */
  commentThreads: Maybe<CommentThreadConnection>;
  /** The global id: opaque, and stable as long as the object lives. */
  id: Scalars['ID']['output'];
  /**
   * Threads about the channel and its videos that wait for its owner: they are held for review, or considered spam.
   * Needs the owner's own credential at the service. From the video service, comment thread list by
   * `moderationStatus`.
   */
  moderatedCommentThreads: Maybe<CommentThreadConnection>;
  /** Its title, if the channel was reached through one of its videos. */
  title: Maybe<Scalars['String']['output']>;
};


/** A channel. The service has no call that looks one up, so its data come from the videos and comments that name it. */
export type ChannelAllCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
};


/** A channel. The service has no call that looks one up, so its data come from the videos and comments that name it. */
export type ChannelCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
};


/** A channel. The service has no call that looks one up, so its data come from the videos and comments that name it. */
export type ChannelModeratedCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
  status: CommentModerationStatus;
};

/**
 * A comment or a reply. The service has no call that looks one up, so `node` does not find it. Another subgraph can
 * add fields by either key.
 */
export type Comment = Node & {
  __typename?: 'Comment';
  /** The author's channel. */
  authorChannel: Maybe<Channel>;
  /** The address of the author's channel. */
  authorChannelUrl: Maybe<Scalars['String']['output']>;
  /** The display name of its author. */
  authorDisplayName: Maybe<Scalars['String']['output']>;
  /** The address of the author's picture. */
  authorProfileImageUrl: Maybe<Scalars['String']['output']>;
  /** Whether the caller may rate it. */
  canRate: Maybe<Scalars['Boolean']['output']>;
  /** The service's id of the channel, which is that of the video if the thread is about a video. */
  channelId: Maybe<Scalars['ID']['output']>;
  /** The service's id. */
  commentId: Scalars['ID']['output'];
  /** The service's version of the resource; opaque. */
  etag: Maybe<Scalars['String']['output']>;
  /** The global id: opaque, and stable as long as the object lives. */
  id: Scalars['ID']['output'];
  /** The resource's kind, as the service names it: `media#comment`. */
  kind: Maybe<Scalars['String']['output']>;
  /** How many like it. */
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** `published`, `heldForReview`, `likelySpam` or `rejected`; null for callers other than the owner. */
  moderationStatus: Maybe<Scalars['String']['output']>;
  /** The service's id of the comment that it replies to; null if it began the thread. */
  parentId: Maybe<Scalars['ID']['output']>;
  /** When it was written. */
  publishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The text for display. It is HTML, and must be sanitized before it is shown. */
  textDisplay: Maybe<Scalars['String']['output']>;
  /** The text as it was written. Its author always gets it, and others usually do. */
  textOriginal: Maybe<Scalars['String']['output']>;
  /** When it was last changed. */
  updatedAt: Maybe<Scalars['DateTime']['output']>;
  /** The video that it is about; null if it is about a channel. The look-ups of a whole page share calls. */
  video: Maybe<Video>;
  /** The service's id of the video that it is about; null if it is about a channel. */
  videoId: Maybe<Scalars['ID']['output']>;
  /** The caller's rating: `like` or `none`. */
  viewerRating: Maybe<Scalars['String']['output']>;
};

/** A page of comments, as Relay's cursor connections define it. */
export type CommentConnection = {
  __typename?: 'CommentConnection';
  /** The comments with their cursors. */
  edges: Array<CommentEdge>;
  /** The comments alone. */
  nodes: Array<Comment>;
  /** The position of this page in the list. */
  pageInfo: PageInfo;
  /** How many there are; null unless this page has them all, because the service returns no total. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A comment in a list. */
export type CommentEdge = {
  __typename?: 'CommentEdge';
  /** Its cursor, for `after`. */
  cursor: Scalars['String']['output'];
  /** The comment. */
  node: Comment;
};

/** Why comments wait for the owner of the video or channel. */
export type CommentModerationStatus =
  /** The owner has to review them first. */
  | 'HELD_FOR_REVIEW'
  /** The service considers them spam. */
  | 'LIKELY_SPAM';

/** The order of comment threads. */
export type CommentOrder =
  /** By relevance, as the service sees it. */
  | 'RELEVANCE'
  /** By time, newest first. */
  | 'TIME';

/**
 * A comment with its replies, on a video or on a channel. `commentThread` finds it by the service's id, but `node`
 * does not find it. Another subgraph can add fields by either key.
 */
export type CommentThread = Node & {
  __typename?: 'CommentThread';
  /**
   * All replies, probably oldest first. Costs a call for every 100. `replies` has the few that come with the thread,
   * at no further cost. From the video service, comment list by `parentId`.
   */
  allReplies: Maybe<CommentConnection>;
  /** Whether the caller may reply. */
  canReply: Maybe<Scalars['Boolean']['output']>;
  /** The channel, which is that of the video if the thread is about a video. */
  channel: Maybe<Channel>;
  /** The service's id of the channel, which is that of the video if the thread is about a video. */
  channelId: Maybe<Scalars['ID']['output']>;
  /** The service's version of the resource; opaque. */
  etag: Maybe<Scalars['String']['output']>;
  /** The global id: opaque, and stable as long as the object lives. */
  id: Scalars['ID']['output'];
  /** Whether everyone sees it. */
  isPublic: Maybe<Scalars['Boolean']['output']>;
  /** The resource's kind, as the service names it: `media#commentThread`. */
  kind: Maybe<Scalars['String']['output']>;
  /** The replies that come with the thread: all, or a few of them. */
  replies: Array<Comment>;
  /** Whether `replies` has all of them. */
  repliesComplete: Scalars['Boolean']['output'];
  /** The service's id. */
  threadId: Scalars['ID']['output'];
  /** The comment that began it. */
  topLevelComment: Maybe<Comment>;
  /** How many replies there are. */
  totalReplyCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** The video that it is about; null if it is about a channel. The look-ups of a whole page share calls. */
  video: Maybe<Video>;
  /** The service's id of the video that it is about; null if it is about a channel. */
  videoId: Maybe<Scalars['ID']['output']>;
};


/**
 * A comment with its replies, on a video or on a channel. `commentThread` finds it by the service's id, but `node`
 * does not find it. Another subgraph can add fields by either key.
 */
export type CommentThreadAllRepliesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A comment thread that was added. From the newest page of the video's comment threads. */
export type CommentThreadAdded = {
  __typename?: 'CommentThreadAdded';
  /** Where to resume after this event. Opaque, and valid only for the same video. */
  after: Scalars['String']['output'];
  /** The thread, with its cursor in the list of the video's comment threads by time. */
  commentThreadEdge: CommentThreadEdge;
  /**
   * Whether threads may be missing between the previous event and this one. That happens if more were added between
   * two polls than a page has, if those after `after` are not available any more, or if the service sent a malformed
   * one.
   */
  gap: Scalars['Boolean']['output'];
};

/** A page of comment threads, as Relay's cursor connections define it. */
export type CommentThreadConnection = {
  __typename?: 'CommentThreadConnection';
  /** The threads with their cursors. */
  edges: Array<CommentThreadEdge>;
  /** The threads alone. */
  nodes: Array<CommentThread>;
  /** The position of this page in the list. */
  pageInfo: PageInfo;
  /** How many there are; null unless this page has them all, because the service returns no total. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A comment thread in a list. */
export type CommentThreadEdge = {
  __typename?: 'CommentThreadEdge';
  /** Its cursor, for `after`. */
  cursor: Scalars['String']['output'];
  /** The thread. */
  node: CommentThread;
};

/** The video to delete. */
export type DeleteVideoInput = {
  /** The service's id. */
  videoId: Scalars['ID']['input'];
};

/** The deleted video. */
export type DeleteVideoPayload = {
  __typename?: 'DeleteVideoPayload';
  /** The global id of the deleted video, for client caches. */
  deletedId: Scalars['ID']['output'];
  /** The service's id of the deleted video. */
  deletedVideoId: Scalars['ID']['output'];
};

/** The place and the text of a new thread. A video or a channel must be named. */
export type InsertCommentThreadInput = {
  /** The service's id of the channel. If a video is named too, it must be the video's channel. */
  channelId?: InputMaybe<Scalars['ID']['input']>;
  /** 1 to 10,000 characters. */
  textOriginal: Scalars['String']['input'];
  /** The service's id of the video. */
  videoId?: InputMaybe<Scalars['ID']['input']>;
};

/** The new thread. */
export type InsertCommentThreadPayload = {
  __typename?: 'InsertCommentThreadPayload';
  /** The thread as it is now. */
  commentThread: CommentThread;
  /**
   * Its edge at the head of the list by time: that of the video if a video was named, otherwise that of the channel.
   * It is for clients that add it to a list in their cache, such as with Relay's `@prependEdge`.
   */
  commentThreadEdge: CommentThreadEdge;
};

/** The data of a new video, and the file that will be sent. */
export type InsertVideoInput = {
  /** The file's size in bytes, 1 to 274,877,906,944. */
  contentLength: Scalars['UInt64']['input'];
  /** The file's type: `video/…` or `application/octet-stream`. */
  contentType: Scalars['String']['input'];
  /** Title and description in other languages; they require `snippet.defaultLanguage`. */
  localizations?: InputMaybe<Array<VideoLocalizationInput>>;
  /** Whether the channel's subscribers are notified. The default is true. */
  notifySubscribers?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether somebody paid for a product in it. */
  paidProductPlacementDetails?: InputMaybe<VideoPaidProductPlacementDetailsInput>;
  /** When and where it was recorded. */
  recordingDetails?: InputMaybe<VideoRecordingDetailsInput>;
  /** Title, description, tags, category, language. The title is required. */
  snippet: VideoSnippetInput;
  /** Privacy, licence, embedding. */
  status?: InputMaybe<VideoStatusInput>;
};

/** Where to send the bytes of a new video. */
export type InsertVideoPayload = {
  __typename?: 'InsertVideoPayload';
  /** The address, and how to use it. */
  upload: VideoUploadTarget;
};

/** What is left of the day's units at the video service. */
export type MediaQuota = {
  __typename?: 'MediaQuota';
  /** Units per day; null if no limit is configured. */
  limit: Maybe<Scalars['Int']['output']>;
  /** How today's units were spent. */
  operations: Array<MediaQuotaOperation>;
  /** Units left today; null if no limit is configured. */
  remaining: Maybe<Scalars['Int']['output']>;
  /** When the day ends: midnight in the service's time zone. */
  resetsAt: Scalars['DateTime']['output'];
  /** Units used today. */
  used: Scalars['Int']['output'];
};

/** What one operation of the video service has cost today. */
export type MediaQuotaOperation = {
  __typename?: 'MediaQuotaOperation';
  /** Calls. */
  calls: Scalars['Int']['output'];
  /** The operation, such as `videos.list`. */
  name: Scalars['String']['output'];
  /** Units. */
  units: Scalars['Int']['output'];
};

/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /** Deletes a video irrevocably. From the video service, delete. The gateway never repeats it. */
  deleteVideo: Maybe<DeleteVideoPayload>;
  /**
   * Starts a comment thread on a video or on a channel. From the video service, comment thread insert. The gateway
   * never repeats it.
   */
  insertCommentThread: Maybe<InsertCommentThreadPayload>;
  /**
   * Starts the upload of a video: checks the input, opens a session at the service, and returns an address to which
   * the bytes are sent by `PUT`, as a whole or in parts. The video exists once the last byte has arrived; the response
   * to that `PUT` has it. From the video service, insert. The gateway never repeats it.
   */
  insertVideo: Maybe<InsertVideoPayload>;
  /**
   * Changes a video. The service replaces each part as a whole, and clears the fields that a request leaves out. So by
   * default the parts that the input names are read first, the input's fields replace theirs, and exactly these parts
   * are written back. That costs 51 units. A `null` field counts as not set; `clear` names fields to clear. With
   * `replace: true` the parts are sent as the input has them, and all their other fields are cleared. That costs 50
   * units. Two writers at the same moment can undo each other's change. From the video service, update. The gateway
   * never repeats it.
   */
  updateVideo: Maybe<UpdateVideoPayload>;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationDeleteVideoArgs = {
  input: DeleteVideoInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationInsertCommentThreadArgs = {
  input: InsertCommentThreadInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationInsertVideoArgs = {
  input: InsertVideoInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationUpdateVideoArgs = {
  input: UpdateVideoInput;
};

/** An object with an id that is unique over all types. `node` finds it by that id. */
export type Node = {
  /** The global id: opaque, and stable as long as the object lives. */
  id: Scalars['ID']['output'];
};

/** The position of a page in the whole list, as Relay's cursor connections define it. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the last edge, for `after`; null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are edges after the last one. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are edges before the first one. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first edge; null on an empty page. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type Query = {
  __typename?: 'Query';
  /** A channel by its id. It is not looked up, so it costs nothing and exists for every well-formed id. */
  channel: Maybe<Channel>;
  /**
   * The videos of a chart, best first. The chart changes, so an item may repeat or be missed between two pages. From
   * the video service, list by `chart`; a call for every 50 videos.
   */
  chartVideos: Maybe<VideoConnection>;
  /**
   * A comment thread by its id; null if it does not exist, or if the caller may not see it. Up to 50 look-ups of the
   * same moment share a call. From the video service, comment thread list by `id`.
   */
  commentThread: Maybe<CommentThread>;
  /** What is left of the day's units at the video service, as this gateway has counted. Costs nothing. */
  mediaQuota: Maybe<MediaQuota>;
  /**
   * The videos that the caller rated, latest first. Needs the caller's own credential at the service.
   * From the video service, list by `myRating`; a call for every 50 videos.
   */
  ratedVideos: Maybe<VideoConnection>;
  /**
   * A video by its id; null if it does not exist, or if the caller may not see it. Up to 50 look-ups of the same
   * moment share a call, which requests only the selected parts. From the video service, list.
   */
  video: Maybe<Video>;
  /** The progress of an upload. Costs nothing. From the video service, the upload's session. */
  videoUpload: Maybe<VideoUpload>;
  /**
   * Videos by their ids, in the order of the ids; null if a video does not exist. The bound is 500 ids, unless the
   * gateway is configured otherwise. A malformed id is null with an error (`BAD_USER_INPUT`) at its position. The
   * response has at most 100 errors. Costs a call for every 50 distinct ids. From the video service, list.
   */
  videos: Maybe<Array<Maybe<Video>>>;
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryChannelArgs = {
  channelId: Scalars['ID']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryChartVideosArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  chart: VideoChart;
  first?: InputMaybe<Scalars['Int']['input']>;
  hl?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  maxHeight?: InputMaybe<Scalars['Int']['input']>;
  maxWidth?: InputMaybe<Scalars['Int']['input']>;
  regionCode?: InputMaybe<Scalars['String']['input']>;
  videoCategoryId?: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryCommentThreadArgs = {
  threadId: Scalars['ID']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryRatedVideosArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  hl?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  maxHeight?: InputMaybe<Scalars['Int']['input']>;
  maxWidth?: InputMaybe<Scalars['Int']['input']>;
  rating: VideoRating;
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryVideoArgs = {
  hl?: InputMaybe<Scalars['String']['input']>;
  maxHeight?: InputMaybe<Scalars['Int']['input']>;
  maxWidth?: InputMaybe<Scalars['Int']['input']>;
  videoId: Scalars['ID']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryVideoUploadArgs = {
  url: Scalars['String']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryVideosArgs = {
  hl?: InputMaybe<Scalars['String']['input']>;
  maxHeight?: InputMaybe<Scalars['Int']['input']>;
  maxWidth?: InputMaybe<Scalars['Int']['input']>;
  videoIds: Array<Scalars['ID']['input']>;
};

/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type Subscription = {
  __typename?: 'Subscription';
  /**
   * New comment threads of a video, oldest first, each once. There is no event for threads that existed before. Polled
   * every 15 seconds, and at intervals of up to 5 minutes while there are none. A poll reads the newest 100 and costs
   * 1 unit, whatever the number of subscribers. Fails with `NOT_FOUND` if the video does not exist, with `FORBIDDEN`
   * if its comments are switched off, with `SUBSCRIPTION_TOO_SLOW` if more than 1,000 events wait for the client, and
   * like `videoChanged` if the budget does not allow it. From the video service, comment threads by time.
   */
  commentThreadAdded: Maybe<CommentThreadAdded>;
  /** What is left of the day's units at the video service, whenever it changed, at most every 5 seconds. Costs nothing. */
  mediaQuotaChanged: Maybe<MediaQuota>;
  /**
   * Videos as they change. There is one event for each video at the start, and one whenever a selected field changed.
   * For a client that reads slowly, only the newest event of each video waits. An event is null if the video does not
   * exist, or not any more; its `extensions.absent` then names the video. It is null with an error if the service's
   * response is malformed. Polled every 15 seconds, or more slowly if the budget requires it, and at intervals of up
   * to 2 minutes while nothing changes. A poll costs 1 unit for every 50 distinct videos of all subscribers together,
   * and 2 if owner-only parts are selected. Fails with `BAD_USER_INPUT` if an id is malformed, or if there are none or
   * more than 500 (unless the gateway is configured otherwise). Fails with `COST_ESTIMATED_TOO_EXPENSIVE` or
   * `QUOTA_EXCEEDED` if the budget does not allow it, also later when the units run out. From the video service, list.
   */
  videoChanged: Maybe<Video>;
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionCommentThreadAddedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  videoId: Scalars['ID']['input'];
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionVideoChangedArgs = {
  videoIds: Array<Scalars['ID']['input']>;
};

/** A preview picture. From the video resource, `snippet.thumbnails`. */
export type Thumbnail = {
  __typename?: 'Thumbnail';
  /** Pixels. */
  height: Maybe<Scalars['UnsignedInt']['output']>;
  /** Its size by name: `default`, `medium`, `high`, `standard`, `maxres`, … */
  key: Scalars['String']['output'];
  /** Its URL. */
  url: Maybe<Scalars['String']['output']>;
  /** Pixels. */
  width: Maybe<Scalars['UnsignedInt']['output']>;
};

/**
 * The video to change, and its new values. At least one part, or a field to clear, must be set. Null counts as not
 * set, at every level.
 */
export type UpdateVideoInput = {
  /**
   * Fields to clear, by their paths: `snippet.description`, `snippet.tags`, `snippet.defaultLanguage`,
   * `snippet.defaultAudioLanguage`, `status.publishAt`, `status.license`, `status.embeddable`,
   * `status.publicStatsViewable`, `status.selfDeclaredMadeForKids`, `status.containsSyntheticMedia`,
   * `recordingDetails.recordingDate`, `recordingDetails.location`, `recordingDetails.locationDescription`,
   * `paidProductPlacementDetails.hasPaidProductPlacement` or `localizations`. `BAD_USER_INPUT` for any other path, for one
   * that this input sets, and with `replace`.
   */
  clear?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Title and description in other languages; the list replaces all of them. */
  localizations?: InputMaybe<Array<VideoLocalizationInput>>;
  /** Whether somebody paid for a product in it. */
  paidProductPlacementDetails?: InputMaybe<VideoPaidProductPlacementDetailsInput>;
  /** When and where it was recorded. */
  recordingDetails?: InputMaybe<VideoRecordingDetailsInput>;
  /**
   * Whether the parts replace the current ones, which clears the fields that they leave out. By default they are
   * patched.
   */
  replace?: InputMaybe<Scalars['Boolean']['input']>;
  /** Title, description, tags, category, language. */
  snippet?: InputMaybe<VideoSnippetInput>;
  /** Privacy, licence, embedding. */
  status?: InputMaybe<VideoStatusInput>;
  /** The service's id. */
  videoId: Scalars['ID']['input'];
};

/** The changed video. */
export type UpdateVideoPayload = {
  __typename?: 'UpdateVideoPayload';
  /** The video as it is now. If parts are selected that were not changed, they are read in a further call. */
  video: Maybe<Video>;
  /** The service's id of the video that was changed. */
  videoId: Scalars['ID']['output'];
};

/** A video, with one field for each part. A part is requested from the service only if it is selected. */
export type Video = Node & {
  __typename?: 'Video';
  /** The channel that published it. */
  channel: Maybe<Channel>;
  /**
   * The comment threads about it. Fails with `FORBIDDEN` (reason `commentsDisabled`) if comments are switched off. The
   * service offers no previous pages and no total. From the video service, comment thread list by `videoId`.
   */
  commentThreads: Maybe<CommentThreadConnection>;
  /** Duration, definition, ratings. From the video resource, `contentDetails`. */
  contentDetails: Maybe<VideoContentDetails>;
  /** The service's version of the resource; opaque. */
  etag: Maybe<Scalars['String']['output']>;
  /**
   * The uploaded file, which only the video's owner may see. Requested in a call of its own, because the service
   * refuses a whole call for one video that is not the caller's.
   */
  fileDetails: Maybe<VideoFileDetails>;
  /** The global id: opaque, and stable as long as the object lives. */
  id: Scalars['ID']['output'];
  /** The resource's kind, as the service names it: `media#video`. */
  kind: Maybe<Scalars['String']['output']>;
  /** Its live broadcast; null if it is none. From the video resource, `liveStreamingDetails`. */
  liveStreamingDetails: Maybe<VideoLiveStreamingDetails>;
  /** Title and description in other languages. From the video resource, `localizations`. */
  localizations: Maybe<Array<VideoLocalization>>;
  /**
   * Threads about the video that wait for its owner: they are held for review, or considered spam. Needs the owner's
   * own credential at the service. From the video service, comment thread list by `moderationStatus`.
   */
  moderatedCommentThreads: Maybe<CommentThreadConnection>;
  /** Whether somebody paid for a product in it. From the video resource, `paidProductPlacementDetails`. */
  paidProductPlacementDetails: Maybe<VideoPaidProductPlacementDetails>;
  /** How it is embedded. From the video resource, `player`. */
  player: Maybe<VideoPlayer>;
  /**
   * How far the service has processed it, which only the video's owner may see. Requested in a call of its own, like
   * `fileDetails`.
   */
  processingDetails: Maybe<VideoProcessingDetails>;
  /** When and where it was recorded. From the video resource, `recordingDetails`. */
  recordingDetails: Maybe<VideoRecordingDetails>;
  /** Title, description, channel, keywords. From the video resource, `snippet`. */
  snippet: Maybe<VideoSnippet>;
  /** Counters. From the video resource, `statistics`. */
  statistics: Maybe<VideoStatistics>;
  /** Upload, privacy and licence. From the video resource, `status`. */
  status: Maybe<VideoStatus>;
  /**
   * How it could be improved, which only the video's owner may see. Requested in a call of its own, like
   * `fileDetails`.
   */
  suggestions: Maybe<VideoSuggestions>;
  /** What it is about. From the video resource, `topicDetails`. */
  topicDetails: Maybe<VideoTopicDetails>;
  /** The service's id. */
  videoId: Scalars['ID']['output'];
};


/** A video, with one field for each part. A part is requested from the service only if it is selected. */
export type VideoCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
};


/** A video, with one field for each part. A part is requested from the service only if it is selected. */
export type VideoLocalizationsArgs = {
  key?: InputMaybe<Scalars['String']['input']>;
};


/** A video, with one field for each part. A part is requested from the service only if it is selected. */
export type VideoModeratedCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
  status: CommentModerationStatus;
};

/** A chart of videos. */
export type VideoChart =
  /** The most watched videos at the moment. */
  | 'MOST_POPULAR';

/** A page of videos, as Relay's cursor connections define it. */
export type VideoConnection = {
  __typename?: 'VideoConnection';
  /** The videos with their cursors. */
  edges: Array<VideoEdge>;
  /** The videos alone. */
  nodes: Array<Video>;
  /** The position of this page in the list. */
  pageInfo: PageInfo;
  /** How many videos the list has, as the service estimates. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** Duration, definition and ratings of a video. From the video resource, `contentDetails`. */
export type VideoContentDetails = {
  __typename?: 'VideoContentDetails';
  /** Whether there are captions, as text: `true` or `false`. */
  caption: Maybe<Scalars['String']['output']>;
  /** The ratings of rating boards; those that did not rate it are null. */
  contentRating: Maybe<VideoContentRating>;
  /** `hd` or `sd`. */
  definition: Maybe<Scalars['String']['output']>;
  /** `2d` or `3d`. */
  dimension: Maybe<Scalars['String']['output']>;
  /** The duration in ISO 8601, such as `PT4M13S`; `P0D` for a broadcast that has not begun. */
  duration: Maybe<Scalars['String']['output']>;
  /** Whether the preview picture is the owner's own; null for other callers. */
  hasCustomThumbnail: Maybe<Scalars['Boolean']['output']>;
  /** Whether a partner of the service has claimed it. */
  licensedContent: Maybe<Scalars['Boolean']['output']>;
  /** `rectangular` or `360`. */
  projection: Maybe<Scalars['String']['output']>;
  /** Where it may be watched; null if everywhere. */
  regionRestriction: Maybe<VideoRegionRestriction>;
};

/** The ratings of a video by rating boards. From the video resource, `contentDetails.contentRating`. */
export type VideoContentRating = {
  __typename?: 'VideoContentRating';
  /** The ACB rating: `acbE`, `acbP`, `acbC`, `acbG`, `acbPg`, `acbM`, `acbMa15plus`, `acbR18plus`, `acbUnrated`. */
  acbRating: Maybe<Scalars['String']['output']>;
  /** The AGCOM rating: `agcomT`, `agcomVm14`, `agcomVm18`, `agcomUnrated`. */
  agcomRating: Maybe<Scalars['String']['output']>;
  /** The ANATEL rating: `anatelF`, `anatelI`, `anatelI7`, `anatelI10`, `anatelI12`, `anatelR`, `anatelA`, `anatelUnrated`. */
  anatelRating: Maybe<Scalars['String']['output']>;
  /** The BBFC rating: `bbfcU`, `bbfcPg`, `bbfc12a`, `bbfc12`, `bbfc15`, `bbfc18`, `bbfcR18`, `bbfcUnrated`. */
  bbfcRating: Maybe<Scalars['String']['output']>;
  /** The BFVC rating: `bfvcG`, `bfvcE`, `bfvc13`, `bfvc15`, `bfvc18`, `bfvc20`, `bfvcB`, `bfvcUnrated`. */
  bfvcRating: Maybe<Scalars['String']['output']>;
  /** The BMUKK rating: `bmukkAa`, `bmukk6`, `bmukk8`, `bmukk10`, `bmukk12`, `bmukk14`, `bmukk16`, `bmukkUnrated`. */
  bmukkRating: Maybe<Scalars['String']['output']>;
  /** The CATV rating: `catvC`, `catvC8`, `catvG`, `catvPg`, `catv14plus`, `catv18plus`, `catvUnrated`, `catvE`. */
  catvRating: Maybe<Scalars['String']['output']>;
  /** The CATVFR rating: `catvfrG`, `catvfr8plus`, `catvfr13plus`, `catvfr16plus`, `catvfr18plus`, `catvfrUnrated`, `catvfrE`. */
  catvfrRating: Maybe<Scalars['String']['output']>;
  /** The CBFC rating: `cbfcU`, `cbfcUA`, `cbfcUA7plus`, `cbfcUA13plus`, `cbfcUA16plus`, `cbfcA`, `cbfcS`, `cbfcUnrated`. */
  cbfcRating: Maybe<Scalars['String']['output']>;
  /** The CCC rating: `cccTe`, `ccc6`, `ccc14`, `ccc18`, `ccc18v`, `ccc18s`, `cccUnrated`. */
  cccRating: Maybe<Scalars['String']['output']>;
  /** The CCE rating: `cceM4`, `cceM6`, `cceM12`, `cceM16`, `cceM18`, `cceUnrated`, `cceM14`. */
  cceRating: Maybe<Scalars['String']['output']>;
  /** The CHFILM rating: `chfilm0`, `chfilm6`, `chfilm12`, `chfilm16`, `chfilm18`, `chfilmUnrated`. */
  chfilmRating: Maybe<Scalars['String']['output']>;
  /** The CHVRS rating: `chvrsG`, `chvrsPg`, `chvrs14a`, `chvrs18a`, `chvrsR`, `chvrsE`, `chvrsUnrated`. */
  chvrsRating: Maybe<Scalars['String']['output']>;
  /** The CICF rating: `cicfE`, `cicfKtEa`, `cicfKntEna`, `cicfUnrated`. */
  cicfRating: Maybe<Scalars['String']['output']>;
  /** The CNA rating: `cnaAp`, `cna12`, `cna15`, `cna18`, `cna18plus`, `cnaUnrated`. */
  cnaRating: Maybe<Scalars['String']['output']>;
  /** The CNC rating: `cncT`, `cnc10`, `cnc12`, `cnc16`, `cnc18`, `cncE`, `cncInterdiction`, `cncUnrated`. */
  cncRating: Maybe<Scalars['String']['output']>;
  /** The CSA rating: `csaT`, `csa10`, `csa12`, `csa16`, `csa18`, `csaInterdiction`, `csaUnrated`. */
  csaRating: Maybe<Scalars['String']['output']>;
  /** The CSCF rating: `cscfAl`, `cscfA`, `cscf6`, `cscf9`, `cscf12`, `cscf16`, `cscf18`, `cscfUnrated`. */
  cscfRating: Maybe<Scalars['String']['output']>;
  /** The CZFILM rating: `czfilmU`, `czfilm12`, `czfilm14`, `czfilm18`, `czfilmUnrated`. */
  czfilmRating: Maybe<Scalars['String']['output']>;
  /** The DJCTQ rating: `djctqL`, `djctq10`, `djctq12`, `djctq14`, `djctq16`, `djctq18`, `djctqEr`, `djctqL10`, `djctqL12`, `djctqL14`, `djctqL16`, `djctqL18`, `djctq1012`, `djctq1014`, `djctq1016`, `djctq1018`, `djctq1214`, `djctq1216`, `djctq1218`, `djctq1416`, `djctq1418`, `djctq1618`, `djctqUnrated`. */
  djctqRating: Maybe<Scalars['String']['output']>;
  /** Reasons of the DJCTQ rating: `djctqViolence`, `djctqExtremeViolence`, `djctqSexualContent`, `djctqNudity`, `djctqSex`, `djctqExplicitSex`, `djctqDrugs`, `djctqLegalDrugs`, `djctqIllegalDrugs`, `djctqInappropriateLanguage`, `djctqCriminalActs`, `djctqImpactingContent`, `djctqFear`, `djctqMedicalProcedures`, `djctqSensitiveTopics`, `djctqFantasyViolence`. */
  djctqRatingReasons: Maybe<Array<Scalars['String']['output']>>;
  /** The ECBMCT rating: `ecbmctG`, `ecbmct7a`, `ecbmct7plus`, `ecbmct13a`, `ecbmct13plus`, `ecbmct15a`, `ecbmct15plus`, `ecbmct18plus`, `ecbmctUnrated`. */
  ecbmctRating: Maybe<Scalars['String']['output']>;
  /** The EEFILM rating: `eefilmPere`, `eefilmL`, `eefilmMs6`, `eefilmK6`, `eefilmMs12`, `eefilmK12`, `eefilmK14`, `eefilmK16`, `eefilmUnrated`. */
  eefilmRating: Maybe<Scalars['String']['output']>;
  /** The EGFILM rating: `egfilmGn`, `egfilm18`, `egfilmBn`, `egfilmUnrated`. */
  egfilmRating: Maybe<Scalars['String']['output']>;
  /** The EIRIN rating: `eirinG`, `eirinPg12`, `eirinR15plus`, `eirinR18plus`, `eirinUnrated`. */
  eirinRating: Maybe<Scalars['String']['output']>;
  /** The FCBM rating: `fcbmU`, `fcbmPg13`, `fcbmP13`, `fcbm18`, `fcbm18sx`, `fcbm18pa`, `fcbm18sg`, `fcbm18pl`, `fcbmUnrated`. */
  fcbmRating: Maybe<Scalars['String']['output']>;
  /** The FCO rating: `fcoI`, `fcoIia`, `fcoIib`, `fcoIi`, `fcoIii`, `fcoUnrated`. */
  fcoRating: Maybe<Scalars['String']['output']>;
  /** The FMOC rating: `fmocU`, `fmoc10`, `fmoc12`, `fmoc16`, `fmoc18`, `fmocE`, `fmocUnrated`. */
  fmocRating: Maybe<Scalars['String']['output']>;
  /** The FPB rating: `fpbA`, `fpbPg`, `fpb79Pg`, `fpb1012Pg`, `fpb13`, `fpb16`, `fpb18`, `fpbX18`, `fpbXx`, `fpbUnrated`, `fpb10`. */
  fpbRating: Maybe<Scalars['String']['output']>;
  /** Reasons of the FPB rating: `fpbBlasphemy`, `fpbLanguage`, `fpbNudity`, `fpbPrejudice`, `fpbSex`, `fpbViolence`, `fpbDrugs`, `fpbSexualViolence`, `fpbHorror`, `fpbCriminalTechniques`, `fpbImitativeActsTechniques`. */
  fpbRatingReasons: Maybe<Array<Scalars['String']['output']>>;
  /** The FSK rating: `fsk0`, `fsk6`, `fsk12`, `fsk16`, `fsk18`, `fskUnrated`. */
  fskRating: Maybe<Scalars['String']['output']>;
  /** The GRFILM rating: `grfilmK`, `grfilmE`, `grfilmK12`, `grfilmK13`, `grfilmK15`, `grfilmK17`, `grfilmK18`, `grfilmUnrated`. */
  grfilmRating: Maybe<Scalars['String']['output']>;
  /** The ICAA rating: `icaaApta`, `icaa7`, `icaa12`, `icaa13`, `icaa16`, `icaa18`, `icaaX`, `icaaUnrated`. */
  icaaRating: Maybe<Scalars['String']['output']>;
  /** The IFCO rating: `ifcoG`, `ifcoPg`, `ifco12`, `ifco12a`, `ifco15`, `ifco15a`, `ifco16`, `ifco18`, `ifcoUnrated`. */
  ifcoRating: Maybe<Scalars['String']['output']>;
  /** The ILFILM rating: `ilfilmAa`, `ilfilm12`, `ilfilm14`, `ilfilm16`, `ilfilm18`, `ilfilmUnrated`. */
  ilfilmRating: Maybe<Scalars['String']['output']>;
  /** The INCAA rating: `incaaAtp`, `incaaSam13`, `incaaSam16`, `incaaSam18`, `incaaC`, `incaaUnrated`. */
  incaaRating: Maybe<Scalars['String']['output']>;
  /** The KFCB rating: `kfcbG`, `kfcbPg`, `kfcb16plus`, `kfcbR`, `kfcbUnrated`. */
  kfcbRating: Maybe<Scalars['String']['output']>;
  /** The KIJKWIJZER rating: `kijkwijzerAl`, `kijkwijzer6`, `kijkwijzer9`, `kijkwijzer12`, `kijkwijzer16`, `kijkwijzer18`, `kijkwijzerUnrated`. */
  kijkwijzerRating: Maybe<Scalars['String']['output']>;
  /** The KMRB rating: `kmrbAll`, `kmrb12plus`, `kmrb15plus`, `kmrbTeenr`, `kmrbR`, `kmrbUnrated`. */
  kmrbRating: Maybe<Scalars['String']['output']>;
  /** The LSF rating: `lsfSu`, `lsfA`, `lsfBo`, `lsf13`, `lsfR`, `lsf17`, `lsfD`, `lsf21`, `lsfUnrated`. */
  lsfRating: Maybe<Scalars['String']['output']>;
  /** The MCCAA rating: `mccaaU`, `mccaaPg`, `mccaa12a`, `mccaa12`, `mccaa14`, `mccaa15`, `mccaa16`, `mccaa18`, `mccaaUnrated`. */
  mccaaRating: Maybe<Scalars['String']['output']>;
  /** The MCCYP rating: `mccypA`, `mccyp7`, `mccyp11`, `mccyp15`, `mccypUnrated`. */
  mccypRating: Maybe<Scalars['String']['output']>;
  /** The MCST rating: `mcstP`, `mcst0`, `mcstC13`, `mcstC16`, `mcst16plus`, `mcstC18`, `mcstGPg`, `mcstUnrated`. */
  mcstRating: Maybe<Scalars['String']['output']>;
  /** The MDA rating: `mdaG`, `mdaPg`, `mdaPg13`, `mdaNc16`, `mdaM18`, `mdaR21`, `mdaUnrated`. */
  mdaRating: Maybe<Scalars['String']['output']>;
  /** The MEDIETILSYNET rating: `medietilsynetA`, `medietilsynet6`, `medietilsynet7`, `medietilsynet9`, `medietilsynet11`, `medietilsynet12`, `medietilsynet15`, `medietilsynet18`, `medietilsynetUnrated`. */
  medietilsynetRating: Maybe<Scalars['String']['output']>;
  /** The MEKU rating: `mekuS`, `meku7`, `meku12`, `meku16`, `meku18`, `mekuUnrated`. */
  mekuRating: Maybe<Scalars['String']['output']>;
  /** The MIBAC rating: `mibacT`, `mibacVap`, `mibacVm6`, `mibacVm12`, `mibacVm14`, `mibacVm16`, `mibacVm18`, `mibacUnrated`. */
  mibacRating: Maybe<Scalars['String']['output']>;
  /** The MOC rating: `mocE`, `mocT`, `moc7`, `moc12`, `moc15`, `moc18`, `mocX`, `mocBanned`, `mocUnrated`. */
  mocRating: Maybe<Scalars['String']['output']>;
  /** The MOCTW rating: `moctwG`, `moctwP`, `moctwPg`, `moctwR`, `moctwUnrated`, `moctwR12`, `moctwR15`. */
  moctwRating: Maybe<Scalars['String']['output']>;
  /** The MPAA rating: `mpaaG`, `mpaaPg`, `mpaaPg13`, `mpaaR`, `mpaaNc17`, `mpaaX`, `mpaaUnrated`. */
  mpaaRating: Maybe<Scalars['String']['output']>;
  /** The MPAAT rating: `mpaatGb`, `mpaatRb`. */
  mpaatRating: Maybe<Scalars['String']['output']>;
  /** The MTRCB rating: `mtrcbG`, `mtrcbPg`, `mtrcbR13`, `mtrcbR16`, `mtrcbR18`, `mtrcbX`, `mtrcbUnrated`. */
  mtrcbRating: Maybe<Scalars['String']['output']>;
  /** The NBC rating: `nbcG`, `nbcPg`, `nbc12plus`, `nbc15plus`, `nbc18plus`, `nbc18plusr`, `nbcPu`, `nbcUnrated`. */
  nbcRating: Maybe<Scalars['String']['output']>;
  /** The NBCPL rating: `nbcplI`, `nbcplIi`, `nbcplIii`, `nbcplIv`, `nbcpl18plus`, `nbcplUnrated`. */
  nbcplRating: Maybe<Scalars['String']['output']>;
  /** The NFRC rating: `nfrcA`, `nfrcB`, `nfrcC`, `nfrcD`, `nfrcX`, `nfrcUnrated`. */
  nfrcRating: Maybe<Scalars['String']['output']>;
  /** The NFVCB rating: `nfvcbG`, `nfvcbPg`, `nfvcb12`, `nfvcb12a`, `nfvcb15`, `nfvcb18`, `nfvcbRe`, `nfvcbUnrated`. */
  nfvcbRating: Maybe<Scalars['String']['output']>;
  /** The NKCLV rating: `nkclvU`, `nkclv7plus`, `nkclv12plus`, `nkclv16plus`, `nkclv18plus`, `nkclvUnrated`. */
  nkclvRating: Maybe<Scalars['String']['output']>;
  /** The OFLC rating: `oflcG`, `oflcPg`, `oflcM`, `oflcR13`, `oflcR15`, `oflcR16`, `oflcR18`, `oflcUnrated`, `oflcRp13`, `oflcRp16`, `oflcRp18`. */
  oflcRating: Maybe<Scalars['String']['output']>;
  /** The PEFILM rating: `pefilmPt`, `pefilmPg`, `pefilm14`, `pefilm18`, `pefilmUnrated`. */
  pefilmRating: Maybe<Scalars['String']['output']>;
  /** The RCNOF rating: `rcnofI`, `rcnofIi`, `rcnofIii`, `rcnofIv`, `rcnofV`, `rcnofVi`, `rcnofUnrated`. */
  rcnofRating: Maybe<Scalars['String']['output']>;
  /** The RESORTEVIOLENCIA rating: `resorteviolenciaA`, `resorteviolenciaB`, `resorteviolenciaC`, `resorteviolenciaD`, `resorteviolenciaE`, `resorteviolenciaUnrated`. */
  resorteviolenciaRating: Maybe<Scalars['String']['output']>;
  /** The RTC rating: `rtcAa`, `rtcA`, `rtcB`, `rtcB15`, `rtcC`, `rtcD`, `rtcUnrated`. */
  rtcRating: Maybe<Scalars['String']['output']>;
  /** The RTE rating: `rteGa`, `rteCh`, `rtePs`, `rteMa`, `rteUnrated`. */
  rteRating: Maybe<Scalars['String']['output']>;
  /** The RUSSIA rating: `russia0`, `russia6`, `russia12`, `russia16`, `russia18`, `russiaUnrated`. */
  russiaRating: Maybe<Scalars['String']['output']>;
  /** The SKFILM rating: `skfilmG`, `skfilmP2`, `skfilmP5`, `skfilmP8`, `skfilmUnrated`. */
  skfilmRating: Maybe<Scalars['String']['output']>;
  /** The SMAIS rating: `smaisL`, `smais7`, `smais12`, `smais14`, `smais16`, `smais18`, `smaisUnrated`. */
  smaisRating: Maybe<Scalars['String']['output']>;
  /** The SMSA rating: `smsaA`, `smsa7`, `smsa11`, `smsa15`, `smsaUnrated`. */
  smsaRating: Maybe<Scalars['String']['output']>;
  /** The TVPG rating: `tvpgY`, `tvpgY7`, `tvpgY7Fv`, `tvpgG`, `tvpgPg`, `pg14`, `tvpgMa`, `tvpgUnrated`. */
  tvpgRating: Maybe<Scalars['String']['output']>;
  /** The YT rating: `ytAgeRestricted`. */
  ytRating: Maybe<Scalars['String']['output']>;
};

/** A video in a list. */
export type VideoEdge = {
  __typename?: 'VideoEdge';
  /** Its cursor, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The video. */
  node: Video;
};

/** An audio stream of a file. From the video resource, `fileDetails.audioStreams`. */
export type VideoFileAudioStream = {
  __typename?: 'VideoFileAudioStream';
  /** Bits per second. */
  bitrateBps: Maybe<Scalars['UInt64']['output']>;
  /** Channels. */
  channelCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** The codec. */
  codec: Maybe<Scalars['String']['output']>;
  /** Its maker, in four characters. */
  vendor: Maybe<Scalars['String']['output']>;
};

/** The uploaded file of a video. From the video resource, `fileDetails`. */
export type VideoFileDetails = {
  __typename?: 'VideoFileDetails';
  /** Its audio streams. */
  audioStreams: Maybe<Array<VideoFileAudioStream>>;
  /** Bits per second, of all its streams together. */
  bitrateBps: Maybe<Scalars['UInt64']['output']>;
  /** The container format. */
  container: Maybe<Scalars['String']['output']>;
  /** When it was made, as the file says: a date, a time without a zone, or a time with one. */
  creationTime: Maybe<Scalars['String']['output']>;
  /** The duration in milliseconds. */
  durationMs: Maybe<Scalars['UInt64']['output']>;
  /** Its name. */
  fileName: Maybe<Scalars['String']['output']>;
  /** Bytes. */
  fileSize: Maybe<Scalars['UInt64']['output']>;
  /** `archive`, `audio`, `document`, `image`, `other`, `project` or `video`. */
  fileType: Maybe<Scalars['String']['output']>;
  /** Its video streams. */
  videoStreams: Maybe<Array<VideoFileVideoStream>>;
};

/** A video stream of a file. From the video resource, `fileDetails.videoStreams`. */
export type VideoFileVideoStream = {
  __typename?: 'VideoFileVideoStream';
  /** The ratio of width to height. */
  aspectRatio: Maybe<Scalars['Float']['output']>;
  /** Bits per second. */
  bitrateBps: Maybe<Scalars['UInt64']['output']>;
  /** The codec. */
  codec: Maybe<Scalars['String']['output']>;
  /** Frames per second. */
  frameRateFps: Maybe<Scalars['Float']['output']>;
  /** Pixels. */
  heightPixels: Maybe<Scalars['UnsignedInt']['output']>;
  /** `none`, `clockwise`, `counterClockwise`, `upsideDown` or `other`. */
  rotation: Maybe<Scalars['String']['output']>;
  /** Its maker, in four characters. */
  vendor: Maybe<Scalars['String']['output']>;
  /** Pixels. */
  widthPixels: Maybe<Scalars['UnsignedInt']['output']>;
};

/** The live broadcast of a video. From the video resource, `liveStreamingDetails`. */
export type VideoLiveStreamingDetails = {
  __typename?: 'VideoLiveStreamingDetails';
  /** The id of its chat; only while live. */
  activeLiveChatId: Maybe<Scalars['String']['output']>;
  /** When it ended. */
  actualEndTime: Maybe<Scalars['DateTime']['output']>;
  /** When it began. */
  actualStartTime: Maybe<Scalars['DateTime']['output']>;
  /** How many watch now; only while live. */
  concurrentViewers: Maybe<Scalars['UInt64']['output']>;
  /** When it is scheduled to end. */
  scheduledEndTime: Maybe<Scalars['DateTime']['output']>;
  /** When it is scheduled to begin. */
  scheduledStartTime: Maybe<Scalars['DateTime']['output']>;
};

/** Title and description in another language. From the video resource, `localizations`. */
export type VideoLocalization = {
  __typename?: 'VideoLocalization';
  /** The description. */
  description: Maybe<Scalars['String']['output']>;
  /** The language, BCP 47. */
  key: Scalars['String']['output'];
  /** The title. */
  title: Maybe<Scalars['String']['output']>;
};

/** Title and description in one language. They require `snippet.defaultLanguage`. */
export type VideoLocalizationInput = {
  /** Up to 5,000 bytes of UTF-8, without `<` and `>`. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The language, BCP 47. */
  key: Scalars['String']['input'];
  /** 1 to 100 characters, without `<` and `>`. */
  title: Scalars['String']['input'];
};

/** Title and description in one language. From the video resource, `snippet.localized`. */
export type VideoLocalized = {
  __typename?: 'VideoLocalized';
  /** The description. */
  description: Maybe<Scalars['String']['output']>;
  /** The title. */
  title: Maybe<Scalars['String']['output']>;
};

/** Advertising in a video. From the video resource, `paidProductPlacementDetails`. */
export type VideoPaidProductPlacementDetails = {
  __typename?: 'VideoPaidProductPlacementDetails';
  /** Whether its owner declared that somebody paid for a product to appear in it. */
  hasPaidProductPlacement: Maybe<Scalars['Boolean']['output']>;
};

/** Writable fields about advertising in a video. A null field counts as not set. */
export type VideoPaidProductPlacementDetailsInput = {
  /** Whether somebody paid for a product to appear in it. */
  hasPaidProductPlacement?: InputMaybe<Scalars['Boolean']['input']>;
};

/** How a video is embedded. From the video resource, `player`. */
export type VideoPlayer = {
  __typename?: 'VideoPlayer';
  /** Pixels; null if no size was requested. */
  embedHeight: Maybe<Scalars['UInt64']['output']>;
  /** HTML that shows the player. */
  embedHtml: Maybe<Scalars['String']['output']>;
  /** Pixels; null if no size was requested. */
  embedWidth: Maybe<Scalars['UInt64']['output']>;
};

/** The state of processing of a video. From the video resource, `processingDetails`. */
export type VideoProcessingDetails = {
  __typename?: 'VideoProcessingDetails';
  /** Whether suggested edits can be requested. */
  editorSuggestionsAvailability: Maybe<Scalars['String']['output']>;
  /** Whether `fileDetails` can be requested. */
  fileDetailsAvailability: Maybe<Scalars['String']['output']>;
  /** With `failed`: `other`, `streamingFailed`, `transcodeFailed` or `uploadFailed`. */
  processingFailureReason: Maybe<Scalars['String']['output']>;
  /** Whether `suggestions` about processing can be requested. */
  processingIssuesAvailability: Maybe<Scalars['String']['output']>;
  /** The progress; while `processing`. */
  processingProgress: Maybe<VideoProcessingProgress>;
  /** `processing`, `succeeded`, `failed` or `terminated`. */
  processingStatus: Maybe<Scalars['String']['output']>;
  /** Whether suggested tags can be requested. */
  tagSuggestionsAvailability: Maybe<Scalars['String']['output']>;
  /** Whether preview pictures can be requested. */
  thumbnailsAvailability: Maybe<Scalars['String']['output']>;
};

/** The progress of processing. From the video resource, `processingDetails.processingProgress`. */
export type VideoProcessingProgress = {
  __typename?: 'VideoProcessingProgress';
  /** Parts that are done. */
  partsProcessed: Maybe<Scalars['UInt64']['output']>;
  /** Parts in all; an estimate. */
  partsTotal: Maybe<Scalars['UInt64']['output']>;
  /** Milliseconds left; an estimate. */
  timeLeftMs: Maybe<Scalars['UInt64']['output']>;
};

/** A rating that the caller gave. */
export type VideoRating =
  /** Disliked. */
  | 'DISLIKE'
  /** Liked. */
  | 'LIKE';

/** When and where a video was recorded. From the video resource, `recordingDetails`. */
export type VideoRecordingDetails = {
  __typename?: 'VideoRecordingDetails';
  /** Where it was recorded. */
  location: Maybe<VideoRecordingLocation>;
  /** The place in words. */
  locationDescription: Maybe<Scalars['String']['output']>;
  /** When it was recorded. */
  recordingDate: Maybe<Scalars['DateTime']['output']>;
};

/** Writable fields of a video's recording details. A null field counts as not set. */
export type VideoRecordingDetailsInput = {
  /** Where it was recorded; replaced as a whole. */
  location?: InputMaybe<VideoRecordingLocationInput>;
  /** The place in words. */
  locationDescription?: InputMaybe<Scalars['String']['input']>;
  /** When it was recorded. */
  recordingDate?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A place on Earth. From the video resource, `recordingDetails.location`. */
export type VideoRecordingLocation = {
  __typename?: 'VideoRecordingLocation';
  /** Metres above the reference ellipsoid. */
  altitude: Maybe<Scalars['Float']['output']>;
  /** Degrees, -90 to 90. */
  latitude: Maybe<Scalars['Float']['output']>;
  /** Degrees, -180 to 180. */
  longitude: Maybe<Scalars['Float']['output']>;
};

/** A place on Earth. */
export type VideoRecordingLocationInput = {
  /** Metres above the reference ellipsoid. */
  altitude?: InputMaybe<Scalars['Float']['input']>;
  /** Degrees, -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** Degrees, -180 to 180. */
  longitude: Scalars['Float']['input'];
};

/** Where a video may be watched. One of the lists is set. From the video resource, `contentDetails.regionRestriction`. */
export type VideoRegionRestriction = {
  __typename?: 'VideoRegionRestriction';
  /** Only in these countries, ISO 3166-1 alpha-2. An empty list means nowhere. */
  allowed: Maybe<Array<Scalars['String']['output']>>;
  /** Everywhere but in these countries, ISO 3166-1 alpha-2. An empty list means everywhere. */
  blocked: Maybe<Array<Scalars['String']['output']>>;
};

/** Title, description, channel and keywords of a video. From the video resource, `snippet`. */
export type VideoSnippet = {
  __typename?: 'VideoSnippet';
  /** The id of its category. */
  categoryId: Maybe<Scalars['String']['output']>;
  /** The service's id of the channel that published it. */
  channelId: Maybe<Scalars['ID']['output']>;
  /** The channel's title. */
  channelTitle: Maybe<Scalars['String']['output']>;
  /** The language spoken, BCP 47. */
  defaultAudioLanguage: Maybe<Scalars['String']['output']>;
  /** The language of title and description, BCP 47. */
  defaultLanguage: Maybe<Scalars['String']['output']>;
  /** Its description, up to 5,000 bytes of UTF-8. */
  description: Maybe<Scalars['String']['output']>;
  /** Whether it is a broadcast: `none`, `upcoming` or `live`. */
  liveBroadcastContent: Maybe<Scalars['String']['output']>;
  /** Title and description in the requested language, or in the default one. */
  localized: Maybe<VideoLocalized>;
  /** When it was published. */
  publishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Keywords, about 500 characters in all. */
  tags: Maybe<Array<Scalars['String']['output']>>;
  /** Preview pictures by size. */
  thumbnails: Maybe<Array<Thumbnail>>;
  /** Its title, 1 to 100 characters. */
  title: Maybe<Scalars['String']['output']>;
};


/** Title, description, channel and keywords of a video. From the video resource, `snippet`. */
export type VideoSnippetThumbnailsArgs = {
  key?: InputMaybe<Scalars['String']['input']>;
};

/** Writable fields of a video's snippet. A null field counts as not set. */
export type VideoSnippetInput = {
  /** The id of its category. Required with `replace`. */
  categoryId?: InputMaybe<Scalars['String']['input']>;
  /** The language spoken, BCP 47. */
  defaultAudioLanguage?: InputMaybe<Scalars['String']['input']>;
  /** The language of title and description, BCP 47. */
  defaultLanguage?: InputMaybe<Scalars['String']['input']>;
  /** Up to 5,000 bytes of UTF-8, without `<` and `>`. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Keywords, at most 500 characters in all. Commas between them count, and a keyword with a space counts two more. */
  tags?: InputMaybe<Array<Scalars['String']['input']>>;
  /** 1 to 100 characters, without `<` and `>`. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** Counters of a video. A hidden one is null, not zero. From the video resource, `statistics`. */
export type VideoStatistics = {
  __typename?: 'VideoStatistics';
  /** How many comments it has. */
  commentCount: Maybe<Scalars['UInt64']['output']>;
  /** How many dislike it; null for callers other than the owner. */
  dislikeCount: Maybe<Scalars['UInt64']['output']>;
  /** Always zero: the service no longer counts it. */
  favoriteCount: Maybe<Scalars['UInt64']['output']>;
  /** How many like it. */
  likeCount: Maybe<Scalars['UInt64']['output']>;
  /** How often it was watched. */
  viewCount: Maybe<Scalars['UInt64']['output']>;
};

/** Upload, privacy and licence of a video. From the video resource, `status`. */
export type VideoStatus = {
  __typename?: 'VideoStatus';
  /**
   * Whether its owner disclosed that it shows realistic content which was altered or generated; null if there is no
   * disclosure.
   */
  containsSyntheticMedia: Maybe<Scalars['Boolean']['output']>;
  /** Whether other sites may embed it. */
  embeddable: Maybe<Scalars['Boolean']['output']>;
  /** With `failed`: `codec`, `conversion`, `emptyFile`, `invalidFile`, `tooSmall` or `uploadAborted`. */
  failureReason: Maybe<Scalars['String']['output']>;
  /** `creativeCommon`, or the service's own licence. */
  license: Maybe<Scalars['String']['output']>;
  /** Whether it counts as made for kids. */
  madeForKids: Maybe<Scalars['Boolean']['output']>;
  /** `public`, `unlisted` or `private`. */
  privacyStatus: Maybe<Scalars['String']['output']>;
  /** Whether everyone sees its statistics. */
  publicStatsViewable: Maybe<Scalars['Boolean']['output']>;
  /** When it will be published. Only a `private` video has it. */
  publishAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * With `rejected`: `claim`, `copyright`, `duplicate`, `inappropriate`, `legal`, `length`, `termsOfUse`, `trademark`,
   * `uploaderAccountClosed` or `uploaderAccountSuspended`.
   */
  rejectionReason: Maybe<Scalars['String']['output']>;
  /** Whether its owner declared it made for kids; null for other callers. */
  selfDeclaredMadeForKids: Maybe<Scalars['Boolean']['output']>;
  /** `uploaded`, `processed`, `failed`, `rejected` or `deleted`. */
  uploadStatus: Maybe<Scalars['String']['output']>;
};

/** Writable fields of a video's status. A null field counts as not set. */
export type VideoStatusInput = {
  /** Whether it shows realistic content which was altered or generated. The law may require this disclosure. */
  containsSyntheticMedia?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether other sites may embed it. */
  embeddable?: InputMaybe<Scalars['Boolean']['input']>;
  /** `creativeCommon`, or the service's own licence. */
  license?: InputMaybe<Scalars['String']['input']>;
  /** `public`, `unlisted` or `private`. */
  privacyStatus?: InputMaybe<Scalars['String']['input']>;
  /** Whether everyone sees its statistics. */
  publicStatsViewable?: InputMaybe<Scalars['Boolean']['input']>;
  /** When to publish it. Allowed only with `privacyStatus` `private`. A time in the past publishes it at once. */
  publishAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Whether it is made for kids. */
  selfDeclaredMadeForKids?: InputMaybe<Scalars['Boolean']['input']>;
};

/** How a video could be improved. From the video resource, `suggestions`. */
export type VideoSuggestions = {
  __typename?: 'VideoSuggestions';
  /** Edits that could help. */
  editorSuggestions: Maybe<Array<Scalars['String']['output']>>;
  /** Reasons why it cannot be processed. */
  processingErrors: Maybe<Array<Scalars['String']['output']>>;
  /** Suggestions for a better result. */
  processingHints: Maybe<Array<Scalars['String']['output']>>;
  /** Problems that may occur. */
  processingWarnings: Maybe<Array<Scalars['String']['output']>>;
  /** Keywords that could help. */
  tagSuggestions: Maybe<Array<VideoTagSuggestion>>;
};

/** A keyword that could help. From the video resource, `suggestions.tagSuggestions`. */
export type VideoTagSuggestion = {
  __typename?: 'VideoTagSuggestion';
  /** The categories to which it applies. An empty list means all. */
  categoryRestricts: Maybe<Array<Scalars['String']['output']>>;
  /** The keyword. */
  tag: Maybe<Scalars['String']['output']>;
};

/** What a video is about. From the video resource, `topicDetails`. */
export type VideoTopicDetails = {
  __typename?: 'VideoTopicDetails';
  /** Ids of relevant topics. */
  relevantTopicIds: Maybe<Array<Scalars['String']['output']>>;
  /** Addresses of articles that describe it. */
  topicCategories: Maybe<Array<Scalars['String']['output']>>;
  /** Ids of topics; the service no longer fills them. */
  topicIds: Maybe<Array<Scalars['String']['output']>>;
};

/** The progress of an upload. */
export type VideoUpload = {
  __typename?: 'VideoUpload';
  /** Whether all has arrived and the video exists. */
  complete: Scalars['Boolean']['output'];
  /** Bytes that have arrived. */
  receivedBytes: Scalars['UInt64']['output'];
  /** The size of the file in bytes. */
  totalBytes: Scalars['UInt64']['output'];
  /** The new video; null until all has arrived. */
  video: Maybe<Video>;
};

/**
 * An address that accepts the bytes of one video from everybody who knows it. Send them by `PUT` as a whole, or in
 * parts with `Content-Range: bytes FIRST-LAST/TOTAL`. Each part gets status 308 with a `Range` that says what has
 * arrived. After a broken connection, ask what has arrived with a `PUT` without a body; its `Content-Range` has an
 * asterisk instead of `FIRST-LAST`. The last response is 201 with the video and its `globalId`.
 */
export type VideoUploadTarget = {
  __typename?: 'VideoUploadTarget';
  /** The recommended size of parts, in bytes. Any multiple of 262,144 is accepted. */
  chunkSize: Scalars['Int']['output'];
  /** When the address expires. */
  expiresAt: Scalars['DateTime']['output'];
  /** The HTTP method: `PUT`. */
  method: Scalars['String']['output'];
  /** The address. Keep it secret, because everybody who knows it can write. */
  url: Scalars['String']['output'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  Channel: Channel;
  Video: Video;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Channel:
    ( { __typename: 'Channel' }
    & ( GraphQLRecursivePick<FederationTypes['Channel'], {"id":true}>
        | GraphQLRecursivePick<FederationTypes['Channel'], {"channelId":true}> ) );
  Video:
    ( { __typename: 'Video' }
    & ( GraphQLRecursivePick<FederationTypes['Video'], {"id":true}>
        | GraphQLRecursivePick<FederationTypes['Video'], {"videoId":true}> ) );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( ChannelModel )
    | ( CommentModel )
    | ( ThreadModel )
    | ( VideoModel )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Channel: ResolverTypeWrapper<ChannelModel>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Comment: ResolverTypeWrapper<CommentModel>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CommentConnection: ResolverTypeWrapper<CommentConnectionModel>;
  CommentEdge: ResolverTypeWrapper<CommentEdgeModel>;
  CommentModerationStatus: CommentModerationStatus;
  CommentOrder: CommentOrder;
  CommentThread: ResolverTypeWrapper<ThreadModel>;
  CommentThreadAdded: ResolverTypeWrapper<ThreadAddedModel>;
  CommentThreadConnection: ResolverTypeWrapper<ThreadConnectionModel>;
  CommentThreadEdge: ResolverTypeWrapper<ThreadEdgeModel>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeleteVideoInput: DeleteVideoInput;
  DeleteVideoPayload: ResolverTypeWrapper<DeleteVideoPayload>;
  InsertCommentThreadInput: InsertCommentThreadInput;
  InsertCommentThreadPayload: ResolverTypeWrapper<Omit<InsertCommentThreadPayload, 'commentThread' | 'commentThreadEdge'> & { commentThread: ResolversTypes['CommentThread'], commentThreadEdge: ResolversTypes['CommentThreadEdge'] }>;
  InsertVideoInput: InsertVideoInput;
  InsertVideoPayload: ResolverTypeWrapper<Omit<InsertVideoPayload, 'upload'> & { upload: ResolversTypes['VideoUploadTarget'] }>;
  MediaQuota: ResolverTypeWrapper<QuotaState>;
  MediaQuotaOperation: ResolverTypeWrapper<MediaQuotaOperation>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Thumbnail: ResolverTypeWrapper<Thumbnail>;
  UInt64: ResolverTypeWrapper<Scalars['UInt64']['output']>;
  UnsignedInt: ResolverTypeWrapper<Scalars['UnsignedInt']['output']>;
  UpdateVideoInput: UpdateVideoInput;
  UpdateVideoPayload: ResolverTypeWrapper<UpdatedModel>;
  Video: ResolverTypeWrapper<VideoModel>;
  VideoChart: VideoChart;
  VideoConnection: ResolverTypeWrapper<VideoConnectionModel>;
  VideoContentDetails: ResolverTypeWrapper<VideoContentDetails>;
  VideoContentRating: ResolverTypeWrapper<VideoContentRating>;
  VideoEdge: ResolverTypeWrapper<VideoEdgeModel>;
  VideoFileAudioStream: ResolverTypeWrapper<VideoFileAudioStream>;
  VideoFileDetails: ResolverTypeWrapper<VideoFileDetails>;
  VideoFileVideoStream: ResolverTypeWrapper<VideoFileVideoStream>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  VideoLiveStreamingDetails: ResolverTypeWrapper<VideoLiveStreamingDetails>;
  VideoLocalization: ResolverTypeWrapper<VideoLocalization>;
  VideoLocalizationInput: VideoLocalizationInput;
  VideoLocalized: ResolverTypeWrapper<VideoLocalized>;
  VideoPaidProductPlacementDetails: ResolverTypeWrapper<VideoPaidProductPlacementDetails>;
  VideoPaidProductPlacementDetailsInput: VideoPaidProductPlacementDetailsInput;
  VideoPlayer: ResolverTypeWrapper<VideoPlayer>;
  VideoProcessingDetails: ResolverTypeWrapper<VideoProcessingDetails>;
  VideoProcessingProgress: ResolverTypeWrapper<VideoProcessingProgress>;
  VideoRating: VideoRating;
  VideoRecordingDetails: ResolverTypeWrapper<VideoRecordingDetails>;
  VideoRecordingDetailsInput: VideoRecordingDetailsInput;
  VideoRecordingLocation: ResolverTypeWrapper<VideoRecordingLocation>;
  VideoRecordingLocationInput: VideoRecordingLocationInput;
  VideoRegionRestriction: ResolverTypeWrapper<VideoRegionRestriction>;
  VideoSnippet: ResolverTypeWrapper<VideoSnippet>;
  VideoSnippetInput: VideoSnippetInput;
  VideoStatistics: ResolverTypeWrapper<VideoStatistics>;
  VideoStatus: ResolverTypeWrapper<VideoStatus>;
  VideoStatusInput: VideoStatusInput;
  VideoSuggestions: ResolverTypeWrapper<VideoSuggestions>;
  VideoTagSuggestion: ResolverTypeWrapper<VideoTagSuggestion>;
  VideoTopicDetails: ResolverTypeWrapper<VideoTopicDetails>;
  VideoUpload: ResolverTypeWrapper<UploadState>;
  VideoUploadTarget: ResolverTypeWrapper<UploadTarget>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Channel: ChannelModel;
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
  ID: Scalars['ID']['output'];
  Comment: CommentModel;
  Boolean: Scalars['Boolean']['output'];
  CommentConnection: CommentConnectionModel;
  CommentEdge: CommentEdgeModel;
  CommentThread: ThreadModel;
  CommentThreadAdded: ThreadAddedModel;
  CommentThreadConnection: ThreadConnectionModel;
  CommentThreadEdge: ThreadEdgeModel;
  DateTime: Scalars['DateTime']['output'];
  DeleteVideoInput: DeleteVideoInput;
  DeleteVideoPayload: DeleteVideoPayload;
  InsertCommentThreadInput: InsertCommentThreadInput;
  InsertCommentThreadPayload: Omit<InsertCommentThreadPayload, 'commentThread' | 'commentThreadEdge'> & { commentThread: ResolversParentTypes['CommentThread'], commentThreadEdge: ResolversParentTypes['CommentThreadEdge'] };
  InsertVideoInput: InsertVideoInput;
  InsertVideoPayload: Omit<InsertVideoPayload, 'upload'> & { upload: ResolversParentTypes['VideoUploadTarget'] };
  MediaQuota: QuotaState;
  MediaQuotaOperation: MediaQuotaOperation;
  Mutation: Record<PropertyKey, never>;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  PageInfo: PageInfo;
  Query: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  Thumbnail: Thumbnail;
  UInt64: Scalars['UInt64']['output'];
  UnsignedInt: Scalars['UnsignedInt']['output'];
  UpdateVideoInput: UpdateVideoInput;
  UpdateVideoPayload: UpdatedModel;
  Video: VideoModel;
  VideoConnection: VideoConnectionModel;
  VideoContentDetails: VideoContentDetails;
  VideoContentRating: VideoContentRating;
  VideoEdge: VideoEdgeModel;
  VideoFileAudioStream: VideoFileAudioStream;
  VideoFileDetails: VideoFileDetails;
  VideoFileVideoStream: VideoFileVideoStream;
  Float: Scalars['Float']['output'];
  VideoLiveStreamingDetails: VideoLiveStreamingDetails;
  VideoLocalization: VideoLocalization;
  VideoLocalizationInput: VideoLocalizationInput;
  VideoLocalized: VideoLocalized;
  VideoPaidProductPlacementDetails: VideoPaidProductPlacementDetails;
  VideoPaidProductPlacementDetailsInput: VideoPaidProductPlacementDetailsInput;
  VideoPlayer: VideoPlayer;
  VideoProcessingDetails: VideoProcessingDetails;
  VideoProcessingProgress: VideoProcessingProgress;
  VideoRecordingDetails: VideoRecordingDetails;
  VideoRecordingDetailsInput: VideoRecordingDetailsInput;
  VideoRecordingLocation: VideoRecordingLocation;
  VideoRecordingLocationInput: VideoRecordingLocationInput;
  VideoRegionRestriction: VideoRegionRestriction;
  VideoSnippet: VideoSnippet;
  VideoSnippetInput: VideoSnippetInput;
  VideoStatistics: VideoStatistics;
  VideoStatus: VideoStatus;
  VideoStatusInput: VideoStatusInput;
  VideoSuggestions: VideoSuggestions;
  VideoTagSuggestion: VideoTagSuggestion;
  VideoTopicDetails: VideoTopicDetails;
  VideoUpload: UploadState;
  VideoUploadTarget: UploadTarget;
};

export type ChannelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Channel'] = ResolversParentTypes['Channel'], FederationReferenceType extends FederationReferenceTypes['Channel'] = FederationReferenceTypes['Channel']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Channel']> | FederationReferenceType, FederationReferenceType, ContextType>;
  allCommentThreads?: Resolver<Maybe<ResolversTypes['CommentThreadConnection']>, ParentType, ContextType, Partial<ChannelAllCommentThreadsArgs>>;
  channelId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  commentThreads?: Resolver<Maybe<ResolversTypes['CommentThreadConnection']>, ParentType, ContextType, Partial<ChannelCommentThreadsArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  moderatedCommentThreads?: Resolver<Maybe<ResolversTypes['CommentThreadConnection']>, ParentType, ContextType, RequireFields<ChannelModeratedCommentThreadsArgs, 'status'>>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CommentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Comment'] = ResolversParentTypes['Comment']> = {
  authorChannel?: Resolver<Maybe<ResolversTypes['Channel']>, ParentType, ContextType>;
  authorChannelUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  authorDisplayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  authorProfileImageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  canRate?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  channelId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  commentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  etag?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  likeCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  moderationStatus?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  parentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  publishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  textDisplay?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  textOriginal?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  video?: Resolver<Maybe<ResolversTypes['Video']>, ParentType, ContextType>;
  videoId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  viewerRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CommentConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CommentConnection'] = ResolversParentTypes['CommentConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CommentEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Comment']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CommentEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CommentEdge'] = ResolversParentTypes['CommentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Comment'], ParentType, ContextType>;
};

export type CommentThreadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CommentThread'] = ResolversParentTypes['CommentThread']> = {
  allReplies?: Resolver<Maybe<ResolversTypes['CommentConnection']>, ParentType, ContextType, Partial<CommentThreadAllRepliesArgs>>;
  canReply?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  channel?: Resolver<Maybe<ResolversTypes['Channel']>, ParentType, ContextType>;
  channelId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  etag?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isPublic?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  replies?: Resolver<Array<ResolversTypes['Comment']>, ParentType, ContextType>;
  repliesComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  threadId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  topLevelComment?: Resolver<Maybe<ResolversTypes['Comment']>, ParentType, ContextType>;
  totalReplyCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  video?: Resolver<Maybe<ResolversTypes['Video']>, ParentType, ContextType>;
  videoId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CommentThreadAddedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CommentThreadAdded'] = ResolversParentTypes['CommentThreadAdded']> = {
  after?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  commentThreadEdge?: Resolver<ResolversTypes['CommentThreadEdge'], ParentType, ContextType>;
  gap?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type CommentThreadConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CommentThreadConnection'] = ResolversParentTypes['CommentThreadConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CommentThreadEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['CommentThread']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CommentThreadEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CommentThreadEdge'] = ResolversParentTypes['CommentThreadEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['CommentThread'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeleteVideoPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeleteVideoPayload'] = ResolversParentTypes['DeleteVideoPayload']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  deletedVideoId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type InsertCommentThreadPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InsertCommentThreadPayload'] = ResolversParentTypes['InsertCommentThreadPayload']> = {
  commentThread?: Resolver<ResolversTypes['CommentThread'], ParentType, ContextType>;
  commentThreadEdge?: Resolver<ResolversTypes['CommentThreadEdge'], ParentType, ContextType>;
};

export type InsertVideoPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InsertVideoPayload'] = ResolversParentTypes['InsertVideoPayload']> = {
  upload?: Resolver<ResolversTypes['VideoUploadTarget'], ParentType, ContextType>;
};

export type MediaQuotaResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MediaQuota'] = ResolversParentTypes['MediaQuota']> = {
  limit?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  operations?: Resolver<Array<ResolversTypes['MediaQuotaOperation']>, ParentType, ContextType>;
  remaining?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  resetsAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MediaQuotaOperationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MediaQuotaOperation'] = ResolversParentTypes['MediaQuotaOperation']> = {
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  units?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  deleteVideo?: Resolver<Maybe<ResolversTypes['DeleteVideoPayload']>, ParentType, ContextType, RequireFields<MutationDeleteVideoArgs, 'input'>>;
  insertCommentThread?: Resolver<Maybe<ResolversTypes['InsertCommentThreadPayload']>, ParentType, ContextType, RequireFields<MutationInsertCommentThreadArgs, 'input'>>;
  insertVideo?: Resolver<Maybe<ResolversTypes['InsertVideoPayload']>, ParentType, ContextType, RequireFields<MutationInsertVideoArgs, 'input'>>;
  updateVideo?: Resolver<Maybe<ResolversTypes['UpdateVideoPayload']>, ParentType, ContextType, RequireFields<MutationUpdateVideoArgs, 'input'>>;
};

export type NodeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Channel' | 'Comment' | 'CommentThread' | 'Video', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  channel?: Resolver<Maybe<ResolversTypes['Channel']>, ParentType, ContextType, RequireFields<QueryChannelArgs, 'channelId'>>;
  chartVideos?: Resolver<Maybe<ResolversTypes['VideoConnection']>, ParentType, ContextType, RequireFields<QueryChartVideosArgs, 'chart'>>;
  commentThread?: Resolver<Maybe<ResolversTypes['CommentThread']>, ParentType, ContextType, RequireFields<QueryCommentThreadArgs, 'threadId'>>;
  mediaQuota?: Resolver<Maybe<ResolversTypes['MediaQuota']>, ParentType, ContextType>;
  ratedVideos?: Resolver<Maybe<ResolversTypes['VideoConnection']>, ParentType, ContextType, RequireFields<QueryRatedVideosArgs, 'rating'>>;
  video?: Resolver<Maybe<ResolversTypes['Video']>, ParentType, ContextType, RequireFields<QueryVideoArgs, 'videoId'>>;
  videoUpload?: Resolver<Maybe<ResolversTypes['VideoUpload']>, ParentType, ContextType, RequireFields<QueryVideoUploadArgs, 'url'>>;
  videos?: Resolver<Maybe<Array<Maybe<ResolversTypes['Video']>>>, ParentType, ContextType, RequireFields<QueryVideosArgs, 'videoIds'>>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  commentThreadAdded?: SubscriptionResolver<Maybe<ResolversTypes['CommentThreadAdded']>, "commentThreadAdded", ParentType, ContextType, RequireFields<SubscriptionCommentThreadAddedArgs, 'videoId'>>;
  mediaQuotaChanged?: SubscriptionResolver<Maybe<ResolversTypes['MediaQuota']>, "mediaQuotaChanged", ParentType, ContextType>;
  videoChanged?: SubscriptionResolver<Maybe<ResolversTypes['Video']>, "videoChanged", ParentType, ContextType, RequireFields<SubscriptionVideoChangedArgs, 'videoIds'>>;
};

export type ThumbnailResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Thumbnail'] = ResolversParentTypes['Thumbnail']> = {
  height?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  width?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export interface UInt64ScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UInt64'], any> {
  name: 'UInt64';
}

export interface UnsignedIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UnsignedInt'], any> {
  name: 'UnsignedInt';
}

export type UpdateVideoPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UpdateVideoPayload'] = ResolversParentTypes['UpdateVideoPayload']> = {
  video?: Resolver<Maybe<ResolversTypes['Video']>, ParentType, ContextType>;
  videoId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type VideoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Video'] = ResolversParentTypes['Video'], FederationReferenceType extends FederationReferenceTypes['Video'] = FederationReferenceTypes['Video']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Video']> | FederationReferenceType, FederationReferenceType, ContextType>;
  channel?: Resolver<Maybe<ResolversTypes['Channel']>, ParentType, ContextType>;
  commentThreads?: Resolver<Maybe<ResolversTypes['CommentThreadConnection']>, ParentType, ContextType, Partial<VideoCommentThreadsArgs>>;
  contentDetails?: Resolver<Maybe<ResolversTypes['VideoContentDetails']>, ParentType, ContextType>;
  etag?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fileDetails?: Resolver<Maybe<ResolversTypes['VideoFileDetails']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  liveStreamingDetails?: Resolver<Maybe<ResolversTypes['VideoLiveStreamingDetails']>, ParentType, ContextType>;
  localizations?: Resolver<Maybe<Array<ResolversTypes['VideoLocalization']>>, ParentType, ContextType, Partial<VideoLocalizationsArgs>>;
  moderatedCommentThreads?: Resolver<Maybe<ResolversTypes['CommentThreadConnection']>, ParentType, ContextType, RequireFields<VideoModeratedCommentThreadsArgs, 'status'>>;
  paidProductPlacementDetails?: Resolver<Maybe<ResolversTypes['VideoPaidProductPlacementDetails']>, ParentType, ContextType>;
  player?: Resolver<Maybe<ResolversTypes['VideoPlayer']>, ParentType, ContextType>;
  processingDetails?: Resolver<Maybe<ResolversTypes['VideoProcessingDetails']>, ParentType, ContextType>;
  recordingDetails?: Resolver<Maybe<ResolversTypes['VideoRecordingDetails']>, ParentType, ContextType>;
  snippet?: Resolver<Maybe<ResolversTypes['VideoSnippet']>, ParentType, ContextType>;
  statistics?: Resolver<Maybe<ResolversTypes['VideoStatistics']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['VideoStatus']>, ParentType, ContextType>;
  suggestions?: Resolver<Maybe<ResolversTypes['VideoSuggestions']>, ParentType, ContextType>;
  topicDetails?: Resolver<Maybe<ResolversTypes['VideoTopicDetails']>, ParentType, ContextType>;
  videoId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type VideoConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoConnection'] = ResolversParentTypes['VideoConnection']> = {
  edges?: Resolver<Array<ResolversTypes['VideoEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Video']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type VideoContentDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoContentDetails'] = ResolversParentTypes['VideoContentDetails']> = {
  caption?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  contentRating?: Resolver<Maybe<ResolversTypes['VideoContentRating']>, ParentType, ContextType>;
  definition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dimension?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  duration?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasCustomThumbnail?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  licensedContent?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  projection?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  regionRestriction?: Resolver<Maybe<ResolversTypes['VideoRegionRestriction']>, ParentType, ContextType>;
};

export type VideoContentRatingResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoContentRating'] = ResolversParentTypes['VideoContentRating']> = {
  acbRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  agcomRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  anatelRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bbfcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bfvcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bmukkRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  catvRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  catvfrRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cbfcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cccRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cceRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  chfilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  chvrsRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cicfRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cnaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cncRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  csaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cscfRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  czfilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  djctqRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  djctqRatingReasons?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  ecbmctRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  eefilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  egfilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  eirinRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fcbmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fcoRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fmocRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fpbRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fpbRatingReasons?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  fskRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  grfilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  icaaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ifcoRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ilfilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  incaaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kfcbRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kijkwijzerRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kmrbRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lsfRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mccaaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mccypRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mcstRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mdaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  medietilsynetRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mekuRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mibacRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mocRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  moctwRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mpaaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mpaatRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mtrcbRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nbcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nbcplRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nfrcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nfvcbRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nkclvRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  oflcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pefilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rcnofRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  resorteviolenciaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rtcRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rteRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  russiaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  skfilmRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  smaisRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  smsaRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  tvpgRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ytRating?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoEdge'] = ResolversParentTypes['VideoEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Video'], ParentType, ContextType>;
};

export type VideoFileAudioStreamResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoFileAudioStream'] = ResolversParentTypes['VideoFileAudioStream']> = {
  bitrateBps?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  channelCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  codec?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  vendor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoFileDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoFileDetails'] = ResolversParentTypes['VideoFileDetails']> = {
  audioStreams?: Resolver<Maybe<Array<ResolversTypes['VideoFileAudioStream']>>, ParentType, ContextType>;
  bitrateBps?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  container?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creationTime?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  fileName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fileSize?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  fileType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  videoStreams?: Resolver<Maybe<Array<ResolversTypes['VideoFileVideoStream']>>, ParentType, ContextType>;
};

export type VideoFileVideoStreamResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoFileVideoStream'] = ResolversParentTypes['VideoFileVideoStream']> = {
  aspectRatio?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  bitrateBps?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  codec?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  frameRateFps?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  heightPixels?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  rotation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  vendor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  widthPixels?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export type VideoLiveStreamingDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoLiveStreamingDetails'] = ResolversParentTypes['VideoLiveStreamingDetails']> = {
  activeLiveChatId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  actualEndTime?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  actualStartTime?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  concurrentViewers?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  scheduledEndTime?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  scheduledStartTime?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type VideoLocalizationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoLocalization'] = ResolversParentTypes['VideoLocalization']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoLocalizedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoLocalized'] = ResolversParentTypes['VideoLocalized']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoPaidProductPlacementDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoPaidProductPlacementDetails'] = ResolversParentTypes['VideoPaidProductPlacementDetails']> = {
  hasPaidProductPlacement?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type VideoPlayerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoPlayer'] = ResolversParentTypes['VideoPlayer']> = {
  embedHeight?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  embedHtml?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  embedWidth?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
};

export type VideoProcessingDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoProcessingDetails'] = ResolversParentTypes['VideoProcessingDetails']> = {
  editorSuggestionsAvailability?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fileDetailsAvailability?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  processingFailureReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  processingIssuesAvailability?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  processingProgress?: Resolver<Maybe<ResolversTypes['VideoProcessingProgress']>, ParentType, ContextType>;
  processingStatus?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  tagSuggestionsAvailability?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  thumbnailsAvailability?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoProcessingProgressResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoProcessingProgress'] = ResolversParentTypes['VideoProcessingProgress']> = {
  partsProcessed?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  partsTotal?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  timeLeftMs?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
};

export type VideoRecordingDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoRecordingDetails'] = ResolversParentTypes['VideoRecordingDetails']> = {
  location?: Resolver<Maybe<ResolversTypes['VideoRecordingLocation']>, ParentType, ContextType>;
  locationDescription?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  recordingDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type VideoRecordingLocationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoRecordingLocation'] = ResolversParentTypes['VideoRecordingLocation']> = {
  altitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  latitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type VideoRegionRestrictionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoRegionRestriction'] = ResolversParentTypes['VideoRegionRestriction']> = {
  allowed?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  blocked?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type VideoSnippetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoSnippet'] = ResolversParentTypes['VideoSnippet']> = {
  categoryId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  channelId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  channelTitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  defaultAudioLanguage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  defaultLanguage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  liveBroadcastContent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  localized?: Resolver<Maybe<ResolversTypes['VideoLocalized']>, ParentType, ContextType>;
  publishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  tags?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  thumbnails?: Resolver<Maybe<Array<ResolversTypes['Thumbnail']>>, ParentType, ContextType, Partial<VideoSnippetThumbnailsArgs>>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoStatisticsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoStatistics'] = ResolversParentTypes['VideoStatistics']> = {
  commentCount?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  dislikeCount?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  favoriteCount?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  likeCount?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
  viewCount?: Resolver<Maybe<ResolversTypes['UInt64']>, ParentType, ContextType>;
};

export type VideoStatusResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoStatus'] = ResolversParentTypes['VideoStatus']> = {
  containsSyntheticMedia?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  embeddable?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  failureReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  license?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  madeForKids?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  privacyStatus?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publicStatsViewable?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  publishAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rejectionReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  selfDeclaredMadeForKids?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  uploadStatus?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoSuggestionsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoSuggestions'] = ResolversParentTypes['VideoSuggestions']> = {
  editorSuggestions?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  processingErrors?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  processingHints?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  processingWarnings?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  tagSuggestions?: Resolver<Maybe<Array<ResolversTypes['VideoTagSuggestion']>>, ParentType, ContextType>;
};

export type VideoTagSuggestionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoTagSuggestion'] = ResolversParentTypes['VideoTagSuggestion']> = {
  categoryRestricts?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  tag?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VideoTopicDetailsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoTopicDetails'] = ResolversParentTypes['VideoTopicDetails']> = {
  relevantTopicIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  topicCategories?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  topicIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type VideoUploadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoUpload'] = ResolversParentTypes['VideoUpload']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  receivedBytes?: Resolver<ResolversTypes['UInt64'], ParentType, ContextType>;
  totalBytes?: Resolver<ResolversTypes['UInt64'], ParentType, ContextType>;
  video?: Resolver<Maybe<ResolversTypes['Video']>, ParentType, ContextType>;
};

export type VideoUploadTargetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VideoUploadTarget'] = ResolversParentTypes['VideoUploadTarget']> = {
  chunkSize?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  method?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  Channel?: ChannelResolvers<ContextType>;
  Comment?: CommentResolvers<ContextType>;
  CommentConnection?: CommentConnectionResolvers<ContextType>;
  CommentEdge?: CommentEdgeResolvers<ContextType>;
  CommentThread?: CommentThreadResolvers<ContextType>;
  CommentThreadAdded?: CommentThreadAddedResolvers<ContextType>;
  CommentThreadConnection?: CommentThreadConnectionResolvers<ContextType>;
  CommentThreadEdge?: CommentThreadEdgeResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DeleteVideoPayload?: DeleteVideoPayloadResolvers<ContextType>;
  InsertCommentThreadPayload?: InsertCommentThreadPayloadResolvers<ContextType>;
  InsertVideoPayload?: InsertVideoPayloadResolvers<ContextType>;
  MediaQuota?: MediaQuotaResolvers<ContextType>;
  MediaQuotaOperation?: MediaQuotaOperationResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Thumbnail?: ThumbnailResolvers<ContextType>;
  UInt64?: GraphQLScalarType;
  UnsignedInt?: GraphQLScalarType;
  UpdateVideoPayload?: UpdateVideoPayloadResolvers<ContextType>;
  Video?: VideoResolvers<ContextType>;
  VideoConnection?: VideoConnectionResolvers<ContextType>;
  VideoContentDetails?: VideoContentDetailsResolvers<ContextType>;
  VideoContentRating?: VideoContentRatingResolvers<ContextType>;
  VideoEdge?: VideoEdgeResolvers<ContextType>;
  VideoFileAudioStream?: VideoFileAudioStreamResolvers<ContextType>;
  VideoFileDetails?: VideoFileDetailsResolvers<ContextType>;
  VideoFileVideoStream?: VideoFileVideoStreamResolvers<ContextType>;
  VideoLiveStreamingDetails?: VideoLiveStreamingDetailsResolvers<ContextType>;
  VideoLocalization?: VideoLocalizationResolvers<ContextType>;
  VideoLocalized?: VideoLocalizedResolvers<ContextType>;
  VideoPaidProductPlacementDetails?: VideoPaidProductPlacementDetailsResolvers<ContextType>;
  VideoPlayer?: VideoPlayerResolvers<ContextType>;
  VideoProcessingDetails?: VideoProcessingDetailsResolvers<ContextType>;
  VideoProcessingProgress?: VideoProcessingProgressResolvers<ContextType>;
  VideoRecordingDetails?: VideoRecordingDetailsResolvers<ContextType>;
  VideoRecordingLocation?: VideoRecordingLocationResolvers<ContextType>;
  VideoRegionRestriction?: VideoRegionRestrictionResolvers<ContextType>;
  VideoSnippet?: VideoSnippetResolvers<ContextType>;
  VideoStatistics?: VideoStatisticsResolvers<ContextType>;
  VideoStatus?: VideoStatusResolvers<ContextType>;
  VideoSuggestions?: VideoSuggestionsResolvers<ContextType>;
  VideoTagSuggestion?: VideoTagSuggestionResolvers<ContextType>;
  VideoTopicDetails?: VideoTopicDetailsResolvers<ContextType>;
  VideoUpload?: VideoUploadResolvers<ContextType>;
  VideoUploadTarget?: VideoUploadTargetResolvers<ContextType>;
};

