import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { MessageModel, UserModel, UserConnectionModel, LikedModel, ResponseObject, LikeAddedModel } from './model.ts';
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
  JSON: { input: unknown; output: unknown; }
  UnsignedInt: { input: number; output: number; }
  _FieldSet: { input: unknown; output: unknown; }
};

export type AnnotationEntity = {
  end: Scalars['Int']['output'];
  normalizedText: Maybe<Scalars['String']['output']>;
  probability: Maybe<Scalars['Float']['output']>;
  start: Scalars['Int']['output'];
  type: Maybe<Scalars['String']['output']>;
};

export type LikeMessageInput = {
  messageId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};

export type LikeMessagePayload = {
  liked: Scalars['Boolean']['output'];
  message: Maybe<Message>;
};

export type MentionEntity = {
  end: Scalars['Int']['output'];
  start: Scalars['Int']['output'];
  user: Maybe<MessageUser>;
  username: Scalars['String']['output'];
};

export type Message = Node & {
  article: Maybe<Scalars['JSON']['output']>;
  attachments: Maybe<MessageAttachments>;
  author: Maybe<MessageUser>;
  authorId: Maybe<Scalars['ID']['output']>;
  cardUri: Maybe<Scalars['String']['output']>;
  communityId: Maybe<Scalars['ID']['output']>;
  contextAnnotations: Maybe<Array<MessageContextAnnotation>>;
  conversationId: Maybe<Scalars['ID']['output']>;
  createdAt: Maybe<Scalars['DateTime']['output']>;
  displayTextRange: Maybe<Array<Scalars['Int']['output']>>;
  editControls: Maybe<MessageEditControls>;
  editHistoryMessageIds: Maybe<Array<Scalars['ID']['output']>>;
  entities: Maybe<MessageEntities>;
  followersOnly: Maybe<Scalars['Boolean']['output']>;
  geo: Maybe<MessageGeo>;
  id: Scalars['ID']['output'];
  inReplyToUser: Maybe<MessageUser>;
  inReplyToUserId: Maybe<Scalars['ID']['output']>;
  lang: Maybe<Scalars['String']['output']>;
  likingUsers: Maybe<MessageUserConnection>;
  messageId: Scalars['ID']['output'];
  nonPublicMetrics: Maybe<MessagePrivateMetrics>;
  note: Maybe<MessageNote>;
  organicMetrics: Maybe<MessagePrivateMetrics>;
  paidPartnership: Maybe<Scalars['Boolean']['output']>;
  possiblySensitive: Maybe<Scalars['Boolean']['output']>;
  promotedMetrics: Maybe<MessagePrivateMetrics>;
  publicMetrics: Maybe<MessagePublicMetrics>;
  referencedMessages: Maybe<Array<ReferencedMessage>>;
  replySettings: Maybe<MessageReplySettings>;
  /** @deprecated The service has stopped filling it. */
  source: Maybe<Scalars['String']['output']>;
  text: Maybe<Scalars['String']['output']>;
  withheld: Maybe<Withheld>;
};


export type MessageLikingUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type MessageAttachments = {
  media: Array<MessageMedia>;
  mediaKeys: Array<Scalars['ID']['output']>;
  mediaSourceMessageIds: Array<Scalars['ID']['output']>;
  pollIds: Array<Scalars['ID']['output']>;
  polls: Array<MessagePoll>;
};

export type MessageContextAnnotation = {
  domain: MessageTopic;
  entity: MessageTopic;
};

export type MessageEditControls = {
  editableUntil: Maybe<Scalars['DateTime']['output']>;
  editsRemaining: Maybe<Scalars['Int']['output']>;
  isEditEligible: Maybe<Scalars['Boolean']['output']>;
};

export type MessageEntities = {
  annotations: Array<AnnotationEntity>;
  cashtags: Array<TagEntity>;
  hashtags: Array<TagEntity>;
  mentions: Array<MentionEntity>;
  urls: Array<UrlEntity>;
};

export type MessageGeo = {
  coordinates: Maybe<Scalars['JSON']['output']>;
  place: Maybe<MessagePlace>;
  placeId: Maybe<Scalars['ID']['output']>;
};

export type MessageLikeAdded = {
  after: Scalars['String']['output'];
  gap: Scalars['Boolean']['output'];
  user: MessageUser;
};

