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
  DateTime: { input: string; output: string; }
  UInt64: { input: string; output: string; }
  UnsignedInt: { input: number; output: number; }
  _FieldSet: { input: unknown; output: unknown; }
};

export type Channel = Node & {
  allCommentThreads: Maybe<CommentThreadConnection>;
  channelId: Scalars['ID']['output'];
  commentThreads: Maybe<CommentThreadConnection>;
  id: Scalars['ID']['output'];
  moderatedCommentThreads: Maybe<CommentThreadConnection>;
  title: Maybe<Scalars['String']['output']>;
};


export type ChannelAllCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
};


export type ChannelCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
};


export type ChannelModeratedCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
  status: CommentModerationStatus;
};

export type Comment = Node & {
  authorChannel: Maybe<Channel>;
  authorChannelUrl: Maybe<Scalars['String']['output']>;
  authorDisplayName: Maybe<Scalars['String']['output']>;
  authorProfileImageUrl: Maybe<Scalars['String']['output']>;
  canRate: Maybe<Scalars['Boolean']['output']>;
  channelId: Maybe<Scalars['ID']['output']>;
  commentId: Scalars['ID']['output'];
  etag: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  kind: Maybe<Scalars['String']['output']>;
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  moderationStatus: Maybe<Scalars['String']['output']>;
  parentId: Maybe<Scalars['ID']['output']>;
  publishedAt: Maybe<Scalars['DateTime']['output']>;
  textDisplay: Maybe<Scalars['String']['output']>;
  textOriginal: Maybe<Scalars['String']['output']>;
  updatedAt: Maybe<Scalars['DateTime']['output']>;
  video: Maybe<Video>;
  videoId: Maybe<Scalars['ID']['output']>;
  viewerRating: Maybe<Scalars['String']['output']>;
};

export type CommentConnection = {
  edges: Array<CommentEdge>;
  nodes: Array<Comment>;
  pageInfo: PageInfo;
  totalCount: Maybe<Scalars['Int']['output']>;
};

export type CommentEdge = {
  cursor: Scalars['String']['output'];
  node: Comment;
};

export type CommentModerationStatus =
  | 'HELD_FOR_REVIEW'
  | 'LIKELY_SPAM';

export type CommentOrder =
  | 'RELEVANCE'
  | 'TIME';

export type CommentThread = Node & {
  allReplies: Maybe<CommentConnection>;
  canReply: Maybe<Scalars['Boolean']['output']>;
  channel: Maybe<Channel>;
  channelId: Maybe<Scalars['ID']['output']>;
  etag: Maybe<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  isPublic: Maybe<Scalars['Boolean']['output']>;
  kind: Maybe<Scalars['String']['output']>;
  replies: Array<Comment>;
  repliesComplete: Scalars['Boolean']['output'];
  threadId: Scalars['ID']['output'];
  topLevelComment: Maybe<Comment>;
  totalReplyCount: Maybe<Scalars['UnsignedInt']['output']>;
  video: Maybe<Video>;
  videoId: Maybe<Scalars['ID']['output']>;
};


export type CommentThreadAllRepliesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type CommentThreadAdded = {
  after: Scalars['String']['output'];
  commentThreadEdge: CommentThreadEdge;
  gap: Scalars['Boolean']['output'];
};

export type CommentThreadConnection = {
  edges: Array<CommentThreadEdge>;
  nodes: Array<CommentThread>;
  pageInfo: PageInfo;
  totalCount: Maybe<Scalars['Int']['output']>;
};

export type CommentThreadEdge = {
  cursor: Scalars['String']['output'];
  node: CommentThread;
};

export type DeleteVideoInput = {
  videoId: Scalars['ID']['input'];
};

export type DeleteVideoPayload = {
  deletedId: Scalars['ID']['output'];
  deletedVideoId: Scalars['ID']['output'];
};

export type InsertCommentThreadInput = {
  channelId?: InputMaybe<Scalars['ID']['input']>;
  textOriginal: Scalars['String']['input'];
  videoId?: InputMaybe<Scalars['ID']['input']>;
};

export type InsertCommentThreadPayload = {
  commentThread: CommentThread;
  commentThreadEdge: CommentThreadEdge;
};

