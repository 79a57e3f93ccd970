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
  /** A point in time in RFC 3339 form with an offset, such as `2026-11-20T20:21:07.389276077Z`. */
  DateTime: { input: string; output: string; }
  /** Any JSON value: an object, a list, a string, a number, a boolean or null. */
  JSON: { input: unknown; output: unknown; }
  /** A whole number from 0 to 2^53 - 1, as a JSON number: larger than `Int` and still exact in every JSON parser. */
  UnsignedInt: { input: number; output: number; }
  _FieldSet: { input: unknown; output: unknown; }
};

/** A name that the service found in a text. */
export type AnnotationEntity = {
  __typename?: 'AnnotationEntity';
  /** The last code point. */
  end: Scalars['Int']['output'];
  /** The name in its usual form. */
  normalizedText: Maybe<Scalars['String']['output']>;
  /** The confidence, from 0 to 1. */
  probability: Maybe<Scalars['Float']['output']>;
  /** The first code point. */
  start: Scalars['Int']['output'];
  /** Its kind, such as `Person` or `Place`. */
  type: Maybe<Scalars['String']['output']>;
};

/** The user, and the message that the user likes. */
export type LikeMessageInput = {
  /** The service's id of the message. */
  messageId: Scalars['ID']['input'];
  /** The service's id of the user who likes; it must be the owner of the credential. */
  userId: Scalars['ID']['input'];
};

/** The result of `likeMessage`. */
export type LikeMessagePayload = {
  __typename?: 'LikeMessagePayload';
  /** Whether the user likes the message now. */
  liked: Scalars['Boolean']['output'];
  /** The message, read again if more than its ids is selected. */
  message: Maybe<Message>;
};

/** A user in a text. */
export type MentionEntity = {
  __typename?: 'MentionEntity';
  /** The code point after the last. */
  end: Scalars['Int']['output'];
  /** The first code point. */
  start: Scalars['Int']['output'];
  /** The user; null if the service does not identify one. */
  user: Maybe<MessageUser>;
  /** The user's name at that time, without `@`. */
  username: Scalars['String']['output'];
};

/**
 * A short message. Its ids need no scope; everything else does, and is requested from the service only when it is selected.
 * From the short-message service, the object message.
 */