export type MessageMedia = {
  altText: Maybe<Scalars['String']['output']>;
  durationMs: Maybe<Scalars['UnsignedInt']['output']>;
  height: Maybe<Scalars['UnsignedInt']['output']>;
  mediaKey: Scalars['ID']['output'];
  previewImageUrl: Maybe<Scalars['String']['output']>;
  type: MessageMediaType;
  url: Maybe<Scalars['String']['output']>;
  variants: Array<MessageMediaVariant>;
  viewCount: Maybe<Scalars['UnsignedInt']['output']>;
  width: Maybe<Scalars['UnsignedInt']['output']>;
};

export type MessageMediaType =
  | 'ANIMATED_GIF'
  | 'PHOTO'
  | 'UNRECOGNIZED'
  | 'VIDEO';

export type MessageMediaVariant = {
  bitRate: Maybe<Scalars['UnsignedInt']['output']>;
  contentType: Maybe<Scalars['String']['output']>;
  url: Maybe<Scalars['String']['output']>;
};

export type MessageNote = {
  entities: Maybe<MessageEntities>;
  text: Maybe<Scalars['String']['output']>;
};

export type MessagePlace = {
  containedWithin: Array<Scalars['ID']['output']>;
  country: Maybe<Scalars['String']['output']>;
  countryCode: Maybe<Scalars['String']['output']>;
  fullName: Scalars['String']['output'];
  geo: Maybe<Scalars['JSON']['output']>;
  name: Maybe<Scalars['String']['output']>;
  placeId: Scalars['ID']['output'];
  placeType: Maybe<Scalars['String']['output']>;
};

export type MessagePoll = {
  durationMinutes: Maybe<Scalars['Int']['output']>;
  endDatetime: Maybe<Scalars['DateTime']['output']>;
  options: Array<MessagePollOption>;
  pollId: Scalars['ID']['output'];
  votingStatus: Maybe<MessagePollVotingStatus>;
};

export type MessagePollOption = {
  label: Scalars['String']['output'];
  position: Scalars['Int']['output'];
  votes: Scalars['UnsignedInt']['output'];
};

export type MessagePollVotingStatus =
  | 'CLOSED'
  | 'OPEN'
  | 'UNRECOGNIZED';

export type MessagePrivateMetrics = {
  bookmarkCount: Maybe<Scalars['UnsignedInt']['output']>;
  engagements: Maybe<Scalars['UnsignedInt']['output']>;
  impressionCount: Maybe<Scalars['UnsignedInt']['output']>;
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  quoteCount: Maybe<Scalars['UnsignedInt']['output']>;
  replyCount: Maybe<Scalars['UnsignedInt']['output']>;
  repostCount: Maybe<Scalars['UnsignedInt']['output']>;
  urlLinkClicks: Maybe<Scalars['UnsignedInt']['output']>;
  userProfileClicks: Maybe<Scalars['UnsignedInt']['output']>;
};

export type MessagePublicMetrics = {
  bookmarkCount: Maybe<Scalars['UnsignedInt']['output']>;
  impressionCount: Maybe<Scalars['UnsignedInt']['output']>;
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  quoteCount: Maybe<Scalars['UnsignedInt']['output']>;
  replyCount: Maybe<Scalars['UnsignedInt']['output']>;
  repostCount: Maybe<Scalars['UnsignedInt']['output']>;
};

export type MessageReferenceType =
  | 'QUOTED'
  | 'REPLIED_TO'
  | 'RETWEETED'
  | 'UNRECOGNIZED';

export type MessageReplySettings =
  | 'EVERYONE'
  | 'FOLLOWING'
  | 'MENTIONED_USERS'
  | 'OTHER'
  | 'SUBSCRIBERS'
  | 'UNRECOGNIZED'
  | 'VERIFIED';

export type MessageTopic = {
  description: Maybe<Scalars['String']['output']>;
  name: Maybe<Scalars['String']['output']>;
  topicId: Scalars['ID']['output'];
};