export type InsertVideoInput = {
  contentLength: Scalars['UInt64']['input'];
  contentType: Scalars['String']['input'];
  localizations?: InputMaybe<Array<VideoLocalizationInput>>;
  notifySubscribers?: InputMaybe<Scalars['Boolean']['input']>;
  paidProductPlacementDetails?: InputMaybe<VideoPaidProductPlacementDetailsInput>;
  recordingDetails?: InputMaybe<VideoRecordingDetailsInput>;
  snippet: VideoSnippetInput;
  status?: InputMaybe<VideoStatusInput>;
};

export type InsertVideoPayload = {
  upload: VideoUploadTarget;
};

export type MediaQuota = {
  limit: Maybe<Scalars['Int']['output']>;
  operations: Array<MediaQuotaOperation>;
  remaining: Maybe<Scalars['Int']['output']>;
  resetsAt: Scalars['DateTime']['output'];
  used: Scalars['Int']['output'];
};

export type MediaQuotaOperation = {
  calls: Scalars['Int']['output'];
  name: Scalars['String']['output'];
  units: Scalars['Int']['output'];
};

export type Mutation = {
  deleteVideo: Maybe<DeleteVideoPayload>;
  insertCommentThread: Maybe<InsertCommentThreadPayload>;
  insertVideo: Maybe<InsertVideoPayload>;
  updateVideo: Maybe<UpdateVideoPayload>;
};


export type MutationDeleteVideoArgs = {
  input: DeleteVideoInput;
};


export type MutationInsertCommentThreadArgs = {
  input: InsertCommentThreadInput;
};


export type MutationInsertVideoArgs = {
  input: InsertVideoInput;
};


export type MutationUpdateVideoArgs = {
  input: UpdateVideoInput;
};

export type Node = {
  id: Scalars['ID']['output'];
};

export type PageInfo = {
  endCursor: Maybe<Scalars['String']['output']>;
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor: Maybe<Scalars['String']['output']>;
};

export type Query = {
  channel: Maybe<Channel>;
  chartVideos: Maybe<VideoConnection>;
  commentThread: Maybe<CommentThread>;
  mediaQuota: Maybe<MediaQuota>;
  ratedVideos: Maybe<VideoConnection>;
  video: Maybe<Video>;
  videoUpload: Maybe<VideoUpload>;
  videos: Maybe<Array<Maybe<Video>>>;
};


export type QueryChannelArgs = {
  channelId: Scalars['ID']['input'];
};


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


export type QueryCommentThreadArgs = {
  threadId: Scalars['ID']['input'];
};


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


export type QueryVideoArgs = {
  hl?: InputMaybe<Scalars['String']['input']>;
  maxHeight?: InputMaybe<Scalars['Int']['input']>;
  maxWidth?: InputMaybe<Scalars['Int']['input']>;
  videoId: Scalars['ID']['input'];
};


export type QueryVideoUploadArgs = {
  url: Scalars['String']['input'];
};


export type QueryVideosArgs = {
  hl?: InputMaybe<Scalars['String']['input']>;
  maxHeight?: InputMaybe<Scalars['Int']['input']>;
  maxWidth?: InputMaybe<Scalars['Int']['input']>;
  videoIds: Array<Scalars['ID']['input']>;
};

export type Subscription = {
  commentThreadAdded: Maybe<CommentThreadAdded>;
  mediaQuotaChanged: Maybe<MediaQuota>;
  videoChanged: Maybe<Video>;
};


export type SubscriptionCommentThreadAddedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  videoId: Scalars['ID']['input'];
};


export type SubscriptionVideoChangedArgs = {
  videoIds: Array<Scalars['ID']['input']>;
};

export type Thumbnail = {
  height: Maybe<Scalars['UnsignedInt']['output']>;
  key: Scalars['String']['output'];
  url: Maybe<Scalars['String']['output']>;
  width: Maybe<Scalars['UnsignedInt']['output']>;
};