export type Message = Node & {
  __typename?: 'Message';
  /** The article in the message, as the service sends it; null if there is none. */
  article: Maybe<Scalars['JSON']['output']>;
  /** Its media and polls; null if there are none. */
  attachments: Maybe<MessageAttachments>;
  /** Its author. Fields other than `userId` are charged at the service's price for users. */
  author: Maybe<MessageUser>;
  /** The id of its author. */
  authorId: Maybe<Scalars['ID']['output']>;
  /** The URI of the card in the message; null if there is none. */
  cardUri: Maybe<Scalars['String']['output']>;
  /** The id of the community in which it was written; null if there is none. */
  communityId: Maybe<Scalars['ID']['output']>;
  /** The topics that the service has inferred. Empty if it has inferred none. */
  contextAnnotations: Maybe<Array<MessageContextAnnotation>>;
  /** The id of the message that began the conversation. */
  conversationId: Maybe<Scalars['ID']['output']>;
  /** When it was written. */
  createdAt: Maybe<Scalars['DateTime']['output']>;
  /** Which part of the text is shown: the first and the end index, in code points. */
  displayTextRange: Maybe<Array<Scalars['Int']['output']>>;
  /** Whether and until when it can be edited. */
  editControls: Maybe<MessageEditControls>;
  /** The ids of its versions, oldest first; its own is the last. */
  editHistoryMessageIds: Maybe<Array<Scalars['ID']['output']>>;
  /** URLs, names, hashtags and the like in the text. */
  entities: Maybe<MessageEntities>;
  /** Whether only followers see it; null if the service does not say. */
  followersOnly: Maybe<Scalars['Boolean']['output']>;
  /** Where it was written; null if the author does not share that. */
  geo: Maybe<MessageGeo>;
  /** The global id. */
  id: Scalars['ID']['output'];
  /** The user to whom it replies; null if it is no reply. */
  inReplyToUser: Maybe<MessageUser>;
  /** The id of the user to whom it replies; null if it is no reply. */
  inReplyToUserId: Maybe<Scalars['ID']['output']>;
  /** The language that the service detected (BCP 47); `und` if it detected none. */
  lang: Maybe<Scalars['String']['output']>;
  /**
   * The users who like it, probably newest first. Likes are private: in most cases only the author gets a list, and
   * others an empty one. Costs a call for every 100 users, and the service allows 75 calls per 15 minutes, so do not
   * select it in long lists. From the short-message service, users who liked a message.
   */
  likingUsers: Maybe<MessageUserConnection>;
  /** The service's id: 1 to 9223372036854775807 in decimal digits, past 2^53. A newer message has a greater id. */
  messageId: Scalars['ID']['output'];
  /** Counts that only the author may see, for messages of the last 30 days. */
  nonPublicMetrics: Maybe<MessagePrivateMetrics>;
  /** The whole text of a long message; null if `text` is the whole. */
  note: Maybe<MessageNote>;
  /** Counts without promotion, which only the author may see, for messages of the last 30 days. */
  organicMetrics: Maybe<MessagePrivateMetrics>;
  /** Whether it is paid for. */
  paidPartnership: Maybe<Scalars['Boolean']['output']>;
  /** Whether it links to sensitive content. */
  possiblySensitive: Maybe<Scalars['Boolean']['output']>;
  /** Counts from promotion, which only the author may see, for messages of the last 30 days. */
  promotedMetrics: Maybe<MessagePrivateMetrics>;
  /** Counts that everybody may see. */
  publicMetrics: Maybe<MessagePublicMetrics>;
  /** The messages that it repeats, quotes or answers. Empty if there are none. */
  referencedMessages: Maybe<Array<ReferencedMessage>>;
  /** Who may reply. */
  replySettings: Maybe<MessageReplySettings>;
  /**
   * The app with which it was written. The service has rarely returned it since 2022.
   * @deprecated The service has stopped filling it.
   */
  source: Maybe<Scalars['String']['output']>;
  /** The text as shown: `&`, `<` and `>` are encoded (`&amp;`), and a long message is cut; see `note`. */
  text: Maybe<Scalars['String']['output']>;
  /** Where and why it is withheld; null if it is not. */
  withheld: Maybe<Withheld>;
};


/**
 * A short message. Its ids need no scope; everything else does, and is requested from the service only when it is selected.
 * From the short-message service, the object message.
 */
export type MessageLikingUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** The media and polls of a message. */
export type MessageAttachments = {
  __typename?: 'MessageAttachments';
  /** The media, without those that the caller may not see. */
  media: Array<MessageMedia>;
  /** The keys of its media. */
  mediaKeys: Array<Scalars['ID']['output']>;
  /** The ids of the messages in which its media were first published. */
  mediaSourceMessageIds: Array<Scalars['ID']['output']>;
  /** The ids of its polls. */
  pollIds: Array<Scalars['ID']['output']>;
  /** The polls. */
  polls: Array<MessagePoll>;
};

/** A topic of a message, as inferred by the service. */
export type MessageContextAnnotation = {
  __typename?: 'MessageContextAnnotation';
  /** The domain, such as `Sports`. */
  domain: MessageTopic;
  /** The entity within the domain. */
  entity: MessageTopic;
};

/** Whether and until when a message can be edited. */
export type MessageEditControls = {
  __typename?: 'MessageEditControls';
  /** When editing ends. */
  editableUntil: Maybe<Scalars['DateTime']['output']>;
  /** How often it can still be edited. */
  editsRemaining: Maybe<Scalars['Int']['output']>;
  /** Whether it could be edited when it was written. */
  isEditEligible: Maybe<Scalars['Boolean']['output']>;
};