export type MessageUser = {
  affiliation: Maybe<MessageUserAffiliation>;
  connectionStatus: Maybe<Array<MessageUserConnectionStatus>>;
  createdAt: Maybe<Scalars['DateTime']['output']>;
  description: Maybe<Scalars['String']['output']>;
  entities: Maybe<MessageUserEntities>;
  id: Scalars['ID']['output'];
  isIdentityVerified: Maybe<Scalars['Boolean']['output']>;
  location: Maybe<Scalars['String']['output']>;
  mostRecentMessageId: Maybe<Scalars['ID']['output']>;
  name: Scalars['String']['output'];
  parody: Maybe<Scalars['Boolean']['output']>;
  pinnedMessage: Maybe<Message>;
  pinnedMessageId: Maybe<Scalars['ID']['output']>;
  profileBannerUrl: Maybe<Scalars['String']['output']>;
  profileImageUrl: Maybe<Scalars['String']['output']>;
  protected: Maybe<Scalars['Boolean']['output']>;
  publicMetrics: Maybe<MessageUserPublicMetrics>;
  receivesYourDm: Maybe<Scalars['Boolean']['output']>;
  subscribesToYou: Maybe<Scalars['Boolean']['output']>;
  subscriptionType: Maybe<MessageUserSubscriptionType>;
  url: Maybe<Scalars['String']['output']>;
  userId: Scalars['ID']['output'];
  username: Scalars['String']['output'];
  verified: Maybe<Scalars['Boolean']['output']>;
  verifiedFollowersCount: Maybe<Scalars['UnsignedInt']['output']>;
  verifiedType: Maybe<MessageUserVerifiedType>;
  withheld: Maybe<Withheld>;
};

export type MessageUserAffiliation = {
  badgeUrl: Maybe<Scalars['String']['output']>;
  description: Maybe<Scalars['String']['output']>;
  url: Maybe<Scalars['String']['output']>;
  userIds: Array<Scalars['ID']['output']>;
};

export type MessageUserConnection = {
  edges: Array<MessageUserEdge>;
  nodes: Array<MessageUser>;
  pageInfo: PageInfo;
  totalCount: Maybe<Scalars['Int']['output']>;
};

export type MessageUserConnectionStatus =
  | 'BLOCKING'
  | 'FOLLOWED_BY'
  | 'FOLLOWING'
  | 'FOLLOW_REQUEST_RECEIVED'
  | 'FOLLOW_REQUEST_SENT'
  | 'MUTING'
  | 'UNRECOGNIZED';

export type MessageUserEdge = {
  cursor: Scalars['String']['output'];
  node: MessageUser;
};

export type MessageUserEntities = {
  description: Maybe<MessageEntities>;
  url: Maybe<MessageEntities>;
};

export type MessageUserPublicMetrics = {
  followersCount: Maybe<Scalars['UnsignedInt']['output']>;
  followingCount: Maybe<Scalars['UnsignedInt']['output']>;
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  listedCount: Maybe<Scalars['UnsignedInt']['output']>;
  mediaCount: Maybe<Scalars['UnsignedInt']['output']>;
  messageCount: Maybe<Scalars['UnsignedInt']['output']>;
};

export type MessageUserSubscriptionType =
  | 'BASIC'
  | 'NONE'
  | 'PREMIUM'
  | 'PREMIUM_PLUS'
  | 'UNRECOGNIZED';

export type MessageUserVerifiedType =
  | 'BLUE'
  | 'BUSINESS'
  | 'GOVERNMENT'
  | 'NONE'
  | 'UNRECOGNIZED';

export type Mutation = {
  likeMessage: Maybe<LikeMessagePayload>;
  unlikeMessage: Maybe<UnlikeMessagePayload>;
};


export type MutationLikeMessageArgs = {
  input: LikeMessageInput;
};


export type MutationUnlikeMessageArgs = {
  input: UnlikeMessageInput;
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
  message: Maybe<Message>;
  messages: Maybe<Array<Maybe<Message>>>;
};


export type QueryMessageArgs = {
  messageId: Scalars['ID']['input'];
};


export type QueryMessagesArgs = {
  messageIds: Array<Scalars['ID']['input']>;
};

export type ReferencedMessage = {
  message: Maybe<Message>;
  messageId: Scalars['ID']['output'];
  type: MessageReferenceType;
};

export type Subscription = {
  likeAdded: Maybe<MessageLikeAdded>;
  messageChanged: Maybe<Message>;
};


export type SubscriptionLikeAddedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  messageId: Scalars['ID']['input'];
};