export type UpdateVideoInput = {
  clear?: InputMaybe<Array<Scalars['String']['input']>>;
  localizations?: InputMaybe<Array<VideoLocalizationInput>>;
  paidProductPlacementDetails?: InputMaybe<VideoPaidProductPlacementDetailsInput>;
  recordingDetails?: InputMaybe<VideoRecordingDetailsInput>;
  replace?: InputMaybe<Scalars['Boolean']['input']>;
  snippet?: InputMaybe<VideoSnippetInput>;
  status?: InputMaybe<VideoStatusInput>;
  videoId: Scalars['ID']['input'];
};

export type UpdateVideoPayload = {
  video: Maybe<Video>;
  videoId: Scalars['ID']['output'];
};

export type Video = Node & {
  channel: Maybe<Channel>;
  commentThreads: Maybe<CommentThreadConnection>;
  contentDetails: Maybe<VideoContentDetails>;
  etag: Maybe<Scalars['String']['output']>;
  fileDetails: Maybe<VideoFileDetails>;
  id: Scalars['ID']['output'];
  kind: Maybe<Scalars['String']['output']>;
  liveStreamingDetails: Maybe<VideoLiveStreamingDetails>;
  localizations: Maybe<Array<VideoLocalization>>;
  moderatedCommentThreads: Maybe<CommentThreadConnection>;
  paidProductPlacementDetails: Maybe<VideoPaidProductPlacementDetails>;
  player: Maybe<VideoPlayer>;
  processingDetails: Maybe<VideoProcessingDetails>;
  recordingDetails: Maybe<VideoRecordingDetails>;
  snippet: Maybe<VideoSnippet>;
  statistics: Maybe<VideoStatistics>;
  status: Maybe<VideoStatus>;
  suggestions: Maybe<VideoSuggestions>;
  topicDetails: Maybe<VideoTopicDetails>;
  videoId: Scalars['ID']['output'];
};


export type VideoCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
};


export type VideoLocalizationsArgs = {
  key?: InputMaybe<Scalars['String']['input']>;
};


export type VideoModeratedCommentThreadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<CommentOrder>;
  searchTerms?: InputMaybe<Scalars['String']['input']>;
  status: CommentModerationStatus;
};

export type VideoChart =
  | 'MOST_POPULAR';

export type VideoConnection = {
  edges: Array<VideoEdge>;
  nodes: Array<Video>;
  pageInfo: PageInfo;
  totalCount: Maybe<Scalars['Int']['output']>;
};

export type VideoContentDetails = {
  caption: Maybe<Scalars['String']['output']>;
  contentRating: Maybe<VideoContentRating>;
  definition: Maybe<Scalars['String']['output']>;
  dimension: Maybe<Scalars['String']['output']>;
  duration: Maybe<Scalars['String']['output']>;
  hasCustomThumbnail: Maybe<Scalars['Boolean']['output']>;
  licensedContent: Maybe<Scalars['Boolean']['output']>;
  projection: Maybe<Scalars['String']['output']>;
  regionRestriction: Maybe<VideoRegionRestriction>;
};