/** Entities found in a text. `start` counts from 0 and is inclusive, `end` is exclusive; both count code points. */
export type MessageEntities = {
  __typename?: 'MessageEntities';
  /** Names of people, places and the like that the service found. Their `end` is inclusive. */
  annotations: Array<AnnotationEntity>;
  /** Ticker symbols. */
  cashtags: Array<TagEntity>;
  /** Tags. */
  hashtags: Array<TagEntity>;
  /** Users. */
  mentions: Array<MentionEntity>;
  /** Addresses. */
  urls: Array<UrlEntity>;
};

/** Where a message was written. */
export type MessageGeo = {
  __typename?: 'MessageGeo';
  /** The exact point, as a GeoJSON geometry (longitude first); null if only the place is given. */
  coordinates: Maybe<Scalars['JSON']['output']>;
  /** The place. */
  place: Maybe<MessagePlace>;
  /** The id of the place. */
  placeId: Maybe<Scalars['ID']['output']>;
};

/** A user who likes a message now. From the newest page of the users who like it. */
export type MessageLikeAdded = {
  __typename?: 'MessageLikeAdded';
  /** Where to resume after this event. Opaque, and valid only for the same message. */
  after: Scalars['String']['output'];
  /**
   * Whether users may be missing between the previous event and this one. That happens if more were added between two
   * polls than a page has, if those after `after` are not available any more, or if the service sent a malformed one.
   */
  gap: Scalars['Boolean']['output'];
  /** The user. */
  user: MessageUser;
};

/** A photo, a video or an animated image. */
export type MessageMedia = {
  __typename?: 'MessageMedia';
  /** A description of the image for people who cannot see it. */
  altText: Maybe<Scalars['String']['output']>;
  /** The duration of a video, in milliseconds. */
  durationMs: Maybe<Scalars['UnsignedInt']['output']>;
  /** In pixels. */
  height: Maybe<Scalars['UnsignedInt']['output']>;
  /** The service's key, `<digit>_<id>`. */
  mediaKey: Scalars['ID']['output'];
  /** The address of a still image of a video or an animated image. */
  previewImageUrl: Maybe<Scalars['String']['output']>;
  /** Its kind. */
  type: MessageMediaType;
  /** The address of a photo; null for others. */
  url: Maybe<Scalars['String']['output']>;
  /** The variants of a video or an animated image, by bit rate and type. */
  variants: Array<MessageMediaVariant>;
  /** How often it was seen. */
  viewCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** In pixels. */
  width: Maybe<Scalars['UnsignedInt']['output']>;
};

/** A kind of media. */
export type MessageMediaType =
  /** A video without sound that plays in a loop. */
  | 'ANIMATED_GIF'
  /** A photo. */
  | 'PHOTO'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED'
  /** A video. */
  | 'VIDEO';

/** One variant of a video. */
export type MessageMediaVariant = {
  __typename?: 'MessageMediaVariant';
  /** Bits per second; null for a playlist. */
  bitRate: Maybe<Scalars['UnsignedInt']['output']>;
  /** The media type, such as `video/mp4`. */
  contentType: Maybe<Scalars['String']['output']>;
  /** The address. */
  url: Maybe<Scalars['String']['output']>;
};

/** The whole text of a long message. */
export type MessageNote = {
  __typename?: 'MessageNote';
  /** Its content. */
  entities: Maybe<MessageEntities>;
  /** The whole text; `&`, `<` and `>` are encoded. */
  text: Maybe<Scalars['String']['output']>;
};

/** The place at which a message was written. */
export type MessagePlace = {
  __typename?: 'MessagePlace';
  /** The ids of the places that contain it. */
  containedWithin: Array<Scalars['ID']['output']>;
  /** The country's name. */
  country: Maybe<Scalars['String']['output']>;
  /** The country's code, ISO 3166-1 alpha-2. */
  countryCode: Maybe<Scalars['String']['output']>;
  /** Its full name, with the region that contains it. */
  fullName: Scalars['String']['output'];
  /** Its location, as GeoJSON. */
  geo: Maybe<Scalars['JSON']['output']>;
  /** Its short name. */
  name: Maybe<Scalars['String']['output']>;
  /** The service's id. */
  placeId: Scalars['ID']['output'];
  /** Its kind, such as `city` or `poi`. */
  placeType: Maybe<Scalars['String']['output']>;
};