export type SubscriptionMessageChangedArgs = {
  messageIds: Array<Scalars['ID']['input']>;
};

export type TagEntity = {
  end: Scalars['Int']['output'];
  start: Scalars['Int']['output'];
  tag: Scalars['String']['output'];
};

export type UnlikeMessageInput = {
  messageId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};

export type UnlikeMessagePayload = {
  liked: Scalars['Boolean']['output'];
  message: Maybe<Message>;
};

export type UrlEntity = {
  description: Maybe<Scalars['String']['output']>;
  displayUrl: Maybe<Scalars['String']['output']>;
  end: Scalars['Int']['output'];
  expandedUrl: Maybe<Scalars['String']['output']>;
  images: Array<UrlImage>;
  mediaKey: Maybe<Scalars['ID']['output']>;
  start: Scalars['Int']['output'];
  status: Maybe<Scalars['Int']['output']>;
  title: Maybe<Scalars['String']['output']>;
  unwoundUrl: Maybe<Scalars['String']['output']>;
  url: Scalars['String']['output'];
};

export type UrlImage = {
  height: Maybe<Scalars['UnsignedInt']['output']>;
  url: Maybe<Scalars['String']['output']>;
  width: Maybe<Scalars['UnsignedInt']['output']>;
};

export type Withheld = {
  copyright: Maybe<Scalars['Boolean']['output']>;
  countryCodes: Array<Scalars['String']['output']>;
  scope: Maybe<WithheldScope>;
};