export type VideoContentRating = {
  acbRating: Maybe<Scalars['String']['output']>;
  agcomRating: Maybe<Scalars['String']['output']>;
  anatelRating: Maybe<Scalars['String']['output']>;
  bbfcRating: Maybe<Scalars['String']['output']>;
  bfvcRating: Maybe<Scalars['String']['output']>;
  bmukkRating: Maybe<Scalars['String']['output']>;
  catvRating: Maybe<Scalars['String']['output']>;
  catvfrRating: Maybe<Scalars['String']['output']>;
  cbfcRating: Maybe<Scalars['String']['output']>;
  cccRating: Maybe<Scalars['String']['output']>;
  cceRating: Maybe<Scalars['String']['output']>;
  chfilmRating: Maybe<Scalars['String']['output']>;
  chvrsRating: Maybe<Scalars['String']['output']>;
  cicfRating: Maybe<Scalars['String']['output']>;
  cnaRating: Maybe<Scalars['String']['output']>;
  cncRating: Maybe<Scalars['String']['output']>;
  csaRating: Maybe<Scalars['String']['output']>;
  cscfRating: Maybe<Scalars['String']['output']>;
  czfilmRating: Maybe<Scalars['String']['output']>;
  djctqRating: Maybe<Scalars['String']['output']>;
  djctqRatingReasons: Maybe<Array<Scalars['String']['output']>>;
  ecbmctRating: Maybe<Scalars['String']['output']>;
  eefilmRating: Maybe<Scalars['String']['output']>;
  egfilmRating: Maybe<Scalars['String']['output']>;
  eirinRating: Maybe<Scalars['String']['output']>;
  fcbmRating: Maybe<Scalars['String']['output']>;
  fcoRating: Maybe<Scalars['String']['output']>;
  fmocRating: Maybe<Scalars['String']['output']>;
  fpbRating: Maybe<Scalars['String']['output']>;
  fpbRatingReasons: Maybe<Array<Scalars['String']['output']>>;
  fskRating: Maybe<Scalars['String']['output']>;
  grfilmRating: Maybe<Scalars['String']['output']>;
  icaaRating: Maybe<Scalars['String']['output']>;
  ifcoRating: Maybe<Scalars['String']['output']>;
  ilfilmRating: Maybe<Scalars['String']['output']>;
  incaaRating: Maybe<Scalars['String']['output']>;
  kfcbRating: Maybe<Scalars['String']['output']>;
  kijkwijzerRating: Maybe<Scalars['String']['output']>;
  kmrbRating: Maybe<Scalars['String']['output']>;
  lsfRating: Maybe<Scalars['String']['output']>;
  mccaaRating: Maybe<Scalars['String']['output']>;
  mccypRating: Maybe<Scalars['String']['output']>;
  mcstRating: Maybe<Scalars['String']['output']>;
  mdaRating: Maybe<Scalars['String']['output']>;
  medietilsynetRating: Maybe<Scalars['String']['output']>;
  mekuRating: Maybe<Scalars['String']['output']>;
  mibacRating: Maybe<Scalars['String']['output']>;
  mocRating: Maybe<Scalars['String']['output']>;
  moctwRating: Maybe<Scalars['String']['output']>;
  mpaaRating: Maybe<Scalars['String']['output']>;
  mpaatRating: Maybe<Scalars['String']['output']>;
  mtrcbRating: Maybe<Scalars['String']['output']>;
  nbcRating: Maybe<Scalars['String']['output']>;
  nbcplRating: Maybe<Scalars['String']['output']>;
  nfrcRating: Maybe<Scalars['String']['output']>;
  nfvcbRating: Maybe<Scalars['String']['output']>;
  nkclvRating: Maybe<Scalars['String']['output']>;
  oflcRating: Maybe<Scalars['String']['output']>;
  pefilmRating: Maybe<Scalars['String']['output']>;
  rcnofRating: Maybe<Scalars['String']['output']>;
  resorteviolenciaRating: Maybe<Scalars['String']['output']>;
  rtcRating: Maybe<Scalars['String']['output']>;
  rteRating: Maybe<Scalars['String']['output']>;
  russiaRating: Maybe<Scalars['String']['output']>;
  skfilmRating: Maybe<Scalars['String']['output']>;
  smaisRating: Maybe<Scalars['String']['output']>;
  smsaRating: Maybe<Scalars['String']['output']>;
  tvpgRating: Maybe<Scalars['String']['output']>;
  ytRating: Maybe<Scalars['String']['output']>;
};

export type VideoEdge = {
  cursor: Scalars['String']['output'];
  node: Video;
};

export type VideoFileAudioStream = {
  bitrateBps: Maybe<Scalars['UInt64']['output']>;
  channelCount: Maybe<Scalars['UnsignedInt']['output']>;
  codec: Maybe<Scalars['String']['output']>;
  vendor: Maybe<Scalars['String']['output']>;
};

export type VideoFileDetails = {
  audioStreams: Maybe<Array<VideoFileAudioStream>>;
  bitrateBps: Maybe<Scalars['UInt64']['output']>;
  container: Maybe<Scalars['String']['output']>;
  creationTime: Maybe<Scalars['String']['output']>;
  durationMs: Maybe<Scalars['UInt64']['output']>;
  fileName: Maybe<Scalars['String']['output']>;
  fileSize: Maybe<Scalars['UInt64']['output']>;
  fileType: Maybe<Scalars['String']['output']>;
  videoStreams: Maybe<Array<VideoFileVideoStream>>;
};