/** A poll. */
export type MessagePoll = {
  __typename?: 'MessagePoll';
  /** How long it runs, in minutes: 5 to 10080. */
  durationMinutes: Maybe<Scalars['Int']['output']>;
  /** When it ends. */
  endDatetime: Maybe<Scalars['DateTime']['output']>;
  /** The choices, 2 to 4. */
  options: Array<MessagePollOption>;
  /** The service's id. */
  pollId: Scalars['ID']['output'];
  /** Whether votes are still accepted. */
  votingStatus: Maybe<MessagePollVotingStatus>;
};

/** A choice of a poll. */
export type MessagePollOption = {
  __typename?: 'MessagePollOption';
  /** The text. */
  label: Scalars['String']['output'];
  /** Its position, from 1. */
  position: Scalars['Int']['output'];
  /** How many chose it. */
  votes: Scalars['UnsignedInt']['output'];
};

/** Whether votes are still accepted. */
export type MessagePollVotingStatus =
  /** No. */
  | 'CLOSED'
  /** Yes. */
  | 'OPEN'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED';

/** Counts of a message that only its author may see. A count is null if the service does not return it. */
export type MessagePrivateMetrics = {
  __typename?: 'MessagePrivateMetrics';
  /** How many users have bookmarked it. */
  bookmarkCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many interactions of any kind it had. */
  engagements: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often it was seen. */
  impressionCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many users like it. Suspended and protected accounts count here and are missing in `likingUsers`. */
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often it was repeated with a comment. */
  quoteCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many replies it has. */
  replyCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often it was repeated without a comment. */
  repostCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often a link in it was followed. */
  urlLinkClicks: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often the author's profile was opened from it. */
  userProfileClicks: Maybe<Scalars['UnsignedInt']['output']>;
};

/** Counts of a message that everybody may see. */
export type MessagePublicMetrics = {
  __typename?: 'MessagePublicMetrics';
  /** How many users have bookmarked it. */
  bookmarkCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often it was seen. */
  impressionCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many users like it. Suspended and protected accounts count here and are missing in `likingUsers`. */
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often it was repeated with a comment. */
  quoteCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many replies it has. */
  replyCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How often it was repeated without a comment. */
  repostCount: Maybe<Scalars['UnsignedInt']['output']>;
};

/** How a message refers to another. */
export type MessageReferenceType =
  /** It quotes it. */
  | 'QUOTED'
  /** It replies to it. */
  | 'REPLIED_TO'
  /** It repeats it. */
  | 'RETWEETED'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED';

/** Who may reply to a message. */
export type MessageReplySettings =
  /** Everyone. */
  | 'EVERYONE'
  /** The users whom the author follows. */
  | 'FOLLOWING'
  /** The users whom it mentions. */
  | 'MENTIONED_USERS'
  /** Another value. Some code generators for Rust add their own variant `Other`: examples/clients says what to do. */
  | 'OTHER'
  /** Subscribers of the author. */
  | 'SUBSCRIBERS'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED'
  /** Verified accounts. */
  | 'VERIFIED';

/** A topic of the service's catalogue. */
export type MessageTopic = {
  __typename?: 'MessageTopic';
  /** What it stands for. */
  description: Maybe<Scalars['String']['output']>;
  /** Its name. */
  name: Maybe<Scalars['String']['output']>;
  /** The catalogue's id. */
  topicId: Scalars['ID']['output'];
};

/**
 * A user of the short-message service. The service offers no look-up by id here, so `node` does not find users.
 * Another subgraph can add fields by either key. From the short-message service, the object user.
 */