export type WithheldScope =
  | 'MESSAGE'
  | 'UNRECOGNIZED'
  | 'USER';



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
  Message: Message;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Message:
    ( { __typename: 'Message' }
    & ( GraphQLRecursivePick<FederationTypes['Message'], {"id":true}>
        | GraphQLRecursivePick<FederationTypes['Message'], {"messageId":true}> ) );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node: ( MessageModel );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AnnotationEntity: ResolverTypeWrapper<AnnotationEntity>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  LikeMessageInput: LikeMessageInput;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  LikeMessagePayload: ResolverTypeWrapper<LikedModel>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  MentionEntity: ResolverTypeWrapper<ResponseObject>;
  Message: ResolverTypeWrapper<MessageModel>;
  MessageAttachments: ResolverTypeWrapper<ResponseObject>;
  MessageContextAnnotation: ResolverTypeWrapper<MessageContextAnnotation>;
  MessageEditControls: ResolverTypeWrapper<MessageEditControls>;
  MessageEntities: ResolverTypeWrapper<Omit<MessageEntities, 'mentions'> & { mentions: Array<ResolversTypes['MentionEntity']> }>;
  MessageGeo: ResolverTypeWrapper<ResponseObject>;
  MessageLikeAdded: ResolverTypeWrapper<LikeAddedModel>;
  MessageMedia: ResolverTypeWrapper<ResponseObject>;
  MessageMediaType: MessageMediaType;
  MessageMediaVariant: ResolverTypeWrapper<MessageMediaVariant>;
  MessageNote: ResolverTypeWrapper<Omit<MessageNote, 'entities'> & { entities?: Maybe<ResolversTypes['MessageEntities']> }>;
  MessagePlace: ResolverTypeWrapper<ResponseObject>;
  MessagePoll: ResolverTypeWrapper<ResponseObject>;
  MessagePollOption: ResolverTypeWrapper<MessagePollOption>;
  MessagePollVotingStatus: MessagePollVotingStatus;
  MessagePrivateMetrics: ResolverTypeWrapper<MessagePrivateMetrics>;
  MessagePublicMetrics: ResolverTypeWrapper<MessagePublicMetrics>;
  MessageReferenceType: MessageReferenceType;
  MessageReplySettings: MessageReplySettings;
  MessageTopic: ResolverTypeWrapper<MessageTopic>;
  MessageUser: ResolverTypeWrapper<UserModel>;
  MessageUserAffiliation: ResolverTypeWrapper<MessageUserAffiliation>;
  MessageUserConnection: ResolverTypeWrapper<UserConnectionModel>;
  MessageUserConnectionStatus: MessageUserConnectionStatus;
  MessageUserEdge: ResolverTypeWrapper<Omit<MessageUserEdge, 'node'> & { node: ResolversTypes['MessageUser'] }>;
  MessageUserEntities: ResolverTypeWrapper<Omit<MessageUserEntities, 'description' | 'url'> & { description?: Maybe<ResolversTypes['MessageEntities']>, url?: Maybe<ResolversTypes['MessageEntities']> }>;
  MessageUserPublicMetrics: ResolverTypeWrapper<MessageUserPublicMetrics>;
  MessageUserSubscriptionType: MessageUserSubscriptionType;
  MessageUserVerifiedType: MessageUserVerifiedType;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ReferencedMessage: ResolverTypeWrapper<ResponseObject>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  TagEntity: ResolverTypeWrapper<TagEntity>;
  UnlikeMessageInput: UnlikeMessageInput;
  UnlikeMessagePayload: ResolverTypeWrapper<LikedModel>;
  UnsignedInt: ResolverTypeWrapper<Scalars['UnsignedInt']['output']>;
  UrlEntity: ResolverTypeWrapper<UrlEntity>;
  UrlImage: ResolverTypeWrapper<UrlImage>;
  Withheld: ResolverTypeWrapper<Withheld>;
  WithheldScope: WithheldScope;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AnnotationEntity: AnnotationEntity;
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Float: Scalars['Float']['output'];
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  LikeMessageInput: LikeMessageInput;
  ID: Scalars['ID']['output'];
  LikeMessagePayload: LikedModel;
  Boolean: Scalars['Boolean']['output'];
  MentionEntity: ResponseObject;
  Message: MessageModel;
  MessageAttachments: ResponseObject;
  MessageContextAnnotation: MessageContextAnnotation;
  MessageEditControls: MessageEditControls;
  MessageEntities: Omit<MessageEntities, 'mentions'> & { mentions: Array<ResolversParentTypes['MentionEntity']> };
  MessageGeo: ResponseObject;
  MessageLikeAdded: LikeAddedModel;
  MessageMedia: ResponseObject;
  MessageMediaVariant: MessageMediaVariant;
  MessageNote: Omit<MessageNote, 'entities'> & { entities?: Maybe<ResolversParentTypes['MessageEntities']> };
  MessagePlace: ResponseObject;
  MessagePoll: ResponseObject;
  MessagePollOption: MessagePollOption;
  MessagePrivateMetrics: MessagePrivateMetrics;
  MessagePublicMetrics: MessagePublicMetrics;
  MessageTopic: MessageTopic;
  MessageUser: UserModel;
  MessageUserAffiliation: MessageUserAffiliation;
  MessageUserConnection: UserConnectionModel;
  MessageUserEdge: Omit<MessageUserEdge, 'node'> & { node: ResolversParentTypes['MessageUser'] };
  MessageUserEntities: Omit<MessageUserEntities, 'description' | 'url'> & { description?: Maybe<ResolversParentTypes['MessageEntities']>, url?: Maybe<ResolversParentTypes['MessageEntities']> };
  MessageUserPublicMetrics: MessageUserPublicMetrics;
  Mutation: Record<PropertyKey, never>;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  PageInfo: PageInfo;
  Query: Record<PropertyKey, never>;
  ReferencedMessage: ResponseObject;
  Subscription: Record<PropertyKey, never>;
  TagEntity: TagEntity;
  UnlikeMessageInput: UnlikeMessageInput;
  UnlikeMessagePayload: LikedModel;
  UnsignedInt: Scalars['UnsignedInt']['output'];
  UrlEntity: UrlEntity;
  UrlImage: UrlImage;
  Withheld: Withheld;
};

export type AnnotationEntityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AnnotationEntity'] = ResolversParentTypes['AnnotationEntity']> = {
  end?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  normalizedText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  probability?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type LikeMessagePayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LikeMessagePayload'] = ResolversParentTypes['LikeMessagePayload']> = {
  liked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType>;
};