export type VideoFileVideoStream = {
  aspectRatio: Maybe<Scalars['Float']['output']>;
  bitrateBps: Maybe<Scalars['UInt64']['output']>;
  codec: Maybe<Scalars['String']['output']>;
  frameRateFps: Maybe<Scalars['Float']['output']>;
  heightPixels: Maybe<Scalars['UnsignedInt']['output']>;
  rotation: Maybe<Scalars['String']['output']>;
  vendor: Maybe<Scalars['String']['output']>;
  widthPixels: Maybe<Scalars['UnsignedInt']['output']>;
};

export type VideoLiveStreamingDetails = {
  activeLiveChatId: Maybe<Scalars['String']['output']>;
  actualEndTime: Maybe<Scalars['DateTime']['output']>;
  actualStartTime: Maybe<Scalars['DateTime']['output']>;
  concurrentViewers: Maybe<Scalars['UInt64']['output']>;
  scheduledEndTime: Maybe<Scalars['DateTime']['output']>;
  scheduledStartTime: Maybe<Scalars['DateTime']['output']>;
};

export type VideoLocalization = {
  description: Maybe<Scalars['String']['output']>;
  key: Scalars['String']['output'];
  title: Maybe<Scalars['String']['output']>;
};

export type VideoLocalizationInput = {
  description?: InputMaybe<Scalars['String']['input']>;
  key: Scalars['String']['input'];
  title: Scalars['String']['input'];
};

export type VideoLocalized = {
  description: Maybe<Scalars['String']['output']>;
  title: Maybe<Scalars['String']['output']>;
};

export type VideoPaidProductPlacementDetails = {
  hasPaidProductPlacement: Maybe<Scalars['Boolean']['output']>;
};

export type VideoPaidProductPlacementDetailsInput = {
  hasPaidProductPlacement?: InputMaybe<Scalars['Boolean']['input']>;
};

export type VideoPlayer = {
  embedHeight: Maybe<Scalars['UInt64']['output']>;
  embedHtml: Maybe<Scalars['String']['output']>;
  embedWidth: Maybe<Scalars['UInt64']['output']>;
};

export type VideoProcessingDetails = {
  editorSuggestionsAvailability: Maybe<Scalars['String']['output']>;
  fileDetailsAvailability: Maybe<Scalars['String']['output']>;
  processingFailureReason: Maybe<Scalars['String']['output']>;
  processingIssuesAvailability: Maybe<Scalars['String']['output']>;
  processingProgress: Maybe<VideoProcessingProgress>;
  processingStatus: Maybe<Scalars['String']['output']>;
  tagSuggestionsAvailability: Maybe<Scalars['String']['output']>;
  thumbnailsAvailability: Maybe<Scalars['String']['output']>;
};

export type VideoProcessingProgress = {
  partsProcessed: Maybe<Scalars['UInt64']['output']>;
  partsTotal: Maybe<Scalars['UInt64']['output']>;
  timeLeftMs: Maybe<Scalars['UInt64']['output']>;
};

export type VideoRating =
  | 'DISLIKE'
  | 'LIKE';

export type VideoRecordingDetails = {
  location: Maybe<VideoRecordingLocation>;
  locationDescription: Maybe<Scalars['String']['output']>;
  recordingDate: Maybe<Scalars['DateTime']['output']>;
};

export type VideoRecordingDetailsInput = {
  location?: InputMaybe<VideoRecordingLocationInput>;
  locationDescription?: InputMaybe<Scalars['String']['input']>;
  recordingDate?: InputMaybe<Scalars['DateTime']['input']>;
};

export type VideoRecordingLocation = {
  altitude: Maybe<Scalars['Float']['output']>;
  latitude: Maybe<Scalars['Float']['output']>;
  longitude: Maybe<Scalars['Float']['output']>;
};

export type VideoRecordingLocationInput = {
  altitude?: InputMaybe<Scalars['Float']['input']>;
  latitude: Scalars['Float']['input'];
  longitude: Scalars['Float']['input'];
};

export type VideoRegionRestriction = {
  allowed: Maybe<Array<Scalars['String']['output']>>;
  blocked: Maybe<Array<Scalars['String']['output']>>;
};