export type MessageUser = {
  __typename?: 'MessageUser';
  /** The organization to which the account belongs. */
  affiliation: Maybe<MessageUserAffiliation>;
  /** The relations between the user and the caller. */
  connectionStatus: Maybe<Array<MessageUserConnectionStatus>>;
  /** When the account was made. */
  createdAt: Maybe<Scalars['DateTime']['output']>;
  /** What the user writes about themselves. */
  description: Maybe<Scalars['String']['output']>;
  /** The entities in the description and in the URL. */
  entities: Maybe<MessageUserEntities>;
  /** The global id. */
  id: Scalars['ID']['output'];
  /** Whether the person has proved their identity. */
  isIdentityVerified: Maybe<Scalars['Boolean']['output']>;
  /** The location that the user states; free text. */
  location: Maybe<Scalars['String']['output']>;
  /** The id of the newest message. */
  mostRecentMessageId: Maybe<Scalars['ID']['output']>;
  /** The name as shown. */
  name: Scalars['String']['output'];
  /** Whether the account is marked as a parody. */
  parody: Maybe<Scalars['Boolean']['output']>;
  /** The message at the top of the profile, in a further call (shared by up to 100). */
  pinnedMessage: Maybe<Message>;
  /** The id of the message at the top of the profile. */
  pinnedMessageId: Maybe<Scalars['ID']['output']>;
  /** The address of the wide picture. */
  profileBannerUrl: Maybe<Scalars['String']['output']>;
  /** The address of the picture. */
  profileImageUrl: Maybe<Scalars['String']['output']>;
  /** Whether messages are for approved followers only. */
  protected: Maybe<Scalars['Boolean']['output']>;
  /** Counts that everybody may see. */
  publicMetrics: Maybe<MessageUserPublicMetrics>;
  /** Whether the user accepts direct messages from the caller. */
  receivesYourDm: Maybe<Scalars['Boolean']['output']>;
  /** Whether the user pays to follow the caller. */
  subscribesToYou: Maybe<Scalars['Boolean']['output']>;
  /** The user's subscription; null for users other than the caller. */
  subscriptionType: Maybe<MessageUserSubscriptionType>;
  /** The URL that the user states. */
  url: Maybe<Scalars['String']['output']>;
  /** The service's id: decimal digits, past 2^53. It never changes. */
  userId: Scalars['ID']['output'];
  /** The name in addresses: up to 15 letters, digits and `_`. It can change. */
  username: Scalars['String']['output'];
  /** Whether the account is verified. */
  verified: Maybe<Scalars['Boolean']['output']>;
  /** How many followers are verified. */
  verifiedFollowersCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** The kind of verification. */
  verifiedType: Maybe<MessageUserVerifiedType>;
  /** Where and why the user is withheld; null if they are not. */
  withheld: Maybe<Withheld>;
};

/** The organization to which an account belongs. */
export type MessageUserAffiliation = {
  __typename?: 'MessageUserAffiliation';
  /** The address of the badge. */
  badgeUrl: Maybe<Scalars['String']['output']>;
  /** Its text. */
  description: Maybe<Scalars['String']['output']>;
  /** Its link. */
  url: Maybe<Scalars['String']['output']>;
  /** The ids of the accounts to which it belongs. */
  userIds: Array<Scalars['ID']['output']>;
};