export type MentionEntityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MentionEntity'] = ResolversParentTypes['MentionEntity']> = {
  end?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['MessageUser']>, ParentType, ContextType>;
  username?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MessageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Message'] = ResolversParentTypes['Message'], FederationReferenceType extends FederationReferenceTypes['Message'] = FederationReferenceTypes['Message']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Message']> | FederationReferenceType, FederationReferenceType, ContextType>;
  article?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  attachments?: Resolver<Maybe<ResolversTypes['MessageAttachments']>, ParentType, ContextType>;
  author?: Resolver<Maybe<ResolversTypes['MessageUser']>, ParentType, ContextType>;
  authorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  cardUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  communityId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  contextAnnotations?: Resolver<Maybe<Array<ResolversTypes['MessageContextAnnotation']>>, ParentType, ContextType>;
  conversationId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  displayTextRange?: Resolver<Maybe<Array<ResolversTypes['Int']>>, ParentType, ContextType>;
  editControls?: Resolver<Maybe<ResolversTypes['MessageEditControls']>, ParentType, ContextType>;
  editHistoryMessageIds?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  entities?: Resolver<Maybe<ResolversTypes['MessageEntities']>, ParentType, ContextType>;
  followersOnly?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  geo?: Resolver<Maybe<ResolversTypes['MessageGeo']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  inReplyToUser?: Resolver<Maybe<ResolversTypes['MessageUser']>, ParentType, ContextType>;
  inReplyToUserId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  lang?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  likingUsers?: Resolver<Maybe<ResolversTypes['MessageUserConnection']>, ParentType, ContextType, Partial<MessageLikingUsersArgs>>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nonPublicMetrics?: Resolver<Maybe<ResolversTypes['MessagePrivateMetrics']>, ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['MessageNote']>, ParentType, ContextType>;
  organicMetrics?: Resolver<Maybe<ResolversTypes['MessagePrivateMetrics']>, ParentType, ContextType>;
  paidPartnership?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  possiblySensitive?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  promotedMetrics?: Resolver<Maybe<ResolversTypes['MessagePrivateMetrics']>, ParentType, ContextType>;
  publicMetrics?: Resolver<Maybe<ResolversTypes['MessagePublicMetrics']>, ParentType, ContextType>;
  referencedMessages?: Resolver<Maybe<Array<ResolversTypes['ReferencedMessage']>>, ParentType, ContextType>;
  replySettings?: Resolver<Maybe<ResolversTypes['MessageReplySettings']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  withheld?: Resolver<Maybe<ResolversTypes['Withheld']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MessageAttachmentsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageAttachments'] = ResolversParentTypes['MessageAttachments']> = {
  media?: Resolver<Array<ResolversTypes['MessageMedia']>, ParentType, ContextType>;
  mediaKeys?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  mediaSourceMessageIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  pollIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  polls?: Resolver<Array<ResolversTypes['MessagePoll']>, ParentType, ContextType>;
};

export type MessageContextAnnotationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageContextAnnotation'] = ResolversParentTypes['MessageContextAnnotation']> = {
  domain?: Resolver<ResolversTypes['MessageTopic'], ParentType, ContextType>;
  entity?: Resolver<ResolversTypes['MessageTopic'], ParentType, ContextType>;
};

export type MessageEditControlsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageEditControls'] = ResolversParentTypes['MessageEditControls']> = {
  editableUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  editsRemaining?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  isEditEligible?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type MessageEntitiesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageEntities'] = ResolversParentTypes['MessageEntities']> = {
  annotations?: Resolver<Array<ResolversTypes['AnnotationEntity']>, ParentType, ContextType>;
  cashtags?: Resolver<Array<ResolversTypes['TagEntity']>, ParentType, ContextType>;
  hashtags?: Resolver<Array<ResolversTypes['TagEntity']>, ParentType, ContextType>;
  mentions?: Resolver<Array<ResolversTypes['MentionEntity']>, ParentType, ContextType>;
  urls?: Resolver<Array<ResolversTypes['UrlEntity']>, ParentType, ContextType>;
};

export type MessageGeoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageGeo'] = ResolversParentTypes['MessageGeo']> = {
  coordinates?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  place?: Resolver<Maybe<ResolversTypes['MessagePlace']>, ParentType, ContextType>;
  placeId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type MessageLikeAddedResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageLikeAdded'] = ResolversParentTypes['MessageLikeAdded']> = {
  after?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  gap?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['MessageUser'], ParentType, ContextType>;
};