export type VideoSnippet = {
  categoryId: Maybe<Scalars['String']['output']>;
  channelId: Maybe<Scalars['ID']['output']>;
  channelTitle: Maybe<Scalars['String']['output']>;
  defaultAudioLanguage: Maybe<Scalars['String']['output']>;
  defaultLanguage: Maybe<Scalars['String']['output']>;
  description: Maybe<Scalars['String']['output']>;
  liveBroadcastContent: Maybe<Scalars['String']['output']>;
  localized: Maybe<VideoLocalized>;
  publishedAt: Maybe<Scalars['DateTime']['output']>;
  tags: Maybe<Array<Scalars['String']['output']>>;
  thumbnails: Maybe<Array<Thumbnail>>;
  title: Maybe<Scalars['String']['output']>;
};


export type VideoSnippetThumbnailsArgs = {
  key?: InputMaybe<Scalars['String']['input']>;
};

export type VideoSnippetInput = {
  categoryId?: InputMaybe<Scalars['String']['input']>;
  defaultAudioLanguage?: InputMaybe<Scalars['String']['input']>;
  defaultLanguage?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  tags?: InputMaybe<Array<Scalars['String']['input']>>;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type VideoStatistics = {
  commentCount: Maybe<Scalars['UInt64']['output']>;
  dislikeCount: Maybe<Scalars['UInt64']['output']>;
  favoriteCount: Maybe<Scalars['UInt64']['output']>;
  likeCount: Maybe<Scalars['UInt64']['output']>;
  viewCount: Maybe<Scalars['UInt64']['output']>;
};

export type VideoStatus = {
  containsSyntheticMedia: Maybe<Scalars['Boolean']['output']>;
  embeddable: Maybe<Scalars['Boolean']['output']>;
  failureReason: Maybe<Scalars['String']['output']>;
  license: Maybe<Scalars['String']['output']>;
  madeForKids: Maybe<Scalars['Boolean']['output']>;
  privacyStatus: Maybe<Scalars['String']['output']>;
  publicStatsViewable: Maybe<Scalars['Boolean']['output']>;
  publishAt: Maybe<Scalars['DateTime']['output']>;
  rejectionReason: Maybe<Scalars['String']['output']>;
  selfDeclaredMadeForKids: Maybe<Scalars['Boolean']['output']>;
  uploadStatus: Maybe<Scalars['String']['output']>;
};

export type VideoStatusInput = {
  containsSyntheticMedia?: InputMaybe<Scalars['Boolean']['input']>;
  embeddable?: InputMaybe<Scalars['Boolean']['input']>;
  license?: InputMaybe<Scalars['String']['input']>;
  privacyStatus?: InputMaybe<Scalars['String']['input']>;
  publicStatsViewable?: InputMaybe<Scalars['Boolean']['input']>;
  publishAt?: InputMaybe<Scalars['DateTime']['input']>;
  selfDeclaredMadeForKids?: InputMaybe<Scalars['Boolean']['input']>;
};

export type VideoSuggestions = {
  editorSuggestions: Maybe<Array<Scalars['String']['output']>>;
  processingErrors: Maybe<Array<Scalars['String']['output']>>;
  processingHints: Maybe<Array<Scalars['String']['output']>>;
  processingWarnings: Maybe<Array<Scalars['String']['output']>>;
  tagSuggestions: Maybe<Array<VideoTagSuggestion>>;
};

export type VideoTagSuggestion = {
  categoryRestricts: Maybe<Array<Scalars['String']['output']>>;
  tag: Maybe<Scalars['String']['output']>;
};

export type VideoTopicDetails = {
  relevantTopicIds: Maybe<Array<Scalars['String']['output']>>;
  topicCategories: Maybe<Array<Scalars['String']['output']>>;
  topicIds: Maybe<Array<Scalars['String']['output']>>;
};

export type VideoUpload = {
  complete: Scalars['Boolean']['output'];
  receivedBytes: Scalars['UInt64']['output'];
  totalBytes: Scalars['UInt64']['output'];
  video: Maybe<Video>;
};

export type VideoUploadTarget = {
  chunkSize: Scalars['Int']['output'];
  expiresAt: Scalars['DateTime']['output'];
  method: Scalars['String']['output'];
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