/** A page of the users who like a message. */
export type MessageUserConnection = {
  __typename?: 'MessageUserConnection';
  /** The users of this page with their cursors. */
  edges: Array<MessageUserEdge>;
  /** The users of this page. */
  nodes: Array<MessageUser>;
  /** The position of this page in the list. */
  pageInfo: PageInfo;
  /** How many there are; null unless this page has them all. Never the same as `publicMetrics.likeCount`. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** A relation between a user and the caller. */
export type MessageUserConnectionStatus =
  /** The caller blocks the user. */
  | 'BLOCKING'
  /** The user follows the caller. */
  | 'FOLLOWED_BY'
  /** The caller follows the user. */
  | 'FOLLOWING'
  /** The user has asked to follow the caller. */
  | 'FOLLOW_REQUEST_RECEIVED'
  /** The caller has asked to follow the user. */
  | 'FOLLOW_REQUEST_SENT'
  /** The caller mutes the user. */
  | 'MUTING'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED';

/** One user of a page, with the cursor. */
export type MessageUserEdge = {
  __typename?: 'MessageUserEdge';
  /** The cursor of the user, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The user. */
  node: MessageUser;
};

/** The entities in a user's description and URL. */
export type MessageUserEntities = {
  __typename?: 'MessageUserEntities';
  /** In the description. */
  description: Maybe<MessageEntities>;
  /** In the address. */
  url: Maybe<MessageEntities>;
};

/** Counts of a user that everybody may see. */
export type MessageUserPublicMetrics = {
  __typename?: 'MessageUserPublicMetrics';
  /** How many follow the user. */
  followersCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many the user follows. */
  followingCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many messages the user likes. */
  likeCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many lists the user is on. */
  listedCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many photos and videos the user has published. */
  mediaCount: Maybe<Scalars['UnsignedInt']['output']>;
  /** How many messages the user wrote. */
  messageCount: Maybe<Scalars['UnsignedInt']['output']>;
};

/** The subscription of a user. */
export type MessageUserSubscriptionType =
  /** Basic. */
  | 'BASIC'
  /** Nothing. */
  | 'NONE'
  /** Premium. */
  | 'PREMIUM'
  /** Premium Plus. */
  | 'PREMIUM_PLUS'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED';

/** The kind of verification of a user. */
export type MessageUserVerifiedType =
  /** As a subscriber. */
  | 'BLUE'
  /** As a business. */
  | 'BUSINESS'
  /** As a government. */
  | 'GOVERNMENT'
  /** Not at all. */
  | 'NONE'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED';

/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Lets a user like a message. The service allows this to enterprise plans only: expect `FORBIDDEN` with any other.
   * From the short-message service, like. The gateway never repeats it.
   */
  likeMessage: Maybe<LikeMessagePayload>;
  /**
   * Removes a user's like of a message. Nothing happens if the user does not like it. It shares its limits with
   * `likeMessage`, and is allowed to the same plans. From the short-message service, unlike. The gateway never repeats
   * it.
   */
  unlikeMessage: Maybe<UnlikeMessagePayload>;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationLikeMessageArgs = {
  input: LikeMessageInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationUnlikeMessageArgs = {
  input: UnlikeMessageInput;
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
  /**
   * A message by its id; null if it does not exist, and null with an error if the caller may not see it. Up to 100 ids
   * that are looked up at the same moment share a call. From the short-message service, lookup.
   */
  message: Maybe<Message>;
  /**
   * Messages by their ids, in the order of the ids; null if a message does not exist. The bound is 500 ids, unless the
   * gateway is configured otherwise. A malformed id, and one that the caller may not see, is null with an error at its
   * position; a malformed one has the code `BAD_USER_INPUT`. The response has at most 100 errors. Costs a call for
   * every 100 ids. From the short-message service, lookup.
   */
  messages: Maybe<Array<Maybe<Message>>>;
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryMessageArgs = {
  messageId: Scalars['ID']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryMessagesArgs = {
  messageIds: Array<Scalars['ID']['input']>;
};

/** Another message to which a message refers. */
export type ReferencedMessage = {
  __typename?: 'ReferencedMessage';
  /** The other message, in a further call (shared by up to 100); null if it is gone. */
  message: Maybe<Message>;
  /** The id of the other message. */
  messageId: Scalars['ID']['output'];
  /** How it refers to it. */
  type: MessageReferenceType;
};

/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type Subscription = {
  __typename?: 'Subscription';
  /**
   * Users who begin to like a message, oldest first, each once. There is no event for users who liked it before. Likes
   * are private, so in most cases only the author sees any. Polled every 30 seconds, or more slowly if the service's
   * rate limit requires it (75 calls per 15 minutes), and at intervals of up to 5 minutes while there are none. A poll
   * reads the newest 100. Fails with `NOT_FOUND` if the message does not exist, with `FORBIDDEN` if the caller may not
   * see it, and with `SUBSCRIPTION_TOO_SLOW` if more than 1,000 events wait for the client. From the short-message
   * service, users who liked a message.
   */
  likeAdded: Maybe<MessageLikeAdded>;
  /**
   * Messages as they change. There is one event for each message at the start, and one whenever a selected field
   * changed. For a client that reads slowly, only the newest event of each message waits. An event is null if the
   * message does not exist, or not any more; its `extensions.absent` then names the message. It is null with an error
   * if the caller may not see the message, or if the service's response is malformed. Polled every 15 seconds, or more
   * slowly if the service's rate limit requires it, and at intervals of up to 2 minutes while nothing changes. A poll
   * costs a call for every 100 distinct messages of all subscribers together. Fails with `BAD_USER_INPUT` if an id is
   * malformed, or if there are none or more than 500 (unless the gateway is configured otherwise). From the
   * short-message service, lookup.
   */
  messageChanged: Maybe<Message>;
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionLikeAddedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  messageId: Scalars['ID']['input'];
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionMessageChangedArgs = {
  messageIds: Array<Scalars['ID']['input']>;
};

/** A tag in a text. */
export type TagEntity = {
  __typename?: 'TagEntity';
  /** The code point after the last. */
  end: Scalars['Int']['output'];
  /** The first code point. */
  start: Scalars['Int']['output'];
  /** The tag, without `#` or `$`. */
  tag: Scalars['String']['output'];
};

/** The user, and the message that the user no longer likes. */
export type UnlikeMessageInput = {
  /** The service's id of the message. */
  messageId: Scalars['ID']['input'];
  /** The service's id of the user who has liked it; it must be the owner of the credential. */
  userId: Scalars['ID']['input'];
};

/** The result of `unlikeMessage`. */
export type UnlikeMessagePayload = {
  __typename?: 'UnlikeMessagePayload';
  /** Whether the user likes the message now. */
  liked: Scalars['Boolean']['output'];
  /** The message, read again if more than its ids is selected. */
  message: Maybe<Message>;
};

/** An address in a text. */
export type UrlEntity = {
  __typename?: 'UrlEntity';
  /** What the page is about. */
  description: Maybe<Scalars['String']['output']>;
  /** The address as it is shown. */
  displayUrl: Maybe<Scalars['String']['output']>;
  /** The code point after the last. */
  end: Scalars['Int']['output'];
  /** The address to which it leads. */
  expandedUrl: Maybe<Scalars['String']['output']>;
  /** Pictures of the page. */
  images: Array<UrlImage>;
  /** The key of the media to which it leads. */
  mediaKey: Maybe<Scalars['ID']['output']>;
  /** The first code point. */
  start: Scalars['Int']['output'];
  /** The HTTP status of its response. */
  status: Maybe<Scalars['Int']['output']>;
  /** The page's title. */
  title: Maybe<Scalars['String']['output']>;
  /** The address at the end of all redirects. */
  unwoundUrl: Maybe<Scalars['String']['output']>;
  /** The short address in the text. */
  url: Scalars['String']['output'];
};

/** A picture of a page. */
export type UrlImage = {
  __typename?: 'UrlImage';
  /** In pixels. */
  height: Maybe<Scalars['UnsignedInt']['output']>;
  /** Its address. */
  url: Maybe<Scalars['String']['output']>;
  /** In pixels. */
  width: Maybe<Scalars['UnsignedInt']['output']>;
};

/** Where and why something is withheld. */
export type Withheld = {
  __typename?: 'Withheld';
  /** Whether for reasons of copyright; null if the service does not say. */
  copyright: Maybe<Scalars['Boolean']['output']>;
  /** The countries, ISO 3166-1 alpha-2. */
  countryCodes: Array<Scalars['String']['output']>;
  /** What is withheld. */
  scope: Maybe<WithheldScope>;
};

/** What is withheld. */
export type WithheldScope =
  /** The message alone. */
  | 'MESSAGE'
  /** A value that the service knows and this graph does not know yet. */
  | 'UNRECOGNIZED'
  /** The user with all messages. */
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