export type MessageMediaResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageMedia'] = ResolversParentTypes['MessageMedia']> = {
  altText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  height?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  mediaKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  previewImageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['MessageMediaType'], ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  variants?: Resolver<Array<ResolversTypes['MessageMediaVariant']>, ParentType, ContextType>;
  viewCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  width?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export type MessageMediaVariantResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageMediaVariant'] = ResolversParentTypes['MessageMediaVariant']> = {
  bitRate?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  contentType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MessageNoteResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageNote'] = ResolversParentTypes['MessageNote']> = {
  entities?: Resolver<Maybe<ResolversTypes['MessageEntities']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MessagePlaceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessagePlace'] = ResolversParentTypes['MessagePlace']> = {
  containedWithin?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  countryCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  geo?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  placeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  placeType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MessagePollResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessagePoll'] = ResolversParentTypes['MessagePoll']> = {
  durationMinutes?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endDatetime?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  options?: Resolver<Array<ResolversTypes['MessagePollOption']>, ParentType, ContextType>;
  pollId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  votingStatus?: Resolver<Maybe<ResolversTypes['MessagePollVotingStatus']>, ParentType, ContextType>;
};

export type MessagePollOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessagePollOption'] = ResolversParentTypes['MessagePollOption']> = {
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  position?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  votes?: Resolver<ResolversTypes['UnsignedInt'], ParentType, ContextType>;
};

export type MessagePrivateMetricsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessagePrivateMetrics'] = ResolversParentTypes['MessagePrivateMetrics']> = {
  bookmarkCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  engagements?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  impressionCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  likeCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  quoteCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  replyCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  repostCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  urlLinkClicks?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  userProfileClicks?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export type MessagePublicMetricsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessagePublicMetrics'] = ResolversParentTypes['MessagePublicMetrics']> = {
  bookmarkCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  impressionCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  likeCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  quoteCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  replyCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  repostCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export type MessageTopicResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageTopic'] = ResolversParentTypes['MessageTopic']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  topicId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type MessageUserResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageUser'] = ResolversParentTypes['MessageUser']> = {
  affiliation?: Resolver<Maybe<ResolversTypes['MessageUserAffiliation']>, ParentType, ContextType>;
  connectionStatus?: Resolver<Maybe<Array<ResolversTypes['MessageUserConnectionStatus']>>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entities?: Resolver<Maybe<ResolversTypes['MessageUserEntities']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isIdentityVerified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mostRecentMessageId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parody?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  pinnedMessage?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType>;
  pinnedMessageId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  profileBannerUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  profileImageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  protected?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  publicMetrics?: Resolver<Maybe<ResolversTypes['MessageUserPublicMetrics']>, ParentType, ContextType>;
  receivesYourDm?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  subscribesToYou?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  subscriptionType?: Resolver<Maybe<ResolversTypes['MessageUserSubscriptionType']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  username?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  verified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  verifiedFollowersCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  verifiedType?: Resolver<Maybe<ResolversTypes['MessageUserVerifiedType']>, ParentType, ContextType>;
  withheld?: Resolver<Maybe<ResolversTypes['Withheld']>, ParentType, ContextType>;
};

export type MessageUserAffiliationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageUserAffiliation'] = ResolversParentTypes['MessageUserAffiliation']> = {
  badgeUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type MessageUserConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageUserConnection'] = ResolversParentTypes['MessageUserConnection']> = {
  edges?: Resolver<Array<ResolversTypes['MessageUserEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['MessageUser']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MessageUserEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageUserEdge'] = ResolversParentTypes['MessageUserEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['MessageUser'], ParentType, ContextType>;
};

export type MessageUserEntitiesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageUserEntities'] = ResolversParentTypes['MessageUserEntities']> = {
  description?: Resolver<Maybe<ResolversTypes['MessageEntities']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['MessageEntities']>, ParentType, ContextType>;
};

export type MessageUserPublicMetricsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MessageUserPublicMetrics'] = ResolversParentTypes['MessageUserPublicMetrics']> = {
  followersCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  followingCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  likeCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  listedCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  mediaCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  messageCount?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  likeMessage?: Resolver<Maybe<ResolversTypes['LikeMessagePayload']>, ParentType, ContextType, RequireFields<MutationLikeMessageArgs, 'input'>>;
  unlikeMessage?: Resolver<Maybe<ResolversTypes['UnlikeMessagePayload']>, ParentType, ContextType, RequireFields<MutationUnlikeMessageArgs, 'input'>>;
};

export type NodeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Message', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType, RequireFields<QueryMessageArgs, 'messageId'>>;
  messages?: Resolver<Maybe<Array<Maybe<ResolversTypes['Message']>>>, ParentType, ContextType, RequireFields<QueryMessagesArgs, 'messageIds'>>;
};

export type ReferencedMessageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReferencedMessage'] = ResolversParentTypes['ReferencedMessage']> = {
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['MessageReferenceType'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  likeAdded?: SubscriptionResolver<Maybe<ResolversTypes['MessageLikeAdded']>, "likeAdded", ParentType, ContextType, RequireFields<SubscriptionLikeAddedArgs, 'messageId'>>;
  messageChanged?: SubscriptionResolver<Maybe<ResolversTypes['Message']>, "messageChanged", ParentType, ContextType, RequireFields<SubscriptionMessageChangedArgs, 'messageIds'>>;
};

export type TagEntityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TagEntity'] = ResolversParentTypes['TagEntity']> = {
  end?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UnlikeMessagePayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UnlikeMessagePayload'] = ResolversParentTypes['UnlikeMessagePayload']> = {
  liked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['Message']>, ParentType, ContextType>;
};

export interface UnsignedIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UnsignedInt'], any> {
  name: 'UnsignedInt';
}

export type UrlEntityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UrlEntity'] = ResolversParentTypes['UrlEntity']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  displayUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  end?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  expandedUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  images?: Resolver<Array<ResolversTypes['UrlImage']>, ParentType, ContextType>;
  mediaKey?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unwoundUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UrlImageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UrlImage'] = ResolversParentTypes['UrlImage']> = {
  height?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  width?: Resolver<Maybe<ResolversTypes['UnsignedInt']>, ParentType, ContextType>;
};

export type WithheldResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Withheld'] = ResolversParentTypes['Withheld']> = {
  copyright?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  countryCodes?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  scope?: Resolver<Maybe<ResolversTypes['WithheldScope']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  AnnotationEntity?: AnnotationEntityResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  LikeMessagePayload?: LikeMessagePayloadResolvers<ContextType>;
  MentionEntity?: MentionEntityResolvers<ContextType>;
  Message?: MessageResolvers<ContextType>;
  MessageAttachments?: MessageAttachmentsResolvers<ContextType>;
  MessageContextAnnotation?: MessageContextAnnotationResolvers<ContextType>;
  MessageEditControls?: MessageEditControlsResolvers<ContextType>;
  MessageEntities?: MessageEntitiesResolvers<ContextType>;
  MessageGeo?: MessageGeoResolvers<ContextType>;
  MessageLikeAdded?: MessageLikeAddedResolvers<ContextType>;
  MessageMedia?: MessageMediaResolvers<ContextType>;
  MessageMediaVariant?: MessageMediaVariantResolvers<ContextType>;
  MessageNote?: MessageNoteResolvers<ContextType>;
  MessagePlace?: MessagePlaceResolvers<ContextType>;
  MessagePoll?: MessagePollResolvers<ContextType>;
  MessagePollOption?: MessagePollOptionResolvers<ContextType>;
  MessagePrivateMetrics?: MessagePrivateMetricsResolvers<ContextType>;
  MessagePublicMetrics?: MessagePublicMetricsResolvers<ContextType>;
  MessageTopic?: MessageTopicResolvers<ContextType>;
  MessageUser?: MessageUserResolvers<ContextType>;
  MessageUserAffiliation?: MessageUserAffiliationResolvers<ContextType>;
  MessageUserConnection?: MessageUserConnectionResolvers<ContextType>;
  MessageUserEdge?: MessageUserEdgeResolvers<ContextType>;
  MessageUserEntities?: MessageUserEntitiesResolvers<ContextType>;
  MessageUserPublicMetrics?: MessageUserPublicMetricsResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ReferencedMessage?: ReferencedMessageResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  TagEntity?: TagEntityResolvers<ContextType>;
  UnlikeMessagePayload?: UnlikeMessagePayloadResolvers<ContextType>;
  UnsignedInt?: GraphQLScalarType;
  UrlEntity?: UrlEntityResolvers<ContextType>;
  UrlImage?: UrlImageResolvers<ContextType>;
  Withheld?: WithheldResolvers<ContextType>;
};

