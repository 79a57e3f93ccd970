import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AgentModel, IntentModel, IntentConnectionModel, ExportedModel, ImportedModel, DeletedIntentModel, Json } from './model.ts';
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
  /** Any JSON value: an object, a list, a string, a number, a boolean or null. */
  JSON: { input: unknown; output: unknown; }
  _FieldSet: { input: unknown; output: unknown; }
};

/**
 * The conversational agent of a project: there is at most one. Its id and project need no scope; every other field
 * does. From the agents service, the object Agent.
 */
export type Agent = Node & {
  __typename?: 'Agent';
  /** The API version with which webhooks are called. */
  apiVersion: Maybe<ApiVersion>;
  /** The address of the agent's picture. */
  avatarUri: Maybe<Scalars['String']['output']>;
  /** The least confidence for a match, from 0 to 1; 0 stands for the service's default, 0.3. */
  classificationThreshold: Maybe<Scalars['Float']['output']>;
  /** The agent's default language, as a BCP 47 tag. It cannot change. */
  defaultLanguageCode: Maybe<Scalars['String']['output']>;
  /** The agent's purpose, up to 500 characters. */
  description: Maybe<Scalars['String']['output']>;
  /** The agent's display name. */
  displayName: Maybe<Scalars['String']['output']>;
  /** Whether the service logs conversations. */
  enableLogging: Maybe<Scalars['Boolean']['output']>;
  /** The global id. */
  id: Scalars['ID']['output'];
  /**
   * The agent's intents, in the service's order. Up to 1000 of them cost one call; the default is 100. The service
   * offers no total and no previous page. From the agent service, intents `list`.
   */
  intents: Maybe<IntentConnection>;
  /** How an input is matched to intents. */
  matchMode: Maybe<MatchMode>;
  /** The project's path, `projects/<project>`. */
  parent: Scalars['String']['output'];
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['output'];
  /** Its other languages, as BCP 47 tags, without the default one. Empty if there are none. */
  supportedLanguageCodes: Maybe<Array<Scalars['String']['output']>>;
  /** The pricing tier of the agent. */
  tier: Maybe<Tier>;
  /** The agent's time zone, an IANA name such as `Europe/Paris`. */
  timeZone: Maybe<Scalars['String']['output']>;
};


/**
 * The conversational agent of a project: there is at most one. Its id and project need no scope; every other field
 * does. From the agents service, the object Agent.
 */
export type AgentIntentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  languageCode?: InputMaybe<Scalars['String']['input']>;
};

/** State of a conversation that decides which intents can match. Every context ends after 20 minutes. */
export type AgentContext = {
  __typename?: 'AgentContext';
  /** The last segment of the name, lowercased by the service. */
  contextId: Scalars['String']['output'];
  /** For how many more inputs it stays active; 0 means that it ends at once. */
  lifespanCount: Scalars['Int']['output'];
  /** The full name; in an intent its session is `-`. */
  name: Scalars['String']['output'];
  /** The collected values: a JSON object whose values may be of any kind. `<name>.original` is what the user said. */
  parameters: Maybe<Scalars['JSON']['output']>;
};

/** A context of an intent or of a session. */
export type AgentContextInput = {
  /** For how many inputs it stays active; 0 ends it. */
  lifespanCount?: InputMaybe<Scalars['Int']['input']>;
  /**
   * Its id (letters, digits and `_-%`, up to 250 bytes; lowercased by the service), or its full name: with the session
   * `-` in an intent, with the conversation's own session in a query.
   */
  name: Scalars['String']['input'];
  /** A JSON object. Not allowed in an intent. */
  parameters?: InputMaybe<Scalars['JSON']['input']>;
};

/** Work that the agent service continues after it has responded. From the agents service, `export` and `import`. */
export type AgentOperation = {
  __typename?: 'AgentOperation';
  /** Whether the work has ended, with success or failure. */
  done: Scalars['Boolean']['output'];
  /** Why it failed; null while it runs, or if it succeeded. */
  error: Maybe<AgentStatus>;
  /** The progress of the work, with its type under `@type`. */
  metadata: Maybe<Scalars['JSON']['output']>;
  /** The full name, `projects/<project>/operations/<id>`, for `agentOperation`. */
  name: Scalars['ID']['output'];
  /** The result, with its type under `@type`; null while it runs, or if it failed. */
  response: Maybe<Scalars['JSON']['output']>;
};

/** The outcome of an operation, a `google.rpc.Status`. This is data: the call itself succeeded. */
export type AgentStatus = {
  __typename?: 'AgentStatus';
  /** The gRPC code: 0 means success. */
  code: Scalars['Int']['output'];
  /** What went wrong. Names of projects and of the service's internal parts are removed. */
  message: Maybe<Scalars['String']['output']>;
  /** The name of the code, such as `OK` or `NOT_FOUND`; `UNKNOWN` for a code without a name. */
  status: Scalars['String']['output'];
};

/** The API version with which the agent calls webhooks. */
export type ApiVersion =
  /** Not set: V2. */
  | 'API_VERSION_UNSPECIFIED'
  /** V1. */
  | 'API_VERSION_V1'
  /** V2. */
  | 'API_VERSION_V2'
  /** V2beta1. */
  | 'API_VERSION_V2_BETA_1'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** The encoding of audio input. */
export type AudioEncoding =
  /** G.711 A-law. */
  | 'AUDIO_ENCODING_ALAW'
  /** AMR, 8000 Hz. */
  | 'AUDIO_ENCODING_AMR'
  /** AMR wideband, 16000 Hz. */
  | 'AUDIO_ENCODING_AMR_WB'
  /** FLAC. */
  | 'AUDIO_ENCODING_FLAC'
  /** Uncompressed, 16 bits per sample, little-endian. */
  | 'AUDIO_ENCODING_LINEAR_16'
  /** G.711 µ-law. */
  | 'AUDIO_ENCODING_MULAW'
  /** Opus in Ogg, 16000 Hz. */
  | 'AUDIO_ENCODING_OGG_OPUS'
  /** Speex with a header byte, 16000 Hz. */
  | 'AUDIO_ENCODING_SPEEX_WITH_HEADER_BYTE'
  /** Not set. */
  | 'AUDIO_ENCODING_UNSPECIFIED';

/** When a user may interrupt. */
export type BargeInConfigInput = {
  /** How long the user cannot interrupt, from the start: seconds with an `s`, such as `3.5s`. */
  noBargeInDuration?: InputMaybe<Scalars['String']['input']>;
  /** The total duration: seconds with an `s`, such as `3.5s`. */
  totalDuration?: InputMaybe<Scalars['String']['input']>;
};

/** A new intent. The service chooses its `name`. */
export type CreateIntentInput = {
  /** Without white space. */
  action?: InputMaybe<Scalars['String']['input']>;
  /** The platforms that get the first of the default responses. */
  defaultResponsePlatforms?: InputMaybe<Array<IntentMessagePlatform>>;
  /** The intent's display name, unique in the agent. */
  displayName: Scalars['String']['input'];
  /** Whether a match ends the conversation. */
  endInteraction?: InputMaybe<Scalars['Boolean']['input']>;
  /** Up to 150 characters each. */
  events?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Contexts that must be active: their ids, or their full names with the session `-`. */
  inputContextNames?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whether it is the fallback. */
  isFallback?: InputMaybe<Scalars['Boolean']['input']>;
  /** The language of the phrases, messages and prompts (BCP 47). The default is the agent's own. */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** Whether a match transfers the conversation to a person. */
  liveAgentHandoff?: InputMaybe<Scalars['Boolean']['input']>;
  /** The responses. */
  messages?: InputMaybe<Array<IntentMessageInput>>;
  /** Whether machine learning leaves this intent out. */
  mlDisabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Deprecated by the service: use `mlDisabled`. */
  mlEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** The contexts that a match activates, without parameters. */
  outputContexts?: InputMaybe<Array<AgentContextInput>>;
  /** The values that it extracts from an input. */
  parameters?: InputMaybe<Array<IntentParameterInput>>;
  /** The full name of the intent that this one follows. */
  parentFollowupIntentName?: InputMaybe<Scalars['ID']['input']>;
  /** A higher priority wins. 0 stands for 500000, and an intent with a negative one is ignored. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
  /** Whether a match ends all contexts before it activates its own. */
  resetContexts?: InputMaybe<Scalars['Boolean']['input']>;
  /** The examples by which it is recognized. */
  trainingPhrases?: InputMaybe<Array<TrainingPhraseInput>>;
  /** Whether a webhook is called. */
  webhookState?: InputMaybe<WebhookState>;
};

/** The result of `createIntent`. */
export type CreateIntentPayload = {
  __typename?: 'CreateIntentPayload';
  /** The new intent. */
  intent: Intent;
};

/** The project whose agent `deleteAgent` deletes. */
export type DeleteAgentInput = {
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
};

/** The result of `deleteAgent`. */
export type DeleteAgentPayload = {
  __typename?: 'DeleteAgentPayload';
  /** The global id of the deleted agent. */
  deletedAgentId: Scalars['ID']['output'];
  /** Its project. */
  project: Scalars['ID']['output'];
};

/** Which session `deleteContexts` clears. */
export type DeleteContextsInput = {
  /** The environment of the agent. */
  environment?: Scalars['ID']['input'];
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
  /** The conversation: up to 36 characters. */
  session: Scalars['ID']['input'];
  /** The user who talks; up to 36 characters. `-` stands for any user. */
  user?: Scalars['ID']['input'];
};

/** The result of `deleteContexts`. */
export type DeleteContextsPayload = {
  __typename?: 'DeleteContextsPayload';
  /** The full name of the session whose contexts were deleted. */
  session: Scalars['String']['output'];
};

/** Which intent `deleteIntent` deletes. */
export type DeleteIntentInput = {
  /** The full name, `projects/<project>/agent/intents/<intent>`. */
  name: Scalars['ID']['input'];
};

/** The result of `deleteIntent`. */
export type DeleteIntentPayload = {
  __typename?: 'DeleteIntentPayload';
  /** The agent to which it belonged. Fields other than its ids need a scope and a further call. */
  agent: Maybe<Agent>;
  /** The global id of the deleted intent. */
  deletedIntentId: Scalars['ID']['output'];
  /** Its full name. */
  name: Scalars['ID']['output'];
};

/** One input of a user, and the session that it belongs to. From the agents service, the body of `detectIntent`. */
export type DetectIntentInput = {
  /** The environment of the agent. */
  environment?: Scalars['ID']['input'];
  /** What the user said, as base64, up to one minute. Allowed only with `queryInput.audioConfig`. */
  inputAudio?: InputMaybe<Scalars['String']['input']>;
  /** The audio format of the spoken response. The default is the agent's configuration. */
  outputAudioConfig?: InputMaybe<OutputAudioConfigInput>;
  /** Which fields of `outputAudioConfig` to use: dotted names with commas. The default is all of them. */
  outputAudioConfigMask?: InputMaybe<Scalars['String']['input']>;
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
  /** What the user said: exactly one kind. */
  queryInput: QueryInput;
  /** Parameters beside the input. */
  queryParams?: InputMaybe<QueryParametersInput>;
  /** The conversation: up to 36 characters, chosen by the client. */
  session: Scalars['ID']['input'];
  /** The user who talks; up to 36 characters. `-` stands for any user. */
  user?: Scalars['ID']['input'];
};

/** The result of `detectIntent`. From the agents service, `detectIntent`. */
export type DetectIntentPayload = {
  __typename?: 'DetectIntentPayload';
  /** Other results, from best to worst; only if knowledge bases were searched. */
  alternativeQueryResults: Array<QueryResult>;
  /** The spoken answer, as base64; null if no audio was requested. */
  outputAudio: Maybe<Scalars['String']['output']>;
  /** Its audio format. */
  outputAudioConfig: Maybe<OutputAudioConfig>;
  /** The best result: what the service understood, and the response. */
  queryResult: Maybe<QueryResult>;
  /** The service's id of this response, for its support. */
  responseId: Maybe<Scalars['String']['output']>;
  /**
   * The outcome of the webhook's call; null if none was made. If the webhook failed, that is no error, and the
   * configured responses are used.
   */
  webhookStatus: Maybe<AgentStatus>;
};

/** A value of an entity type. */
export type EntityInput = {
  /** Its synonyms. */
  synonyms: Array<Scalars['String']['input']>;
  /** The value. */
  value: Scalars['String']['input'];
};

/** How an entity type of a session relates to the agent's own. */
export type EntityOverrideMode =
  /** It replaces the agent's own. */
  | 'ENTITY_OVERRIDE_MODE_OVERRIDE'
  /** It supplements the agent's own. */
  | 'ENTITY_OVERRIDE_MODE_SUPPLEMENT'
  /** Not set: refused by the service. */
  | 'ENTITY_OVERRIDE_MODE_UNSPECIFIED';

/** What `exportAgent` exports, and the destination. */
export type ExportAgentInput = {
  /** A storage object, `gs://bucket/object`. Without it the archive is returned as base64. */
  agentUri?: InputMaybe<Scalars['String']['input']>;
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
};

/** The result of `exportAgent`. */
export type ExportAgentPayload = {
  __typename?: 'ExportAgentPayload';
  /** The archive, a ZIP file as base64; null while the work runs, or if it was written to a storage object. */
  agentContent: Maybe<Scalars['String']['output']>;
  /** The storage object that holds the archive; null while the work runs, or if the archive itself was returned. */
  agentUri: Maybe<Scalars['String']['output']>;
  /** The state of the work. */
  operation: AgentOperation;
};

/** One intent that follows another. */
export type FollowupIntentInfo = {
  __typename?: 'FollowupIntentInfo';
  /** The full name of the following intent. */
  followupIntentName: Maybe<Scalars['ID']['output']>;
  /** The full name of the intent that it follows. */
  parentFollowupIntentName: Maybe<Scalars['ID']['output']>;
};

/** A geographic location. */
export type GeoLocationInput = {
  /** Degrees north, from -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** Degrees east, from -180 to 180. */
  longitude: Scalars['Float']['input'];
};

/** What `importAgent` imports: exactly one of `agentUri` and `agentContent`. */
export type ImportAgentInput = {
  /** A ZIP archive as base64. */
  agentContent?: InputMaybe<Scalars['String']['input']>;
  /** A storage object, `gs://bucket/object`. */
  agentUri?: InputMaybe<Scalars['String']['input']>;
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
};

/** The result of `importAgent`. */
export type ImportAgentPayload = {
  __typename?: 'ImportAgentPayload';
  /** The agent into which it is imported. Fields other than its ids need a scope and a further call. */
  agent: Maybe<Agent>;
  /** The state of the work. */
  operation: AgentOperation;
};

/**
 * What a user can ask an agent: how it is recognized, and the responses. Its id and name need no scope; every other
 * field does. From the agents service, the object Intent.
 */
export type Intent = Node & {
  __typename?: 'Intent';
  /** The action for the client, without white space. */
  action: Maybe<Scalars['String']['output']>;
  /** The agent that it belongs to. */
  agent: Maybe<Agent>;
  /** The platforms that get the first of the default responses. */
  defaultResponsePlatforms: Maybe<Array<IntentMessagePlatform>>;
  /** The intent's display name, unique in the agent. */
  displayName: Maybe<Scalars['String']['output']>;
  /** Whether a match ends the conversation. */
  endInteraction: Maybe<Scalars['Boolean']['output']>;
  /** The events that match this intent; up to 150 characters each. */
  events: Maybe<Array<Scalars['String']['output']>>;
  /** The intents that follow this one. */
  followupIntentInfo: Maybe<Array<FollowupIntentInfo>>;
  /** The global id. */
  id: Scalars['ID']['output'];
  /** The full names of the contexts that must be active, `projects/<project>/agent/sessions/-/contexts/<context>`. */
  inputContextNames: Maybe<Array<Scalars['String']['output']>>;
  /** Whether it is the fallback, which is matched if no other intent is. */
  isFallback: Maybe<Scalars['Boolean']['output']>;
  /** Whether a match transfers the conversation to a person. */
  liveAgentHandoff: Maybe<Scalars['Boolean']['output']>;
  /** The responses. */
  messages: Maybe<Array<IntentMessage>>;
  /** Whether machine learning leaves this intent out. */
  mlDisabled: Maybe<Scalars['Boolean']['output']>;
  /**
   * Deprecated by the service: use `mlDisabled`.
   * @deprecated Use mlDisabled.
   */
  mlEnabled: Maybe<Scalars['Boolean']['output']>;
  /** The full name, `projects/<project>/agent/intents/<intent>`; given by the service. */
  name: Scalars['ID']['output'];
  /** The contexts that a match activates. `lifespanCount` 0 ends one. */
  outputContexts: Maybe<Array<AgentContext>>;
  /** The values that it extracts from an input. */
  parameters: Maybe<Array<IntentParameter>>;
  /** The full name of the intent that this one follows; null if it follows none. */
  parentFollowupIntentName: Maybe<Scalars['ID']['output']>;
  /** A higher priority wins. 0 stands for 500000, and an intent with a negative one is ignored. */
  priority: Maybe<Scalars['Int']['output']>;
  /** Whether a match ends all contexts before it activates its own. */
  resetContexts: Maybe<Scalars['Boolean']['output']>;
  /** The full name of the intent at the root of this follow-up chain; null if it follows none. */
  rootFollowupIntentName: Maybe<Scalars['ID']['output']>;
  /** The examples by which it is recognized. They are requested from the service only if they are selected. */
  trainingPhrases: Maybe<Array<TrainingPhrase>>;
  /** Whether a webhook is called. */
  webhookState: Maybe<WebhookState>;
};

/** A card for Actions on Google. */
export type IntentBasicCard = {
  __typename?: 'IntentBasicCard';
  /** Its buttons. */
  buttons: Array<IntentBasicCardButton>;
  /** Its text, with some Markdown. */
  formattedText: Maybe<Scalars['String']['output']>;
  /** Its image. */
  image: Maybe<IntentImage>;
  /** Its subtitle. */
  subtitle: Maybe<Scalars['String']['output']>;
  /** Its title. */
  title: Maybe<Scalars['String']['output']>;
};

/** A button of a card for Actions on Google. */
export type IntentBasicCardButton = {
  __typename?: 'IntentBasicCardButton';
  /** What it opens. */
  openUriAction: Maybe<IntentOpenUri>;
  /** Its label. */
  title: Maybe<Scalars['String']['output']>;
};

/** A button of a card for Actions on Google. */
export type IntentBasicCardButtonInput = {
  /** What it opens. */
  openUriAction: IntentOpenUriInput;
  /** Its label. */
  title: Scalars['String']['input'];
};

/** A card for Actions on Google. */
export type IntentBasicCardInput = {
  /** Its buttons. */
  buttons?: InputMaybe<Array<IntentBasicCardButtonInput>>;
  /** Its text, with some Markdown. */
  formattedText?: InputMaybe<Scalars['String']['input']>;
  /** Its image. */
  image?: InputMaybe<IntentImageInput>;
  /** Its subtitle. */
  subtitle?: InputMaybe<Scalars['String']['input']>;
  /** Its title. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** A carousel of pages to open. */
export type IntentBrowseCarouselCard = {
  __typename?: 'IntentBrowseCarouselCard';
  /** How their images fit. */
  imageDisplayOptions: IntentImageDisplayOptions;
  /** The pages, 2 to 10. */
  items: Array<IntentBrowseCarouselItem>;
};

/** A carousel of pages to open. */
export type IntentBrowseCarouselCardInput = {
  /** How their images fit. */
  imageDisplayOptions?: InputMaybe<IntentImageDisplayOptions>;
  /** The pages, 2 to 10. */
  items: Array<IntentBrowseCarouselItemInput>;
};

/** A page to open. */
export type IntentBrowseCarouselItem = {
  __typename?: 'IntentBrowseCarouselItem';
  /** Its text. */
  description: Maybe<Scalars['String']['output']>;
  /** Its footer. */
  footer: Maybe<Scalars['String']['output']>;
  /** Its image. */
  image: Maybe<IntentImage>;
  /** What it opens. */
  openUriAction: Maybe<IntentOpenUrl>;
  /** Its title. */
  title: Maybe<Scalars['String']['output']>;
};

/** A page to open. */
export type IntentBrowseCarouselItemInput = {
  /** Its text. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Its footer. */
  footer?: InputMaybe<Scalars['String']['input']>;
  /** Its image. */
  image?: InputMaybe<IntentImageInput>;
  /** What it opens. */
  openUriAction: IntentOpenUrlInput;
  /** Its title. */
  title: Scalars['String']['input'];
};

/** A card. */
export type IntentCard = {
  __typename?: 'IntentCard';
  /** Its buttons. */
  buttons: Array<IntentCardButton>;
  /** The address of its image. */
  imageUri: Maybe<Scalars['String']['output']>;
  /** Its subtitle. */
  subtitle: Maybe<Scalars['String']['output']>;
  /** Its title. */
  title: Maybe<Scalars['String']['output']>;
};

/** A button of a card. */
export type IntentCardButton = {
  __typename?: 'IntentCardButton';
  /** What is sent back, or the address to open. */
  postback: Maybe<Scalars['String']['output']>;
  /** Its label. */
  text: Maybe<Scalars['String']['output']>;
};

/** A button of a card. */
export type IntentCardButtonInput = {
  /** What is sent back, or the address to open. */
  postback?: InputMaybe<Scalars['String']['input']>;
  /** Its label. */
  text?: InputMaybe<Scalars['String']['input']>;
};

/** A card. */
export type IntentCardInput = {
  /** Its buttons. */
  buttons?: InputMaybe<Array<IntentCardButtonInput>>;
  /** The address of its image. */
  imageUri?: InputMaybe<Scalars['String']['input']>;
  /** Its subtitle. */
  subtitle?: InputMaybe<Scalars['String']['input']>;
  /** Its title. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** A carousel to choose from. */
export type IntentCarouselSelect = {
  __typename?: 'IntentCarouselSelect';
  /** The entries. */
  items: Array<IntentSelectItem>;
};

/** A carousel to choose from. */
export type IntentCarouselSelectInput = {
  /** The entries. */
  items: Array<IntentSelectItemInput>;
};

/** A page of an agent's intents. */
export type IntentConnection = {
  __typename?: 'IntentConnection';
  /** The intents of this page with their cursors. */
  edges: Array<IntentEdge>;
  /** The intents of this page. */
  nodes: Array<Intent>;
  /** The position of this page in the list. */
  pageInfo: PageInfo;
  /** How many intents there are; null unless this page has them all, because the service returns no total. */
  totalCount: Maybe<Scalars['Int']['output']>;
};

/** One intent of a page, with its cursor. */
export type IntentEdge = {
  __typename?: 'IntentEdge';
  /** The cursor of the intent, for `after`. */
  cursor: Scalars['String']['output'];
  /** The intent. */
  node: Intent;
};

/** How the cells of a column are aligned. */
export type IntentHorizontalAlignment =
  /** In the middle. */
  | 'CENTER'
  /** Not set. */
  | 'HORIZONTAL_ALIGNMENT_UNSPECIFIED'
  /** At the start. */
  | 'LEADING'
  /** At the end. */
  | 'TRAILING'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** An image. */
export type IntentImage = {
  __typename?: 'IntentImage';
  /** A description of the image for people who cannot see it. */
  accessibilityText: Maybe<Scalars['String']['output']>;
  /** Its address. */
  imageUri: Maybe<Scalars['String']['output']>;
};

/** How images fit into a carousel. */
export type IntentImageDisplayOptions =
  /** The gaps hold the blurred image. */
  | 'BLURRED_BACKGROUND'
  /** Cropped to fit. */
  | 'CROPPED'
  /** The gaps are grey. */
  | 'GRAY'
  /** Not set: grey. */
  | 'IMAGE_DISPLAY_OPTIONS_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED'
  /** The gaps are white. */
  | 'WHITE';

/** An image. */
export type IntentImageInput = {
  /** A description of the image for people who cannot see it. */
  accessibilityText?: InputMaybe<Scalars['String']['input']>;
  /** Its address. */
  imageUri?: InputMaybe<Scalars['String']['input']>;
};

/** A chip that opens an address. */
export type IntentLinkOutSuggestion = {
  __typename?: 'IntentLinkOutSuggestion';
  /** The name of the app or site. */
  destinationName: Maybe<Scalars['String']['output']>;
  /** The address. */
  uri: Maybe<Scalars['String']['output']>;
};

/** A chip that opens an address. */
export type IntentLinkOutSuggestionInput = {
  /** The name of the app or site. */
  destinationName: Scalars['String']['input'];
  /** The address. */
  uri: Scalars['String']['input'];
};

/** A list to choose from. */
export type IntentListSelect = {
  __typename?: 'IntentListSelect';
  /** The entries. */
  items: Array<IntentSelectItem>;
  /** Its subtitle. */
  subtitle: Maybe<Scalars['String']['output']>;
  /** Its heading. */
  title: Maybe<Scalars['String']['output']>;
};

/** A list to choose from. */
export type IntentListSelectInput = {
  /** The entries. */
  items: Array<IntentSelectItemInput>;
  /** Its subtitle. */
  subtitle?: InputMaybe<Scalars['String']['input']>;
  /** Its heading. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** Media to play. */
export type IntentMediaContent = {
  __typename?: 'IntentMediaContent';
  /** The media. */
  mediaObjects: Array<IntentMediaObject>;
  /** What kind of media it is. */
  mediaType: IntentMediaType;
};

/** Media to play. */
export type IntentMediaContentInput = {
  /** The media. */
  mediaObjects: Array<IntentMediaObjectInput>;
  /** What kind of media it is. */
  mediaType?: InputMaybe<IntentMediaType>;
};

/** One piece of media, with `largeImage` or `icon`. */
export type IntentMediaObject = {
  __typename?: 'IntentMediaObject';
  /** The address of the media. */
  contentUrl: Maybe<Scalars['String']['output']>;
  /** Its kind. */
  description: Maybe<Scalars['String']['output']>;
  /** A small image. */
  icon: Maybe<IntentImage>;
  /** A large image. */
  largeImage: Maybe<IntentImage>;
  /** Its name. */
  name: Maybe<Scalars['String']['output']>;
};

/** One piece of media, with at most one of `largeImage` and `icon`. */
export type IntentMediaObjectInput = {
  /** The address of the media. */
  contentUrl: Scalars['String']['input'];
  /** Its kind. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** A small image. */
  icon?: InputMaybe<IntentImageInput>;
  /** A large image. */
  largeImage?: InputMaybe<IntentImageInput>;
  /** Its name. */
  name: Scalars['String']['input'];
};

/** A kind of media. */
export type IntentMediaType =
  /** Audio. */
  | 'AUDIO'
  /** Not set. */
  | 'RESPONSE_MEDIA_TYPE_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/**
 * One response of an intent: a platform and exactly one of the other fields. `other` holds a kind that this graph
 * does not know yet.
 */
export type IntentMessage = {
  __typename?: 'IntentMessage';
  /** A card for Actions on Google. */
  basicCard: Maybe<IntentBasicCard>;
  /** A carousel of pages to open. */
  browseCarouselCard: Maybe<IntentBrowseCarouselCard>;
  /** A card. */
  card: Maybe<IntentCard>;
  /** A carousel to choose from. */
  carouselSelect: Maybe<IntentCarouselSelect>;
  /** An image. */
  image: Maybe<IntentImage>;
  /** A chip that opens an address. */
  linkOutSuggestion: Maybe<IntentLinkOutSuggestion>;
  /** A list to choose from. */
  listSelect: Maybe<IntentListSelect>;
  /** Media to play. */
  mediaContent: Maybe<IntentMediaContent>;
  /** A kind of response that this graph does not know yet, as the service sent it; null for the known ones. */
  other: Maybe<Scalars['JSON']['output']>;
  /** A JSON object for the platform, passed on unchanged. */
  payload: Maybe<Scalars['JSON']['output']>;
  /** The platform on which it is shown; unspecified for the default responses. */
  platform: IntentMessagePlatform;
  /** Short replies to choose from. */
  quickReplies: Maybe<IntentQuickReplies>;
  /** A carousel of cards for Rich Business Messaging. */
  rbmCarouselRichCard: Maybe<IntentRbmCarouselCard>;
  /** A card for Rich Business Messaging. */
  rbmStandaloneRichCard: Maybe<IntentRbmStandaloneCard>;
  /** Text for Rich Business Messaging. */
  rbmText: Maybe<IntentRbmText>;
  /** Voice and text responses for Actions on Google. */
  simpleResponses: Maybe<IntentSimpleResponses>;
  /** Suggestion chips for Actions on Google. */
  suggestions: Maybe<IntentSuggestions>;
  /** A card with a table. */
  tableCard: Maybe<IntentTableCard>;
  /** Plays audio into a phone call. */
  telephonyPlayAudio: Maybe<IntentTelephonyPlayAudio>;
  /** Speaks into a phone call. */
  telephonySynthesizeSpeech: Maybe<IntentTelephonySynthesizeSpeech>;
  /** Transfers a phone call. */
  telephonyTransferCall: Maybe<IntentTelephonyTransferCall>;
  /** Plain text: one of these is chosen. */
  text: Maybe<IntentText>;
};

/** One response of an intent: a platform and exactly one of the other fields. */
export type IntentMessageInput = {
  /** A card for Actions on Google. */
  basicCard?: InputMaybe<IntentBasicCardInput>;
  /** A carousel of pages to open. */
  browseCarouselCard?: InputMaybe<IntentBrowseCarouselCardInput>;
  /** A card. */
  card?: InputMaybe<IntentCardInput>;
  /** A carousel to choose from. */
  carouselSelect?: InputMaybe<IntentCarouselSelectInput>;
  /** An image. */
  image?: InputMaybe<IntentImageInput>;
  /** A chip that opens an address. */
  linkOutSuggestion?: InputMaybe<IntentLinkOutSuggestionInput>;
  /** A list to choose from. */
  listSelect?: InputMaybe<IntentListSelectInput>;
  /** Media to play. */
  mediaContent?: InputMaybe<IntentMediaContentInput>;
  /** A JSON object for the platform, passed on unchanged. */
  payload?: InputMaybe<Scalars['JSON']['input']>;
  /** The platform on which it is shown. By default it is one of the default responses. */
  platform?: InputMaybe<IntentMessagePlatform>;
  /** Short replies to choose from. */
  quickReplies?: InputMaybe<IntentQuickRepliesInput>;
  /** A carousel of cards for Rich Business Messaging. */
  rbmCarouselRichCard?: InputMaybe<IntentRbmCarouselCardInput>;
  /** A card for Rich Business Messaging. */
  rbmStandaloneRichCard?: InputMaybe<IntentRbmStandaloneCardInput>;
  /** Text for Rich Business Messaging. */
  rbmText?: InputMaybe<IntentRbmTextInput>;
  /** Voice and text responses for Actions on Google. */
  simpleResponses?: InputMaybe<IntentSimpleResponsesInput>;
  /** Suggestion chips for Actions on Google. */
  suggestions?: InputMaybe<IntentSuggestionsInput>;
  /** A card with a table. */
  tableCard?: InputMaybe<IntentTableCardInput>;
  /** Plays audio into a phone call. */
  telephonyPlayAudio?: InputMaybe<IntentTelephonyPlayAudioInput>;
  /** Speaks into a phone call. */
  telephonySynthesizeSpeech?: InputMaybe<IntentTelephonySynthesizeSpeechInput>;
  /** Transfers a phone call. */
  telephonyTransferCall?: InputMaybe<IntentTelephonyTransferCallInput>;
  /** Plain text: one of these is chosen. */
  text?: InputMaybe<IntentTextInput>;
};

/** Where a response is shown. */
export type IntentMessagePlatform =
  /** Actions on Google. */
  | 'ACTIONS_ON_GOOGLE'
  /** Facebook. */
  | 'FACEBOOK'
  /** Google Hangouts. */
  | 'GOOGLE_HANGOUTS'
  /** Kik. */
  | 'KIK'
  /** LINE. */
  | 'LINE'
  /** The default responses. */
  | 'PLATFORM_UNSPECIFIED'
  /** Skype. */
  | 'SKYPE'
  /** Slack. */
  | 'SLACK'
  /** Telegram. */
  | 'TELEGRAM'
  /** Telephony gateway. */
  | 'TELEPHONY'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED'
  /** Viber. */
  | 'VIBER';

/** Opens an address. */
export type IntentOpenUri = {
  __typename?: 'IntentOpenUri';
  /** The address. */
  uri: Maybe<Scalars['String']['output']>;
};

/** Opens an address. */
export type IntentOpenUriInput = {
  /** The address. */
  uri: Scalars['String']['input'];
};

/** Opens an address, as a page of a certain kind. */
export type IntentOpenUrl = {
  __typename?: 'IntentOpenUrl';
  /** The address. */
  url: Maybe<Scalars['String']['output']>;
  /** What kind of page it is. */
  urlTypeHint: IntentUrlTypeHint;
};

/** Opens an address, as a page of a certain kind. */
export type IntentOpenUrlInput = {
  /** The address. */
  url: Scalars['String']['input'];
  /** What kind of page it is. */
  urlTypeHint?: InputMaybe<IntentUrlTypeHint>;
};

/** A value that an intent extracts from an input. */
export type IntentParameter = {
  __typename?: 'IntentParameter';
  /** The value to use if the input has none. */
  defaultValue: Maybe<Scalars['String']['output']>;
  /** Its display name. */
  displayName: Maybe<Scalars['String']['output']>;
  /** The entity type of its values, with its `@`. */
  entityTypeDisplayName: Maybe<Scalars['String']['output']>;
  /** Whether it is a list of values. */
  isList: Scalars['Boolean']['output'];
  /** Whether the agent prompts the user until it has a value. */
  mandatory: Scalars['Boolean']['output'];
  /** The service's id of the parameter. */
  name: Maybe<Scalars['String']['output']>;
  /** The prompts, of which the agent picks one. */
  prompts: Array<Scalars['String']['output']>;
  /** A constant, `$name`, `$name.original` or `#context.name`. */
  value: Maybe<Scalars['String']['output']>;
};

/** A value that an intent extracts from an input. */
export type IntentParameterInput = {
  /** The value to use if the input has none. */
  defaultValue?: InputMaybe<Scalars['String']['input']>;
  /** Its display name. */
  displayName: Scalars['String']['input'];
  /** The entity type of its values, with its `@`. Required if the parameter is mandatory. */
  entityTypeDisplayName?: InputMaybe<Scalars['String']['input']>;
  /** Whether it is a list of values. */
  isList?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the agent prompts the user until it has a value. */
  mandatory?: InputMaybe<Scalars['Boolean']['input']>;
  /** The service's id of a parameter that is kept. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The prompts, of which the agent picks one. */
  prompts?: InputMaybe<Array<Scalars['String']['input']>>;
  /** A constant, `$name`, `$name.original` or `#context.name`. */
  value?: InputMaybe<Scalars['String']['input']>;
};

/** Short replies to choose from. */
export type IntentQuickReplies = {
  __typename?: 'IntentQuickReplies';
  /** The replies. */
  quickReplies: Array<Scalars['String']['output']>;
  /** The heading above them. */
  title: Maybe<Scalars['String']['output']>;
};

/** Short replies to choose from. */
export type IntentQuickRepliesInput = {
  /** The replies. */
  quickReplies: Array<Scalars['String']['input']>;
  /** The heading above them. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** Does something on the device: exactly one of `dial`, `openUrl` and `shareLocation`. */
export type IntentRbmAction = {
  __typename?: 'IntentRbmAction';
  /** Dials a number. */
  dial: Maybe<IntentRbmDial>;
  /** Opens an address. */
  openUrl: Maybe<IntentRbmOpenUrl>;
  /** What is sent back. */
  postbackData: Maybe<Scalars['String']['output']>;
  /** Shares the location; an empty object when this is the action. */
  shareLocation: Maybe<Scalars['JSON']['output']>;
  /** Its label. */
  text: Maybe<Scalars['String']['output']>;
};

/** Does something on the device: exactly one of `dial`, `openUrl` and `shareLocation`. */
export type IntentRbmActionInput = {
  /** Dials a number. */
  dial?: InputMaybe<IntentRbmDialInput>;
  /** Opens an address. */
  openUrl?: InputMaybe<IntentRbmOpenUrlInput>;
  /** What is sent back. */
  postbackData?: InputMaybe<Scalars['String']['input']>;
  /** Shares the location: an empty object. */
  shareLocation?: InputMaybe<Scalars['JSON']['input']>;
  /** Its label. */
  text?: InputMaybe<Scalars['String']['input']>;
};

/** What a card of Rich Business Messaging shows. */
export type IntentRbmCardContent = {
  __typename?: 'IntentRbmCardContent';
  /** Its text, up to 2000 bytes. */
  description: Maybe<Scalars['String']['output']>;
  /** Its image or video. */
  media: Maybe<IntentRbmMedia>;
  /** Suggestions below it. */
  suggestions: Array<IntentRbmSuggestion>;
  /** Its title, up to 200 bytes. */
  title: Maybe<Scalars['String']['output']>;
};

/** What a card of Rich Business Messaging shows. */
export type IntentRbmCardContentInput = {
  /** Up to 2000 bytes. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Its image or video. */
  media?: InputMaybe<IntentRbmMediaInput>;
  /** Suggestions below it. */
  suggestions?: InputMaybe<Array<IntentRbmSuggestionInput>>;
  /** Up to 200 bytes. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** The orientation of a card. */
export type IntentRbmCardOrientation =
  /** Not set. */
  | 'CARD_ORIENTATION_UNSPECIFIED'
  /** Image beside text. */
  | 'HORIZONTAL'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED'
  /** Image above text. */
  | 'VERTICAL';

/** The width of the cards of a carousel. */
export type IntentRbmCardWidth =
  /** Not set. */
  | 'CARD_WIDTH_UNSPECIFIED'
  /** 232 dp. */
  | 'MEDIUM'
  /** 120 dp. */
  | 'SMALL'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** A carousel of cards of Rich Business Messaging. */
export type IntentRbmCarouselCard = {
  __typename?: 'IntentRbmCarouselCard';
  /** The cards, 2 to 10. */
  cardContents: Array<IntentRbmCardContent>;
  /** The width of its cards. */
  cardWidth: IntentRbmCardWidth;
};

/** A carousel of cards of Rich Business Messaging. */
export type IntentRbmCarouselCardInput = {
  /** The cards, 2 to 10. */
  cardContents: Array<IntentRbmCardContentInput>;
  /** The width of its cards. */
  cardWidth?: InputMaybe<IntentRbmCardWidth>;
};

/** Dials a number. */
export type IntentRbmDial = {
  __typename?: 'IntentRbmDial';
  /** The number, in E.164 form. */
  phoneNumber: Maybe<Scalars['String']['output']>;
};

/** Dials a number. */
export type IntentRbmDialInput = {
  /** The number, in E.164 form. */
  phoneNumber: Scalars['String']['input'];
};

/** An image or a video of a card. */
export type IntentRbmMedia = {
  __typename?: 'IntentRbmMedia';
  /** Its address. */
  fileUri: Maybe<Scalars['String']['output']>;
  /** The height at which it is shown. */
  height: IntentRbmMediaHeight;
  /** The address of its preview. */
  thumbnailUri: Maybe<Scalars['String']['output']>;
};

/** The height at which the media of a card is shown. */
export type IntentRbmMediaHeight =
  /** Not set. */
  | 'HEIGHT_UNSPECIFIED'
  /** 168 dp. */
  | 'MEDIUM'
  /** 112 dp. */
  | 'SHORT'
  /** 264 dp. */
  | 'TALL'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** An image or a video of a card. */
export type IntentRbmMediaInput = {
  /** Its address. */
  fileUri: Scalars['String']['input'];
  /** The height at which it is shown. */
  height?: InputMaybe<IntentRbmMediaHeight>;
  /** The address of its preview. */
  thumbnailUri?: InputMaybe<Scalars['String']['input']>;
};

/** Opens an address. */
export type IntentRbmOpenUrl = {
  __typename?: 'IntentRbmOpenUrl';
  /** The address. */
  uri: Maybe<Scalars['String']['output']>;
};

/** Opens an address. */
export type IntentRbmOpenUrlInput = {
  /** The address. */
  uri: Scalars['String']['input'];
};

/** Sends a text back. */
export type IntentRbmReply = {
  __typename?: 'IntentRbmReply';
  /** What is sent back. */
  postbackData: Maybe<Scalars['String']['output']>;
  /** Its label. */
  text: Maybe<Scalars['String']['output']>;
};

/** Sends a text back. */
export type IntentRbmReplyInput = {
  /** What is sent back. */
  postbackData?: InputMaybe<Scalars['String']['input']>;
  /** Its label. */
  text?: InputMaybe<Scalars['String']['input']>;
};

/** A single card of Rich Business Messaging. */
export type IntentRbmStandaloneCard = {
  __typename?: 'IntentRbmStandaloneCard';
  /** What it shows. */
  cardContent: Maybe<IntentRbmCardContent>;
  /** Its orientation. */
  cardOrientation: IntentRbmCardOrientation;
  /** The position of the image in a horizontal card. */
  thumbnailImageAlignment: IntentRbmThumbnailImageAlignment;
};

/** A single card of Rich Business Messaging. */
export type IntentRbmStandaloneCardInput = {
  /** What it shows. */
  cardContent?: InputMaybe<IntentRbmCardContentInput>;
  /** Its orientation. */
  cardOrientation?: InputMaybe<IntentRbmCardOrientation>;
  /** The position of the image in a horizontal card. */
  thumbnailImageAlignment?: InputMaybe<IntentRbmThumbnailImageAlignment>;
};

/** A suggestion of Rich Business Messaging: `reply` or `action`. */
export type IntentRbmSuggestion = {
  __typename?: 'IntentRbmSuggestion';
  /** Does something on the device. */
  action: Maybe<IntentRbmAction>;
  /** Sends a text back. */
  reply: Maybe<IntentRbmReply>;
};

/** A suggestion of Rich Business Messaging: exactly one of `reply` and `action`. */
export type IntentRbmSuggestionInput = {
  /** Does something on the device. */
  action?: InputMaybe<IntentRbmActionInput>;
  /** Sends a text back. */
  reply?: InputMaybe<IntentRbmReplyInput>;
};

/** Text for Rich Business Messaging. */
export type IntentRbmText = {
  __typename?: 'IntentRbmText';
  /** Suggestions below it. */
  rbmSuggestion: Array<IntentRbmSuggestion>;
  /** The text. */
  text: Maybe<Scalars['String']['output']>;
};

/** Text for Rich Business Messaging. */
export type IntentRbmTextInput = {
  /** Suggestions below it. */
  rbmSuggestion?: InputMaybe<Array<IntentRbmSuggestionInput>>;
  /** The text. */
  text: Scalars['String']['input'];
};

/** The position of the image in a horizontal card. */
export type IntentRbmThumbnailImageAlignment =
  /** Left of the text. */
  | 'LEFT'
  /** Right of the text. */
  | 'RIGHT'
  /** Not set. */
  | 'THUMBNAIL_IMAGE_ALIGNMENT_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** An entry of a list or a carousel. */
export type IntentSelectItem = {
  __typename?: 'IntentSelectItem';
  /** Its text. */
  description: Maybe<Scalars['String']['output']>;
  /** Its image. */
  image: Maybe<IntentImage>;
  /** What is sent when the user chooses it. */
  info: Maybe<IntentSelectItemInfo>;
  /** Its title. */
  title: Maybe<Scalars['String']['output']>;
};

/** What is sent when the user chooses an entry. */
export type IntentSelectItemInfo = {
  __typename?: 'IntentSelectItemInfo';
  /** What is sent back. */
  key: Maybe<Scalars['String']['output']>;
  /** Its synonyms. */
  synonyms: Array<Scalars['String']['output']>;
};

/** What is sent when the user chooses an entry. */
export type IntentSelectItemInfoInput = {
  /** What is sent back. */
  key: Scalars['String']['input'];
  /** Its synonyms. */
  synonyms?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** An entry of a list or a carousel. */
export type IntentSelectItemInput = {
  /** Its text. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Its image. */
  image?: InputMaybe<IntentImageInput>;
  /** What is sent when the user chooses it. */
  info: IntentSelectItemInfoInput;
  /** Its title. */
  title: Scalars['String']['input'];
};

/** One voice and text response: `textToSpeech` or `ssml`. */
export type IntentSimpleResponse = {
  __typename?: 'IntentSimpleResponse';
  /** The text to show, if it differs from what is spoken. */
  displayText: Maybe<Scalars['String']['output']>;
  /** SSML to speak. */
  ssml: Maybe<Scalars['String']['output']>;
  /** Plain text to speak. */
  textToSpeech: Maybe<Scalars['String']['output']>;
};

/** One voice and text response: exactly one of `textToSpeech` and `ssml`. */
export type IntentSimpleResponseInput = {
  /** The text to show, if it differs from what is spoken. */
  displayText?: InputMaybe<Scalars['String']['input']>;
  /** SSML to speak. */
  ssml?: InputMaybe<Scalars['String']['input']>;
  /** Plain text to speak. */
  textToSpeech?: InputMaybe<Scalars['String']['input']>;
};

/** Voice and text responses. */
export type IntentSimpleResponses = {
  __typename?: 'IntentSimpleResponses';
  /** The variants. */
  simpleResponses: Array<IntentSimpleResponse>;
};

/** Voice and text responses. */
export type IntentSimpleResponsesInput = {
  /** The variants. */
  simpleResponses: Array<IntentSimpleResponseInput>;
};

/** A suggestion chip. */
export type IntentSuggestion = {
  __typename?: 'IntentSuggestion';
  /** Its label. */
  title: Maybe<Scalars['String']['output']>;
};

/** A suggestion chip. */
export type IntentSuggestionInput = {
  /** Its label. */
  title: Scalars['String']['input'];
};

/** Suggestion chips. */
export type IntentSuggestions = {
  __typename?: 'IntentSuggestions';
  /** The chips. */
  suggestions: Array<IntentSuggestion>;
};

/** Suggestion chips. */
export type IntentSuggestionsInput = {
  /** The chips. */
  suggestions: Array<IntentSuggestionInput>;
};

/** A card with a table. */
export type IntentTableCard = {
  __typename?: 'IntentTableCard';
  /** Its buttons. */
  buttons: Array<IntentBasicCardButton>;
  /** Its columns. */
  columnProperties: Array<IntentTableColumn>;
  /** Its image. */
  image: Maybe<IntentImage>;
  /** Its rows. */
  rows: Array<IntentTableRow>;
  /** Its subtitle. */
  subtitle: Maybe<Scalars['String']['output']>;
  /** Its title. */
  title: Maybe<Scalars['String']['output']>;
};

/** A card with a table. */
export type IntentTableCardInput = {
  /** Its buttons. */
  buttons?: InputMaybe<Array<IntentBasicCardButtonInput>>;
  /** Its columns. */
  columnProperties?: InputMaybe<Array<IntentTableColumnInput>>;
  /** Its image. */
  image?: InputMaybe<IntentImageInput>;
  /** Its rows. */
  rows?: InputMaybe<Array<IntentTableRowInput>>;
  /** Its subtitle. */
  subtitle?: InputMaybe<Scalars['String']['input']>;
  /** Its title. */
  title: Scalars['String']['input'];
};

/** A cell of a table. */
export type IntentTableCell = {
  __typename?: 'IntentTableCell';
  /** Its content. */
  text: Maybe<Scalars['String']['output']>;
};

/** A cell of a table. */
export type IntentTableCellInput = {
  /** Its content. */
  text: Scalars['String']['input'];
};

/** A column of a table. */
export type IntentTableColumn = {
  __typename?: 'IntentTableColumn';
  /** Its heading. */
  header: Maybe<Scalars['String']['output']>;
  /** How its cells are aligned. */
  horizontalAlignment: IntentHorizontalAlignment;
};

/** A column of a table. */
export type IntentTableColumnInput = {
  /** Its heading. */
  header: Scalars['String']['input'];
  /** How its cells are aligned. */
  horizontalAlignment?: InputMaybe<IntentHorizontalAlignment>;
};

/** A row of a table. */
export type IntentTableRow = {
  __typename?: 'IntentTableRow';
  /** Its cells. */
  cells: Array<IntentTableCell>;
  /** Whether a divider follows it. */
  dividerAfter: Scalars['Boolean']['output'];
};

/** A row of a table. */
export type IntentTableRowInput = {
  /** Its cells. */
  cells?: InputMaybe<Array<IntentTableCellInput>>;
  /** Whether a divider follows it. */
  dividerAfter?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Plays audio into a phone call. */
export type IntentTelephonyPlayAudio = {
  __typename?: 'IntentTelephonyPlayAudio';
  /** A `gs://` address. */
  audioUri: Maybe<Scalars['String']['output']>;
};

/** Plays audio into a phone call. */
export type IntentTelephonyPlayAudioInput = {
  /** A `gs://` address. */
  audioUri: Scalars['String']['input'];
};

/** Speaks into a phone call: `text` or `ssml`. */
export type IntentTelephonySynthesizeSpeech = {
  __typename?: 'IntentTelephonySynthesizeSpeech';
  /** SSML. */
  ssml: Maybe<Scalars['String']['output']>;
  /** Plain text. */
  text: Maybe<Scalars['String']['output']>;
};

/** Speaks into a phone call: exactly one of `text` and `ssml`. */
export type IntentTelephonySynthesizeSpeechInput = {
  /** SSML. */
  ssml?: InputMaybe<Scalars['String']['input']>;
  /** Plain text. */
  text?: InputMaybe<Scalars['String']['input']>;
};

/** Transfers a phone call. */
export type IntentTelephonyTransferCall = {
  __typename?: 'IntentTelephonyTransferCall';
  /** The number, in E.164 form. */
  phoneNumber: Maybe<Scalars['String']['output']>;
};

/** Transfers a phone call. */
export type IntentTelephonyTransferCallInput = {
  /** The number, in E.164 form. */
  phoneNumber: Scalars['String']['input'];
};

/** Plain text. */
export type IntentText = {
  __typename?: 'IntentText';
  /** The variants; one is chosen. */
  text: Array<Scalars['String']['output']>;
};

/** Plain text. */
export type IntentTextInput = {
  /** The variants; one is chosen. */
  text: Array<Scalars['String']['input']>;
};

/** The kind of page at an address. */
export type IntentUrlTypeHint =
  /** An AMP action. */
  | 'AMP_ACTION'
  /** AMP content. */
  | 'AMP_CONTENT'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED'
  /** Not set. */
  | 'URL_TYPE_HINT_UNSPECIFIED';

/** An answer from a knowledge base. */
export type KnowledgeAnswer = {
  __typename?: 'KnowledgeAnswer';
  /** The answer. */
  answer: Maybe<Scalars['String']['output']>;
  /** The question in the collection that it answers. */
  faqQuestion: Maybe<Scalars['String']['output']>;
  /** The confidence, from 0 to 1. */
  matchConfidence: Maybe<Scalars['Float']['output']>;
  /** The confidence as a level. */
  matchConfidenceLevel: MatchConfidenceLevel;
  /** The full name of the document that contains it. */
  source: Maybe<Scalars['String']['output']>;
};

/** Answers from knowledge bases. */
export type KnowledgeAnswers = {
  __typename?: 'KnowledgeAnswers';
  /** The answers, from best to worst. */
  answers: Array<KnowledgeAnswer>;
};

/** The confidence in an answer, as a level. */
export type MatchConfidenceLevel =
  /** High. */
  | 'HIGH'
  /** Low. */
  | 'LOW'
  /** Not set. */
  | 'MATCH_CONFIDENCE_LEVEL_UNSPECIFIED'
  /** Medium. */
  | 'MEDIUM'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** How an input is matched to intents. The service calls the choice deprecated. */
export type MatchMode =
  /** By examples and by machine learning: best for a small number of examples. */
  | 'MATCH_MODE_HYBRID'
  /** By machine learning alone: for intents with many examples. */
  | 'MATCH_MODE_ML_ONLY'
  /** Not set. */
  | 'MATCH_MODE_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** What the service returns about the matched intent. `intent` has all of it. */
export type MatchedIntent = {
  __typename?: 'MatchedIntent';
  /** The intent's display name. */
  displayName: Maybe<Scalars['String']['output']>;
  /** Whether the match ends the conversation. */
  endInteraction: Scalars['Boolean']['output'];
  /** The intent itself; null if it does not exist any more. Fields other than its ids need a scope and a further call. */
  intent: Maybe<Intent>;
  /** Whether it is the fallback, which is matched if no other intent is. */
  isFallback: Scalars['Boolean']['output'];
  /** Whether the match transfers the conversation to a person. */
  liveAgentHandoff: Scalars['Boolean']['output'];
  /** The full name, `projects/<project>/agent/intents/<intent>`. */
  name: Scalars['ID']['output'];
};

/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /** Creates an intent. From the agent service, intents `create`. The gateway never repeats it. */
  createIntent: Maybe<CreateIntentPayload>;
  /** Deletes the agent of a project with everything in it. From the agent service, `deleteAgent`. */
  deleteAgent: Maybe<DeleteAgentPayload>;
  /** Deletes all active contexts of a session. From the agent service, `deleteContexts`. */
  deleteContexts: Maybe<DeleteContextsPayload>;
  /** Deletes an intent together with its follow-up intents. From the agent service, intents `delete`. */
  deleteIntent: Maybe<DeleteIntentPayload>;
  /**
   * Sends one input of a user (text, event, audio or keypad tones) to a session, and returns the matched intent and
   * the response. It advances the conversation, so the gateway never repeats it. After a timeout the outcome is
   * unknown. From the agent service, `detectIntent`.
   */
  detectIntent: Maybe<DetectIntentPayload>;
  /**
   * Exports the agent as a ZIP archive, into a storage object or as base64. The work may go on after the response:
   * see `operation.done`. From the agent service, `export`.
   */
  exportAgent: Maybe<ExportAgentPayload>;
  /**
   * Adds the content of a ZIP archive to the agent. Intents and entity types of the same name are replaced. The work
   * may continue after the response (see `operation.done`), and the training that it starts continues after that. From
   * the agent service, `import`.
   */
  importAgent: Maybe<ImportAgentPayload>;
  /**
   * Creates the agent of a project, or changes exactly those of its fields that the input sets. A null field counts as
   * not set; `updateMask` clears fields. From the agent service, `setAgent`. The gateway never repeats it.
   */
  setAgent: Maybe<SetAgentPayload>;
  /**
   * Changes exactly those fields of an intent that the input sets. A list is replaced as a whole. A null field counts
   * as not set; `updateMask` clears fields. From the agent service, intents `patch`. The gateway never repeats it.
   */
  updateIntent: Maybe<UpdateIntentPayload>;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationCreateIntentArgs = {
  input: CreateIntentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationDeleteAgentArgs = {
  input: DeleteAgentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationDeleteContextsArgs = {
  input: DeleteContextsInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationDeleteIntentArgs = {
  input: DeleteIntentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationDetectIntentArgs = {
  input: DetectIntentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationExportAgentArgs = {
  input: ExportAgentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationImportAgentArgs = {
  input: ImportAgentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationSetAgentArgs = {
  input: SetAgentInput;
};


/**
 * What can be changed. Root fields run one after the other, each at most once. If one fails, it is null, and the
 * others keep their values.
 */
export type MutationUpdateIntentArgs = {
  input: UpdateIntentInput;
};

/** An object with an id that is unique over all types. `node` finds it by that id. */
export type Node = {
  /** The global id: opaque, and stable as long as the object lives. */
  id: Scalars['ID']['output'];
};

/** The audio format of a spoken response. */
export type OutputAudioConfig = {
  __typename?: 'OutputAudioConfig';
  /** Its encoding. */
  audioEncoding: OutputAudioEncoding;
  /** Samples per second, in hertz; 0 stands for the voice's own. */
  sampleRateHertz: Scalars['Int']['output'];
  /** How speech was synthesized. */
  synthesizeSpeechConfig: Maybe<SynthesizeSpeechConfig>;
};

/** The format of audio output. From the agents service, the object OutputAudioConfig. */
export type OutputAudioConfigInput = {
  /** How to encode it. */
  audioEncoding: OutputAudioEncoding;
  /** Samples per second, in hertz; 0 or null stands for the voice's own. */
  sampleRateHertz?: InputMaybe<Scalars['Int']['input']>;
  /** The configuration of speech synthesis. */
  synthesizeSpeechConfig?: InputMaybe<SynthesizeSpeechConfigInput>;
};

/** The encoding of audio output. */
export type OutputAudioEncoding =
  /** G.711 A-law, with a WAV header. */
  | 'OUTPUT_AUDIO_ENCODING_ALAW'
  /** Uncompressed, 16 bits per sample, little-endian, with a WAV header. */
  | 'OUTPUT_AUDIO_ENCODING_LINEAR_16'
  /** Deprecated: MP3 at 32 kbit/s. */
  | 'OUTPUT_AUDIO_ENCODING_MP3'
  /** MP3 at 64 kbit/s. */
  | 'OUTPUT_AUDIO_ENCODING_MP3_64_KBPS'
  /** G.711 µ-law, with a WAV header. */
  | 'OUTPUT_AUDIO_ENCODING_MULAW'
  /** Opus in Ogg. */
  | 'OUTPUT_AUDIO_ENCODING_OGG_OPUS'
  /** Not set. */
  | 'OUTPUT_AUDIO_ENCODING_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

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

/** A phonetic alphabet. */
export type PhoneticEncoding =
  /** The international phonetic alphabet. */
  | 'PHONETIC_ENCODING_IPA'
  /** Not set. */
  | 'PHONETIC_ENCODING_UNSPECIFIED'
  /** X-SAMPA. */
  | 'PHONETIC_ENCODING_X_SAMPA'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** How a phrase is pronounced. */
export type Pronunciation = {
  __typename?: 'Pronunciation';
  /** The phonetic alphabet. */
  phoneticEncoding: PhoneticEncoding;
  /** The phrase. */
  phrase: Maybe<Scalars['String']['output']>;
  /** How it is pronounced. */
  pronunciation: Maybe<Scalars['String']['output']>;
};

/** How to pronounce a phrase. */
export type PronunciationInput = {
  /** The phonetic alphabet. */
  phoneticEncoding: PhoneticEncoding;
  /** The phrase. */
  phrase: Scalars['String']['input'];
  /** How it is pronounced. */
  pronunciation: Scalars['String']['input'];
};

/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type Query = {
  __typename?: 'Query';
  /**
   * The conversational agent of a project; null if the project has none.
   * From the agent service, `getAgent`.
   */
  agent: Maybe<Agent>;
  /**
   * The state of a long-running operation that `exportAgent` or `importAgent` started; null if no operation has this
   * name, or not any more. Poll it with growing pauses.
   */
  agentOperation: Maybe<AgentOperation>;
  /**
   * An intent by its name; null if it does not exist. It is looked up in its agent's list, which costs a call for
   * every 1000 intents. Look-ups of the same moment and agent share these calls. Fails with `UPSTREAM_BAD_RESPONSE` if
   * it is not among the first 20 pages. From the agent service, intents `list`.
   */
  intent: Maybe<Intent>;
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryAgentArgs = {
  project: Scalars['ID']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryAgentOperationArgs = {
  name: Scalars['ID']['input'];
};


/** What can be read. Root fields are read in parallel. If one fails, it is null, and the others keep their values. */
export type QueryIntentArgs = {
  languageCode?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['ID']['input'];
};

/** The configuration of speech recognition. */
export type QueryAudioInput = {
  /** Its encoding. */
  audioEncoding: AudioEncoding;
  /** When the user may interrupt. */
  bargeInConfig?: InputMaybe<BargeInConfigInput>;
  /** How long to wait for speech: seconds with an `s`, such as `3.5s`. */
  defaultNoSpeechTimeout?: InputMaybe<Scalars['String']['input']>;
  /** Whether silence raises no event. */
  disableNoSpeechRecognizedEvent?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether to add punctuation. */
  enableAutomaticPunctuation?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether speech beginning and ending raise events. */
  enableVoiceActivityEvents?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether to report when each word was said. */
  enableWordInfo?: InputMaybe<Scalars['Boolean']['input']>;
  /** The spoken language (BCP 47). */
  languageCode: Scalars['String']['input'];
  /** The speech model. */
  model?: InputMaybe<Scalars['String']['input']>;
  /** Which variant of the speech model. */
  modelVariant?: InputMaybe<SpeechModelVariant>;
  /** Whether to keep the older speech model. */
  optOutConformerModelMigration?: InputMaybe<Scalars['Boolean']['input']>;
  /** Phrases to expect. Deprecated by the service: use `speechContexts`. */
  phraseHints?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Full names of phrase sets. */
  phraseSets?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Samples per second, in hertz. */
  sampleRateHertz: Scalars['Int']['input'];
  /** Whether to stop at the first pause. */
  singleUtterance?: InputMaybe<Scalars['Boolean']['input']>;
  /** Phrases to expect, with a weight. */
  speechContexts?: InputMaybe<Array<SpeechContextInput>>;
};

/** Keypad tones. */
export type QueryDtmfInput = {
  /** The tones, in order. */
  dtmfEvents: Array<TelephonyDtmf>;
};

/** An event. */
export type QueryEventInput = {
  /** The language of the response (BCP 47). */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** Its name; up to 150 characters. */
  name: Scalars['String']['input'];
  /** A JSON object. */
  parameters?: InputMaybe<Scalars['JSON']['input']>;
};

/** What a user said: exactly one of these. From the agents service, the object QueryInput. */
export type QueryInput = {
  /** The configuration of speech recognition for `inputAudio`. */
  audioConfig?: InputMaybe<QueryAudioInput>;
  /** Keypad tones. */
  dtmf?: InputMaybe<QueryDtmfInput>;
  /** An event. */
  event?: InputMaybe<QueryEventInput>;
  /** A text. */
  text?: InputMaybe<QueryTextInput>;
};

/** Parameters beside an input. From the agents service, the object QueryParameters. */
export type QueryParametersInput = {
  /** Contexts to activate before the input is matched. */
  contexts?: InputMaybe<Array<AgentContextInput>>;
  /** The location of the user. */
  geoLocation?: InputMaybe<GeoLocationInput>;
  /** Full names of knowledge bases to search. */
  knowledgeBaseNames?: InputMaybe<Array<Scalars['String']['input']>>;
  /** A JSON object that is sent to the webhook. */
  payload?: InputMaybe<Scalars['JSON']['input']>;
  /** The platform of the conversation. */
  platform?: InputMaybe<Scalars['String']['input']>;
  /** Whether to end all contexts before. */
  resetContexts?: InputMaybe<Scalars['Boolean']['input']>;
  /** The sentiment analysis to perform; needs a paid tier. */
  sentimentAnalysisRequestConfig?: InputMaybe<SentimentAnalysisRequestConfigInput>;
  /** Entity types of this session only. */
  sessionEntityTypes?: InputMaybe<Array<SessionEntityTypeInput>>;
  /** Other agents to query. */
  subAgents?: InputMaybe<Array<SubAgentInput>>;
  /** An IANA name. The default is the agent's own time zone. */
  timeZone?: InputMaybe<Scalars['String']['input']>;
  /** Headers that are sent to the webhook. */
  webhookHeaders?: InputMaybe<Array<WebhookHeaderInput>>;
};

/** What the service understood of an input, and the response. */
export type QueryResult = {
  __typename?: 'QueryResult';
  /** The action of the matched intent. */
  action: Maybe<Scalars['String']['output']>;
  /** Whether all mandatory parameters have a value. */
  allRequiredParamsPresent: Scalars['Boolean']['output'];
  /** Whether the user cancelled the prompts for parameters. */
  cancelsSlotFilling: Scalars['Boolean']['output'];
  /** A JSON object for diagnosis; it has no stable form. */
  diagnosticInfo: Maybe<Scalars['JSON']['output']>;
  /** The responses to show. */
  fulfillmentMessages: Array<IntentMessage>;
  /** The text of the response. */
  fulfillmentText: Maybe<Scalars['String']['output']>;
  /** The matched intent; null if none was matched, including the fallback. */
  intent: Maybe<MatchedIntent>;
  /** The confidence of the match, from 0 to 1. */
  intentDetectionConfidence: Maybe<Scalars['Float']['output']>;
  /** Answers from knowledge bases, from best to worst; null if none were searched. */
  knowledgeAnswers: Maybe<KnowledgeAnswers>;
  /** The language that was used (BCP 47). */
  languageCode: Maybe<Scalars['String']['output']>;
  /** The contexts that are active now. */
  outputContexts: Array<AgentContext>;
  /**
   * The collected values: a JSON object. A value may be a string, a number, a boolean, null, a list or an object. It
   * is an empty string if the user gave none.
   */
  parameters: Maybe<Scalars['JSON']['output']>;
  /** What the user said, as the service understood it. */
  queryText: Maybe<Scalars['String']['output']>;
  /** The user's sentiment; null if it was not requested. */
  sentimentAnalysisResult: Maybe<SentimentAnalysisResult>;
  /** The confidence of speech recognition, from 0 to 1; 0 if there was none. */
  speechRecognitionConfidence: Maybe<Scalars['Float']['output']>;
  /** A JSON object of the webhook. */
  webhookPayload: Maybe<Scalars['JSON']['output']>;
  /** The source, as the webhook names it. */
  webhookSource: Maybe<Scalars['String']['output']>;
};

/** A text of a user. */
export type QueryTextInput = {
  /** The language of the tones (BCP 47). */
  languageCode: Scalars['String']['input'];
  /** Up to 256 characters. */
  text: Scalars['String']['input'];
};

/** A sentiment. */
export type Sentiment = {
  __typename?: 'Sentiment';
  /** The magnitude, from 0. It grows with the length of the text. */
  magnitude: Maybe<Scalars['Float']['output']>;
  /** The score, from -1 (negative) to 1 (positive). */
  score: Maybe<Scalars['Float']['output']>;
};

/** The sentiment analysis to perform. */
export type SentimentAnalysisRequestConfigInput = {
  /** Whether to analyze the sentiment of the query. */
  analyzeQueryTextSentiment: Scalars['Boolean']['input'];
};

/** The sentiment of a user. */
export type SentimentAnalysisResult = {
  __typename?: 'SentimentAnalysisResult';
  /** The sentiment of the query. */
  queryTextSentiment: Maybe<Sentiment>;
};

/** An entity type of one session. */
export type SessionEntityTypeInput = {
  /** Its values. */
  entities: Array<EntityInput>;
  /** How it relates to the agent's own entity type. */
  entityOverrideMode: EntityOverrideMode;
  /** Its display name, or its full name `<session>/entityTypes/<name>`. */
  name: Scalars['String']['input'];
};

/** What `setAgent` changes. All fields but the first and the last are described at `Agent`. */
export type SetAgentInput = {
  /** The API version with which webhooks are called. */
  apiVersion?: InputMaybe<ApiVersion>;
  /** The address of a picture. */
  avatarUri?: InputMaybe<Scalars['String']['input']>;
  /** From 0 to 1; 0 stands for the service's default, 0.3. */
  classificationThreshold?: InputMaybe<Scalars['Float']['input']>;
  /** A BCP 47 tag. Required if the agent is new. It cannot change later. */
  defaultLanguageCode?: InputMaybe<Scalars['String']['input']>;
  /** Up to 500 characters. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The agent's display name. Required if the agent is new. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Whether the service logs conversations. */
  enableLogging?: InputMaybe<Scalars['Boolean']['input']>;
  /** How an input is matched to intents. */
  matchMode?: InputMaybe<MatchMode>;
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
  /** BCP 47 tags, without the default one. The list is replaced as a whole. */
  supportedLanguageCodes?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The pricing tier of the agent. */
  tier?: InputMaybe<Tier>;
  /** An IANA name. Required if the agent is new. */
  timeZone?: InputMaybe<Scalars['String']['input']>;
  /**
   * Which fields to change, by their names above. The default is the fields that this input sets. A field of the mask
   * that the input leaves out, or sets to null, is cleared. An empty list counts as none.
   */
  updateMask?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** The result of `setAgent`. */
export type SetAgentPayload = {
  __typename?: 'SetAgentPayload';
  /** The agent as it is now. */
  agent: Agent;
};

/** Phrases to expect. */
export type SpeechContextInput = {
  /** How much more likely they are; 0 to 20. */
  boost?: InputMaybe<Scalars['Float']['input']>;
  /** The phrases. */
  phrases: Array<Scalars['String']['input']>;
};

/** Which variant of a speech model. */
export type SpeechModelVariant =
  /** Not set. */
  | 'SPEECH_MODEL_VARIANT_UNSPECIFIED'
  /** The best variant available. */
  | 'USE_BEST_AVAILABLE'
  /** The enhanced one. */
  | 'USE_ENHANCED'
  /** The standard one. */
  | 'USE_STANDARD';

/** The gender of a voice. */
export type SsmlVoiceGender =
  /** Female. */
  | 'SSML_VOICE_GENDER_FEMALE'
  /** Male. */
  | 'SSML_VOICE_GENDER_MALE'
  /** Neutral. */
  | 'SSML_VOICE_GENDER_NEUTRAL'
  /** Not set: any. */
  | 'SSML_VOICE_GENDER_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** Another agent to query. */
export type SubAgentInput = {
  /** The environment of the agent. The default is `draft`. */
  environment?: InputMaybe<Scalars['String']['input']>;
  /** The project's id: one path segment, without `projects/`. */
  project: Scalars['ID']['input'];
};

/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type Subscription = {
  __typename?: 'Subscription';
  /**
   * A long-running operation that `exportAgent` or `importAgent` started, whenever it changed. The event with `done:
   * true` is the last one. Polled every 2 seconds, and at intervals of up to 30 seconds while nothing changes. Fails
   * with `BAD_USER_INPUT` if the name is malformed, and with `NOT_FOUND` if no operation has this name, or not any
   * more. From the agent service, operations.
   */
  agentOperationChanged: Maybe<AgentOperation>;
};


/**
 * What can be subscribed to. The services are polled, once for all subscribers with the same arguments and the same
 * credential. A change is noticed at the next poll, and one that is reverted before it is missed. The first event's
 * `extensions.live` has the interval between polls and the cost of an hour.
 */
export type SubscriptionAgentOperationChangedArgs = {
  name: Scalars['ID']['input'];
};

/** How speech was synthesized. */
export type SynthesizeSpeechConfig = {
  __typename?: 'SynthesizeSpeechConfig';
  /** Audio effects, applied in this order. */
  effectsProfileId: Array<Scalars['String']['output']>;
  /** The pitch, in semitones from -20 to 20. */
  pitch: Maybe<Scalars['Float']['output']>;
  /** How certain phrases are pronounced. */
  pronunciations: Array<Pronunciation>;
  /** The speaking rate, 0.25 to 4; 0 stands for the voice's own. */
  speakingRate: Maybe<Scalars['Float']['output']>;
  /** The voice. */
  voice: Maybe<VoiceSelection>;
  /** The gain in volume, in dB from -96 to 16. */
  volumeGainDb: Maybe<Scalars['Float']['output']>;
};

/** The configuration of speech synthesis. */
export type SynthesizeSpeechConfigInput = {
  /** Audio effects, applied in this order. */
  effectsProfileId?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The pitch, in semitones from -20 to 20. */
  pitch?: InputMaybe<Scalars['Float']['input']>;
  /** How to pronounce certain phrases. */
  pronunciations?: InputMaybe<Array<PronunciationInput>>;
  /** The speaking rate, 0.25 to 4; 1 is the voice's own. */
  speakingRate?: InputMaybe<Scalars['Float']['input']>;
  /** The voice. */
  voice?: InputMaybe<VoiceSelectionInput>;
  /** The gain in volume, in dB from -96 to 16. */
  volumeGainDb?: InputMaybe<Scalars['Float']['input']>;
};

/** A keypad tone. */
export type TelephonyDtmf =
  /** A. */
  | 'DTMF_A'
  /** B. */
  | 'DTMF_B'
  /** C. */
  | 'DTMF_C'
  /** D. */
  | 'DTMF_D'
  /** 8. */
  | 'DTMF_EIGHT'
  /** 5. */
  | 'DTMF_FIVE'
  /** 4. */
  | 'DTMF_FOUR'
  /** 9. */
  | 'DTMF_NINE'
  /** 1. */
  | 'DTMF_ONE'
  /** The pound sign. */
  | 'DTMF_POUND'
  /** 7. */
  | 'DTMF_SEVEN'
  /** 6. */
  | 'DTMF_SIX'
  /** The star. */
  | 'DTMF_STAR'
  /** 3. */
  | 'DTMF_THREE'
  /** 2. */
  | 'DTMF_TWO'
  /** 0. */
  | 'DTMF_ZERO'
  /** Not set. */
  | 'TELEPHONY_DTMF_UNSPECIFIED';

/** The pricing tier of an agent. */
export type Tier =
  /** Essentials. */
  | 'TIER_ENTERPRISE'
  /** Deprecated: the same as `TIER_ENTERPRISE`. */
  | 'TIER_ENTERPRISE_PLUS'
  /** Trial. */
  | 'TIER_STANDARD'
  /** Not set: STANDARD. */
  | 'TIER_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** An example by which an intent is recognized. */
export type TrainingPhrase = {
  __typename?: 'TrainingPhrase';
  /** The service's id of the phrase. */
  name: Maybe<Scalars['String']['output']>;
  /** Its parts, which are joined without a separator, so they include the white space. */
  parts: Array<TrainingPhrasePart>;
  /** How often this example was added by annotation. */
  timesAddedCount: Scalars['Int']['output'];
  /** Example or template. */
  type: TrainingPhraseType;
};

/** An example by which an intent is recognized. */
export type TrainingPhraseInput = {
  /** The service's id of a phrase that is kept. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Its parts, which are joined without a separator, so they include the white space. */
  parts: Array<TrainingPhrasePartInput>;
  /** How often this example was added by annotation. */
  timesAddedCount?: InputMaybe<Scalars['Int']['input']>;
  /** Example or template. */
  type: TrainingPhraseType;
};

/** A part of a training phrase: plain text, or text that stands for a parameter. */
export type TrainingPhrasePart = {
  __typename?: 'TrainingPhrasePart';
  /** The parameter that takes the value; null in plain text. */
  alias: Maybe<Scalars['String']['output']>;
  /** The entity type of the text, with its `@`; null in plain text. */
  entityType: Maybe<Scalars['String']['output']>;
  /** The text. */
  text: Scalars['String']['output'];
  /** Whether a person annotated it. */
  userDefined: Scalars['Boolean']['output'];
};

/** A part of a training phrase. An annotation needs `entityType`, `alias` and `userDefined: true`. */
export type TrainingPhrasePartInput = {
  /** The parameter that takes the value. */
  alias?: InputMaybe<Scalars['String']['input']>;
  /** The entity type of the text, with its `@`. */
  entityType?: InputMaybe<Scalars['String']['input']>;
  /** The text. */
  text: Scalars['String']['input'];
  /** Whether a person annotated it. */
  userDefined?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What a training phrase is. */
export type TrainingPhraseType =
  /** A text as a user says it; parts may be annotated. */
  | 'EXAMPLE'
  /** Deprecated: names of entity types instead of their values. */
  | 'TEMPLATE'
  /** Not set. */
  | 'TYPE_UNSPECIFIED'
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED';

/** What `updateIntent` changes. All fields but the first and the last two are described at `Intent`. */
export type UpdateIntentInput = {
  /** Without white space. */
  action?: InputMaybe<Scalars['String']['input']>;
  /** Replaced as a whole. */
  defaultResponsePlatforms?: InputMaybe<Array<IntentMessagePlatform>>;
  /** The intent's display name, unique in the agent. */
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Whether a match ends the conversation. */
  endInteraction?: InputMaybe<Scalars['Boolean']['input']>;
  /** Up to 150 characters each; replaced as a whole. */
  events?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Contexts that must be active: their ids, or their full names with the session `-`; replaced as a whole. */
  inputContextNames?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whether it is the fallback. */
  isFallback?: InputMaybe<Scalars['Boolean']['input']>;
  /** The language of the phrases, messages and prompts (BCP 47). The default is the agent's own. */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** Whether a match transfers the conversation to a person. */
  liveAgentHandoff?: InputMaybe<Scalars['Boolean']['input']>;
  /** Replaced as a whole. */
  messages?: InputMaybe<Array<IntentMessageInput>>;
  /** Whether machine learning leaves this intent out. */
  mlDisabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Deprecated by the service: use `mlDisabled`. */
  mlEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** The full name, `projects/<project>/agent/intents/<intent>`. */
  name: Scalars['ID']['input'];
  /** Without parameters; replaced as a whole. */
  outputContexts?: InputMaybe<Array<AgentContextInput>>;
  /** Replaced as a whole. */
  parameters?: InputMaybe<Array<IntentParameterInput>>;
  /** A higher priority wins. 0 stands for 500000, and an intent with a negative one is ignored. */
  priority?: InputMaybe<Scalars['Int']['input']>;
  /** Whether a match ends all contexts before it activates its own. */
  resetContexts?: InputMaybe<Scalars['Boolean']['input']>;
  /** Replaced as a whole. */
  trainingPhrases?: InputMaybe<Array<TrainingPhraseInput>>;
  /**
   * Which fields to change, by their names above. The default is the fields that this input sets. A field of the mask
   * that the input leaves out, or sets to null, is cleared. An empty list counts as none.
   */
  updateMask?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whether a webhook is called. */
  webhookState?: InputMaybe<WebhookState>;
};

/** The result of `updateIntent`. */
export type UpdateIntentPayload = {
  __typename?: 'UpdateIntentPayload';
  /** The intent as it is now. */
  intent: Intent;
};

/** A voice. */
export type VoiceSelection = {
  __typename?: 'VoiceSelection';
  /** Its name. */
  name: Maybe<Scalars['String']['output']>;
  /** Its gender. */
  ssmlGender: SsmlVoiceGender;
};

/** The voice. */
export type VoiceSelectionInput = {
  /** The voice's name. By default the service chooses. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The preferred gender. */
  ssmlGender?: InputMaybe<SsmlVoiceGender>;
};

/** A header that is sent to the webhook. */
export type WebhookHeaderInput = {
  /** The header's name. */
  name: Scalars['String']['input'];
  /** Its value. */
  value: Scalars['String']['input'];
};

/** Whether a match of an intent calls a webhook. */
export type WebhookState =
  /**
   * A value that the service knows and this graph does not know yet. It occurs only in results, and is refused in
   * input.
   */
  | 'UNRECOGNIZED'
  /** Called when the intent is matched. */
  | 'WEBHOOK_STATE_ENABLED'
  /** Called while values of parameters are being collected as well. */
  | 'WEBHOOK_STATE_ENABLED_FOR_SLOT_FILLING'
  /** Not set: off. */
  | 'WEBHOOK_STATE_UNSPECIFIED';



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
  Agent: Agent;
  Intent: Intent;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Agent:
    ( { __typename: 'Agent' }
    & ( GraphQLRecursivePick<FederationTypes['Agent'], {"id":true}>
        | GraphQLRecursivePick<FederationTypes['Agent'], {"project":true}> ) );
  Intent:
    ( { __typename: 'Intent' }
    & ( GraphQLRecursivePick<FederationTypes['Intent'], {"id":true}>
        | GraphQLRecursivePick<FederationTypes['Intent'], {"name":true}> ) );
};


/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( AgentModel )
    | ( IntentModel )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Agent: ResolverTypeWrapper<AgentModel>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  AgentContext: ResolverTypeWrapper<Json>;
  AgentContextInput: AgentContextInput;
  AgentOperation: ResolverTypeWrapper<Json>;
  AgentStatus: ResolverTypeWrapper<Json>;
  ApiVersion: ApiVersion;
  AudioEncoding: AudioEncoding;
  BargeInConfigInput: BargeInConfigInput;
  CreateIntentInput: CreateIntentInput;
  CreateIntentPayload: ResolverTypeWrapper<Omit<CreateIntentPayload, 'intent'> & { intent: ResolversTypes['Intent'] }>;
  DeleteAgentInput: DeleteAgentInput;
  DeleteAgentPayload: ResolverTypeWrapper<DeleteAgentPayload>;
  DeleteContextsInput: DeleteContextsInput;
  DeleteContextsPayload: ResolverTypeWrapper<DeleteContextsPayload>;
  DeleteIntentInput: DeleteIntentInput;
  DeleteIntentPayload: ResolverTypeWrapper<DeletedIntentModel>;
  DetectIntentInput: DetectIntentInput;
  DetectIntentPayload: ResolverTypeWrapper<Json>;
  EntityInput: EntityInput;
  EntityOverrideMode: EntityOverrideMode;
  ExportAgentInput: ExportAgentInput;
  ExportAgentPayload: ResolverTypeWrapper<ExportedModel>;
  FollowupIntentInfo: ResolverTypeWrapper<FollowupIntentInfo>;
  GeoLocationInput: GeoLocationInput;
  ImportAgentInput: ImportAgentInput;
  ImportAgentPayload: ResolverTypeWrapper<ImportedModel>;
  Intent: ResolverTypeWrapper<IntentModel>;
  IntentBasicCard: ResolverTypeWrapper<IntentBasicCard>;
  IntentBasicCardButton: ResolverTypeWrapper<IntentBasicCardButton>;
  IntentBasicCardButtonInput: IntentBasicCardButtonInput;
  IntentBasicCardInput: IntentBasicCardInput;
  IntentBrowseCarouselCard: ResolverTypeWrapper<IntentBrowseCarouselCard>;
  IntentBrowseCarouselCardInput: IntentBrowseCarouselCardInput;
  IntentBrowseCarouselItem: ResolverTypeWrapper<IntentBrowseCarouselItem>;
  IntentBrowseCarouselItemInput: IntentBrowseCarouselItemInput;
  IntentCard: ResolverTypeWrapper<IntentCard>;
  IntentCardButton: ResolverTypeWrapper<IntentCardButton>;
  IntentCardButtonInput: IntentCardButtonInput;
  IntentCardInput: IntentCardInput;
  IntentCarouselSelect: ResolverTypeWrapper<IntentCarouselSelect>;
  IntentCarouselSelectInput: IntentCarouselSelectInput;
  IntentConnection: ResolverTypeWrapper<IntentConnectionModel>;
  IntentEdge: ResolverTypeWrapper<Omit<IntentEdge, 'node'> & { node: ResolversTypes['Intent'] }>;
  IntentHorizontalAlignment: IntentHorizontalAlignment;
  IntentImage: ResolverTypeWrapper<IntentImage>;
  IntentImageDisplayOptions: IntentImageDisplayOptions;
  IntentImageInput: IntentImageInput;
  IntentLinkOutSuggestion: ResolverTypeWrapper<IntentLinkOutSuggestion>;
  IntentLinkOutSuggestionInput: IntentLinkOutSuggestionInput;
  IntentListSelect: ResolverTypeWrapper<IntentListSelect>;
  IntentListSelectInput: IntentListSelectInput;
  IntentMediaContent: ResolverTypeWrapper<IntentMediaContent>;
  IntentMediaContentInput: IntentMediaContentInput;
  IntentMediaObject: ResolverTypeWrapper<IntentMediaObject>;
  IntentMediaObjectInput: IntentMediaObjectInput;
  IntentMediaType: IntentMediaType;
  IntentMessage: ResolverTypeWrapper<Json>;
  IntentMessageInput: IntentMessageInput;
  IntentMessagePlatform: IntentMessagePlatform;
  IntentOpenUri: ResolverTypeWrapper<IntentOpenUri>;
  IntentOpenUriInput: IntentOpenUriInput;
  IntentOpenUrl: ResolverTypeWrapper<IntentOpenUrl>;
  IntentOpenUrlInput: IntentOpenUrlInput;
  IntentParameter: ResolverTypeWrapper<IntentParameter>;
  IntentParameterInput: IntentParameterInput;
  IntentQuickReplies: ResolverTypeWrapper<IntentQuickReplies>;
  IntentQuickRepliesInput: IntentQuickRepliesInput;
  IntentRbmAction: ResolverTypeWrapper<IntentRbmAction>;
  IntentRbmActionInput: IntentRbmActionInput;
  IntentRbmCardContent: ResolverTypeWrapper<IntentRbmCardContent>;
  IntentRbmCardContentInput: IntentRbmCardContentInput;
  IntentRbmCardOrientation: IntentRbmCardOrientation;
  IntentRbmCardWidth: IntentRbmCardWidth;
  IntentRbmCarouselCard: ResolverTypeWrapper<IntentRbmCarouselCard>;
  IntentRbmCarouselCardInput: IntentRbmCarouselCardInput;
  IntentRbmDial: ResolverTypeWrapper<IntentRbmDial>;
  IntentRbmDialInput: IntentRbmDialInput;
  IntentRbmMedia: ResolverTypeWrapper<IntentRbmMedia>;
  IntentRbmMediaHeight: IntentRbmMediaHeight;
  IntentRbmMediaInput: IntentRbmMediaInput;
  IntentRbmOpenUrl: ResolverTypeWrapper<IntentRbmOpenUrl>;
  IntentRbmOpenUrlInput: IntentRbmOpenUrlInput;
  IntentRbmReply: ResolverTypeWrapper<IntentRbmReply>;
  IntentRbmReplyInput: IntentRbmReplyInput;
  IntentRbmStandaloneCard: ResolverTypeWrapper<IntentRbmStandaloneCard>;
  IntentRbmStandaloneCardInput: IntentRbmStandaloneCardInput;
  IntentRbmSuggestion: ResolverTypeWrapper<IntentRbmSuggestion>;
  IntentRbmSuggestionInput: IntentRbmSuggestionInput;
  IntentRbmText: ResolverTypeWrapper<IntentRbmText>;
  IntentRbmTextInput: IntentRbmTextInput;
  IntentRbmThumbnailImageAlignment: IntentRbmThumbnailImageAlignment;
  IntentSelectItem: ResolverTypeWrapper<IntentSelectItem>;
  IntentSelectItemInfo: ResolverTypeWrapper<IntentSelectItemInfo>;
  IntentSelectItemInfoInput: IntentSelectItemInfoInput;
  IntentSelectItemInput: IntentSelectItemInput;
  IntentSimpleResponse: ResolverTypeWrapper<IntentSimpleResponse>;
  IntentSimpleResponseInput: IntentSimpleResponseInput;
  IntentSimpleResponses: ResolverTypeWrapper<IntentSimpleResponses>;
  IntentSimpleResponsesInput: IntentSimpleResponsesInput;
  IntentSuggestion: ResolverTypeWrapper<IntentSuggestion>;
  IntentSuggestionInput: IntentSuggestionInput;
  IntentSuggestions: ResolverTypeWrapper<IntentSuggestions>;
  IntentSuggestionsInput: IntentSuggestionsInput;
  IntentTableCard: ResolverTypeWrapper<IntentTableCard>;
  IntentTableCardInput: IntentTableCardInput;
  IntentTableCell: ResolverTypeWrapper<IntentTableCell>;
  IntentTableCellInput: IntentTableCellInput;
  IntentTableColumn: ResolverTypeWrapper<IntentTableColumn>;
  IntentTableColumnInput: IntentTableColumnInput;
  IntentTableRow: ResolverTypeWrapper<IntentTableRow>;
  IntentTableRowInput: IntentTableRowInput;
  IntentTelephonyPlayAudio: ResolverTypeWrapper<IntentTelephonyPlayAudio>;
  IntentTelephonyPlayAudioInput: IntentTelephonyPlayAudioInput;
  IntentTelephonySynthesizeSpeech: ResolverTypeWrapper<IntentTelephonySynthesizeSpeech>;
  IntentTelephonySynthesizeSpeechInput: IntentTelephonySynthesizeSpeechInput;
  IntentTelephonyTransferCall: ResolverTypeWrapper<IntentTelephonyTransferCall>;
  IntentTelephonyTransferCallInput: IntentTelephonyTransferCallInput;
  IntentText: ResolverTypeWrapper<IntentText>;
  IntentTextInput: IntentTextInput;
  IntentUrlTypeHint: IntentUrlTypeHint;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  KnowledgeAnswer: ResolverTypeWrapper<KnowledgeAnswer>;
  KnowledgeAnswers: ResolverTypeWrapper<KnowledgeAnswers>;
  MatchConfidenceLevel: MatchConfidenceLevel;
  MatchMode: MatchMode;
  MatchedIntent: ResolverTypeWrapper<Json>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  OutputAudioConfig: ResolverTypeWrapper<OutputAudioConfig>;
  OutputAudioConfigInput: OutputAudioConfigInput;
  OutputAudioEncoding: OutputAudioEncoding;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PhoneticEncoding: PhoneticEncoding;
  Pronunciation: ResolverTypeWrapper<Pronunciation>;
  PronunciationInput: PronunciationInput;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  QueryAudioInput: QueryAudioInput;
  QueryDtmfInput: QueryDtmfInput;
  QueryEventInput: QueryEventInput;
  QueryInput: QueryInput;
  QueryParametersInput: QueryParametersInput;
  QueryResult: ResolverTypeWrapper<Omit<QueryResult, 'fulfillmentMessages' | 'intent' | 'outputContexts'> & { fulfillmentMessages: Array<ResolversTypes['IntentMessage']>, intent?: Maybe<ResolversTypes['MatchedIntent']>, outputContexts: Array<ResolversTypes['AgentContext']> }>;
  QueryTextInput: QueryTextInput;
  Sentiment: ResolverTypeWrapper<Sentiment>;
  SentimentAnalysisRequestConfigInput: SentimentAnalysisRequestConfigInput;
  SentimentAnalysisResult: ResolverTypeWrapper<SentimentAnalysisResult>;
  SessionEntityTypeInput: SessionEntityTypeInput;
  SetAgentInput: SetAgentInput;
  SetAgentPayload: ResolverTypeWrapper<Omit<SetAgentPayload, 'agent'> & { agent: ResolversTypes['Agent'] }>;
  SpeechContextInput: SpeechContextInput;
  SpeechModelVariant: SpeechModelVariant;
  SsmlVoiceGender: SsmlVoiceGender;
  SubAgentInput: SubAgentInput;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SynthesizeSpeechConfig: ResolverTypeWrapper<SynthesizeSpeechConfig>;
  SynthesizeSpeechConfigInput: SynthesizeSpeechConfigInput;
  TelephonyDtmf: TelephonyDtmf;
  Tier: Tier;
  TrainingPhrase: ResolverTypeWrapper<TrainingPhrase>;
  TrainingPhraseInput: TrainingPhraseInput;
  TrainingPhrasePart: ResolverTypeWrapper<TrainingPhrasePart>;
  TrainingPhrasePartInput: TrainingPhrasePartInput;
  TrainingPhraseType: TrainingPhraseType;
  UpdateIntentInput: UpdateIntentInput;
  UpdateIntentPayload: ResolverTypeWrapper<Omit<UpdateIntentPayload, 'intent'> & { intent: ResolversTypes['Intent'] }>;
  VoiceSelection: ResolverTypeWrapper<VoiceSelection>;
  VoiceSelectionInput: VoiceSelectionInput;
  WebhookHeaderInput: WebhookHeaderInput;
  WebhookState: WebhookState;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Agent: AgentModel;
  String: Scalars['String']['output'];
  Float: Scalars['Float']['output'];
  Boolean: Scalars['Boolean']['output'];
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  AgentContext: Json;
  AgentContextInput: AgentContextInput;
  AgentOperation: Json;
  AgentStatus: Json;
  BargeInConfigInput: BargeInConfigInput;
  CreateIntentInput: CreateIntentInput;
  CreateIntentPayload: Omit<CreateIntentPayload, 'intent'> & { intent: ResolversParentTypes['Intent'] };
  DeleteAgentInput: DeleteAgentInput;
  DeleteAgentPayload: DeleteAgentPayload;
  DeleteContextsInput: DeleteContextsInput;
  DeleteContextsPayload: DeleteContextsPayload;
  DeleteIntentInput: DeleteIntentInput;
  DeleteIntentPayload: DeletedIntentModel;
  DetectIntentInput: DetectIntentInput;
  DetectIntentPayload: Json;
  EntityInput: EntityInput;
  ExportAgentInput: ExportAgentInput;
  ExportAgentPayload: ExportedModel;
  FollowupIntentInfo: FollowupIntentInfo;
  GeoLocationInput: GeoLocationInput;
  ImportAgentInput: ImportAgentInput;
  ImportAgentPayload: ImportedModel;
  Intent: IntentModel;
  IntentBasicCard: IntentBasicCard;
  IntentBasicCardButton: IntentBasicCardButton;
  IntentBasicCardButtonInput: IntentBasicCardButtonInput;
  IntentBasicCardInput: IntentBasicCardInput;
  IntentBrowseCarouselCard: IntentBrowseCarouselCard;
  IntentBrowseCarouselCardInput: IntentBrowseCarouselCardInput;
  IntentBrowseCarouselItem: IntentBrowseCarouselItem;
  IntentBrowseCarouselItemInput: IntentBrowseCarouselItemInput;
  IntentCard: IntentCard;
  IntentCardButton: IntentCardButton;
  IntentCardButtonInput: IntentCardButtonInput;
  IntentCardInput: IntentCardInput;
  IntentCarouselSelect: IntentCarouselSelect;
  IntentCarouselSelectInput: IntentCarouselSelectInput;
  IntentConnection: IntentConnectionModel;
  IntentEdge: Omit<IntentEdge, 'node'> & { node: ResolversParentTypes['Intent'] };
  IntentImage: IntentImage;
  IntentImageInput: IntentImageInput;
  IntentLinkOutSuggestion: IntentLinkOutSuggestion;
  IntentLinkOutSuggestionInput: IntentLinkOutSuggestionInput;
  IntentListSelect: IntentListSelect;
  IntentListSelectInput: IntentListSelectInput;
  IntentMediaContent: IntentMediaContent;
  IntentMediaContentInput: IntentMediaContentInput;
  IntentMediaObject: IntentMediaObject;
  IntentMediaObjectInput: IntentMediaObjectInput;
  IntentMessage: Json;
  IntentMessageInput: IntentMessageInput;
  IntentOpenUri: IntentOpenUri;
  IntentOpenUriInput: IntentOpenUriInput;
  IntentOpenUrl: IntentOpenUrl;
  IntentOpenUrlInput: IntentOpenUrlInput;
  IntentParameter: IntentParameter;
  IntentParameterInput: IntentParameterInput;
  IntentQuickReplies: IntentQuickReplies;
  IntentQuickRepliesInput: IntentQuickRepliesInput;
  IntentRbmAction: IntentRbmAction;
  IntentRbmActionInput: IntentRbmActionInput;
  IntentRbmCardContent: IntentRbmCardContent;
  IntentRbmCardContentInput: IntentRbmCardContentInput;
  IntentRbmCarouselCard: IntentRbmCarouselCard;
  IntentRbmCarouselCardInput: IntentRbmCarouselCardInput;
  IntentRbmDial: IntentRbmDial;
  IntentRbmDialInput: IntentRbmDialInput;
  IntentRbmMedia: IntentRbmMedia;
  IntentRbmMediaInput: IntentRbmMediaInput;
  IntentRbmOpenUrl: IntentRbmOpenUrl;
  IntentRbmOpenUrlInput: IntentRbmOpenUrlInput;
  IntentRbmReply: IntentRbmReply;
  IntentRbmReplyInput: IntentRbmReplyInput;
  IntentRbmStandaloneCard: IntentRbmStandaloneCard;
  IntentRbmStandaloneCardInput: IntentRbmStandaloneCardInput;
  IntentRbmSuggestion: IntentRbmSuggestion;
  IntentRbmSuggestionInput: IntentRbmSuggestionInput;
  IntentRbmText: IntentRbmText;
  IntentRbmTextInput: IntentRbmTextInput;
  IntentSelectItem: IntentSelectItem;
  IntentSelectItemInfo: IntentSelectItemInfo;
  IntentSelectItemInfoInput: IntentSelectItemInfoInput;
  IntentSelectItemInput: IntentSelectItemInput;
  IntentSimpleResponse: IntentSimpleResponse;
  IntentSimpleResponseInput: IntentSimpleResponseInput;
  IntentSimpleResponses: IntentSimpleResponses;
  IntentSimpleResponsesInput: IntentSimpleResponsesInput;
  IntentSuggestion: IntentSuggestion;
  IntentSuggestionInput: IntentSuggestionInput;
  IntentSuggestions: IntentSuggestions;
  IntentSuggestionsInput: IntentSuggestionsInput;
  IntentTableCard: IntentTableCard;
  IntentTableCardInput: IntentTableCardInput;
  IntentTableCell: IntentTableCell;
  IntentTableCellInput: IntentTableCellInput;
  IntentTableColumn: IntentTableColumn;
  IntentTableColumnInput: IntentTableColumnInput;
  IntentTableRow: IntentTableRow;
  IntentTableRowInput: IntentTableRowInput;
  IntentTelephonyPlayAudio: IntentTelephonyPlayAudio;
  IntentTelephonyPlayAudioInput: IntentTelephonyPlayAudioInput;
  IntentTelephonySynthesizeSpeech: IntentTelephonySynthesizeSpeech;
  IntentTelephonySynthesizeSpeechInput: IntentTelephonySynthesizeSpeechInput;
  IntentTelephonyTransferCall: IntentTelephonyTransferCall;
  IntentTelephonyTransferCallInput: IntentTelephonyTransferCallInput;
  IntentText: IntentText;
  IntentTextInput: IntentTextInput;
  JSON: Scalars['JSON']['output'];
  KnowledgeAnswer: KnowledgeAnswer;
  KnowledgeAnswers: KnowledgeAnswers;
  MatchedIntent: Json;
  Mutation: Record<PropertyKey, never>;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  OutputAudioConfig: OutputAudioConfig;
  OutputAudioConfigInput: OutputAudioConfigInput;
  PageInfo: PageInfo;
  Pronunciation: Pronunciation;
  PronunciationInput: PronunciationInput;
  Query: Record<PropertyKey, never>;
  QueryAudioInput: QueryAudioInput;
  QueryDtmfInput: QueryDtmfInput;
  QueryEventInput: QueryEventInput;
  QueryInput: QueryInput;
  QueryParametersInput: QueryParametersInput;
  QueryResult: Omit<QueryResult, 'fulfillmentMessages' | 'intent' | 'outputContexts'> & { fulfillmentMessages: Array<ResolversParentTypes['IntentMessage']>, intent?: Maybe<ResolversParentTypes['MatchedIntent']>, outputContexts: Array<ResolversParentTypes['AgentContext']> };
  QueryTextInput: QueryTextInput;
  Sentiment: Sentiment;
  SentimentAnalysisRequestConfigInput: SentimentAnalysisRequestConfigInput;
  SentimentAnalysisResult: SentimentAnalysisResult;
  SessionEntityTypeInput: SessionEntityTypeInput;
  SetAgentInput: SetAgentInput;
  SetAgentPayload: Omit<SetAgentPayload, 'agent'> & { agent: ResolversParentTypes['Agent'] };
  SpeechContextInput: SpeechContextInput;
  SubAgentInput: SubAgentInput;
  Subscription: Record<PropertyKey, never>;
  SynthesizeSpeechConfig: SynthesizeSpeechConfig;
  SynthesizeSpeechConfigInput: SynthesizeSpeechConfigInput;
  TrainingPhrase: TrainingPhrase;
  TrainingPhraseInput: TrainingPhraseInput;
  TrainingPhrasePart: TrainingPhrasePart;
  TrainingPhrasePartInput: TrainingPhrasePartInput;
  UpdateIntentInput: UpdateIntentInput;
  UpdateIntentPayload: Omit<UpdateIntentPayload, 'intent'> & { intent: ResolversParentTypes['Intent'] };
  VoiceSelection: VoiceSelection;
  VoiceSelectionInput: VoiceSelectionInput;
  WebhookHeaderInput: WebhookHeaderInput;
};

export type AgentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Agent'] = ResolversParentTypes['Agent'], FederationReferenceType extends FederationReferenceTypes['Agent'] = FederationReferenceTypes['Agent']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Agent']> | FederationReferenceType, FederationReferenceType, ContextType>;
  apiVersion?: Resolver<Maybe<ResolversTypes['ApiVersion']>, ParentType, ContextType>;
  avatarUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  classificationThreshold?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  defaultLanguageCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  displayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  enableLogging?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  intents?: Resolver<Maybe<ResolversTypes['IntentConnection']>, ParentType, ContextType, Partial<AgentIntentsArgs>>;
  matchMode?: Resolver<Maybe<ResolversTypes['MatchMode']>, ParentType, ContextType>;
  parent?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  project?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  supportedLanguageCodes?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  tier?: Resolver<Maybe<ResolversTypes['Tier']>, ParentType, ContextType>;
  timeZone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AgentContextResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AgentContext'] = ResolversParentTypes['AgentContext']> = {
  contextId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lifespanCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parameters?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type AgentOperationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AgentOperation'] = ResolversParentTypes['AgentOperation']> = {
  done?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['AgentStatus']>, ParentType, ContextType>;
  metadata?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  response?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type AgentStatusResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AgentStatus'] = ResolversParentTypes['AgentStatus']> = {
  code?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreateIntentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreateIntentPayload'] = ResolversParentTypes['CreateIntentPayload']> = {
  intent?: Resolver<ResolversTypes['Intent'], ParentType, ContextType>;
};

export type DeleteAgentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeleteAgentPayload'] = ResolversParentTypes['DeleteAgentPayload']> = {
  deletedAgentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  project?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DeleteContextsPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeleteContextsPayload'] = ResolversParentTypes['DeleteContextsPayload']> = {
  session?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeleteIntentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeleteIntentPayload'] = ResolversParentTypes['DeleteIntentPayload']> = {
  agent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  deletedIntentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DetectIntentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DetectIntentPayload'] = ResolversParentTypes['DetectIntentPayload']> = {
  alternativeQueryResults?: Resolver<Array<ResolversTypes['QueryResult']>, ParentType, ContextType>;
  outputAudio?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  outputAudioConfig?: Resolver<Maybe<ResolversTypes['OutputAudioConfig']>, ParentType, ContextType>;
  queryResult?: Resolver<Maybe<ResolversTypes['QueryResult']>, ParentType, ContextType>;
  responseId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  webhookStatus?: Resolver<Maybe<ResolversTypes['AgentStatus']>, ParentType, ContextType>;
};

export type ExportAgentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ExportAgentPayload'] = ResolversParentTypes['ExportAgentPayload']> = {
  agentContent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  agentUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['AgentOperation'], ParentType, ContextType>;
};

export type FollowupIntentInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['FollowupIntentInfo'] = ResolversParentTypes['FollowupIntentInfo']> = {
  followupIntentName?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  parentFollowupIntentName?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type ImportAgentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ImportAgentPayload'] = ResolversParentTypes['ImportAgentPayload']> = {
  agent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['AgentOperation'], ParentType, ContextType>;
};

export type IntentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Intent'] = ResolversParentTypes['Intent'], FederationReferenceType extends FederationReferenceTypes['Intent'] = FederationReferenceTypes['Intent']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Intent']> | FederationReferenceType, FederationReferenceType, ContextType>;
  action?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  agent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  defaultResponsePlatforms?: Resolver<Maybe<Array<ResolversTypes['IntentMessagePlatform']>>, ParentType, ContextType>;
  displayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endInteraction?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  events?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  followupIntentInfo?: Resolver<Maybe<Array<ResolversTypes['FollowupIntentInfo']>>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  inputContextNames?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  isFallback?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  liveAgentHandoff?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  messages?: Resolver<Maybe<Array<ResolversTypes['IntentMessage']>>, ParentType, ContextType>;
  mlDisabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  mlEnabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outputContexts?: Resolver<Maybe<Array<ResolversTypes['AgentContext']>>, ParentType, ContextType>;
  parameters?: Resolver<Maybe<Array<ResolversTypes['IntentParameter']>>, ParentType, ContextType>;
  parentFollowupIntentName?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  priority?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  resetContexts?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  rootFollowupIntentName?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  trainingPhrases?: Resolver<Maybe<Array<ResolversTypes['TrainingPhrase']>>, ParentType, ContextType>;
  webhookState?: Resolver<Maybe<ResolversTypes['WebhookState']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IntentBasicCardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentBasicCard'] = ResolversParentTypes['IntentBasicCard']> = {
  buttons?: Resolver<Array<ResolversTypes['IntentBasicCardButton']>, ParentType, ContextType>;
  formattedText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  subtitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentBasicCardButtonResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentBasicCardButton'] = ResolversParentTypes['IntentBasicCardButton']> = {
  openUriAction?: Resolver<Maybe<ResolversTypes['IntentOpenUri']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentBrowseCarouselCardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentBrowseCarouselCard'] = ResolversParentTypes['IntentBrowseCarouselCard']> = {
  imageDisplayOptions?: Resolver<ResolversTypes['IntentImageDisplayOptions'], ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['IntentBrowseCarouselItem']>, ParentType, ContextType>;
};

export type IntentBrowseCarouselItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentBrowseCarouselItem'] = ResolversParentTypes['IntentBrowseCarouselItem']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  footer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  openUriAction?: Resolver<Maybe<ResolversTypes['IntentOpenUrl']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentCardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentCard'] = ResolversParentTypes['IntentCard']> = {
  buttons?: Resolver<Array<ResolversTypes['IntentCardButton']>, ParentType, ContextType>;
  imageUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subtitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentCardButtonResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentCardButton'] = ResolversParentTypes['IntentCardButton']> = {
  postback?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentCarouselSelectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentCarouselSelect'] = ResolversParentTypes['IntentCarouselSelect']> = {
  items?: Resolver<Array<ResolversTypes['IntentSelectItem']>, ParentType, ContextType>;
};

export type IntentConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentConnection'] = ResolversParentTypes['IntentConnection']> = {
  edges?: Resolver<Array<ResolversTypes['IntentEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Intent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type IntentEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentEdge'] = ResolversParentTypes['IntentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Intent'], ParentType, ContextType>;
};

export type IntentImageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentImage'] = ResolversParentTypes['IntentImage']> = {
  accessibilityText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  imageUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentLinkOutSuggestionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentLinkOutSuggestion'] = ResolversParentTypes['IntentLinkOutSuggestion']> = {
  destinationName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  uri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentListSelectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentListSelect'] = ResolversParentTypes['IntentListSelect']> = {
  items?: Resolver<Array<ResolversTypes['IntentSelectItem']>, ParentType, ContextType>;
  subtitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentMediaContentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentMediaContent'] = ResolversParentTypes['IntentMediaContent']> = {
  mediaObjects?: Resolver<Array<ResolversTypes['IntentMediaObject']>, ParentType, ContextType>;
  mediaType?: Resolver<ResolversTypes['IntentMediaType'], ParentType, ContextType>;
};

export type IntentMediaObjectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentMediaObject'] = ResolversParentTypes['IntentMediaObject']> = {
  contentUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  icon?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  largeImage?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentMessageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentMessage'] = ResolversParentTypes['IntentMessage']> = {
  basicCard?: Resolver<Maybe<ResolversTypes['IntentBasicCard']>, ParentType, ContextType>;
  browseCarouselCard?: Resolver<Maybe<ResolversTypes['IntentBrowseCarouselCard']>, ParentType, ContextType>;
  card?: Resolver<Maybe<ResolversTypes['IntentCard']>, ParentType, ContextType>;
  carouselSelect?: Resolver<Maybe<ResolversTypes['IntentCarouselSelect']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  linkOutSuggestion?: Resolver<Maybe<ResolversTypes['IntentLinkOutSuggestion']>, ParentType, ContextType>;
  listSelect?: Resolver<Maybe<ResolversTypes['IntentListSelect']>, ParentType, ContextType>;
  mediaContent?: Resolver<Maybe<ResolversTypes['IntentMediaContent']>, ParentType, ContextType>;
  other?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  payload?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  platform?: Resolver<ResolversTypes['IntentMessagePlatform'], ParentType, ContextType>;
  quickReplies?: Resolver<Maybe<ResolversTypes['IntentQuickReplies']>, ParentType, ContextType>;
  rbmCarouselRichCard?: Resolver<Maybe<ResolversTypes['IntentRbmCarouselCard']>, ParentType, ContextType>;
  rbmStandaloneRichCard?: Resolver<Maybe<ResolversTypes['IntentRbmStandaloneCard']>, ParentType, ContextType>;
  rbmText?: Resolver<Maybe<ResolversTypes['IntentRbmText']>, ParentType, ContextType>;
  simpleResponses?: Resolver<Maybe<ResolversTypes['IntentSimpleResponses']>, ParentType, ContextType>;
  suggestions?: Resolver<Maybe<ResolversTypes['IntentSuggestions']>, ParentType, ContextType>;
  tableCard?: Resolver<Maybe<ResolversTypes['IntentTableCard']>, ParentType, ContextType>;
  telephonyPlayAudio?: Resolver<Maybe<ResolversTypes['IntentTelephonyPlayAudio']>, ParentType, ContextType>;
  telephonySynthesizeSpeech?: Resolver<Maybe<ResolversTypes['IntentTelephonySynthesizeSpeech']>, ParentType, ContextType>;
  telephonyTransferCall?: Resolver<Maybe<ResolversTypes['IntentTelephonyTransferCall']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['IntentText']>, ParentType, ContextType>;
};

export type IntentOpenUriResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentOpenUri'] = ResolversParentTypes['IntentOpenUri']> = {
  uri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentOpenUrlResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentOpenUrl'] = ResolversParentTypes['IntentOpenUrl']> = {
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  urlTypeHint?: Resolver<ResolversTypes['IntentUrlTypeHint'], ParentType, ContextType>;
};

export type IntentParameterResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentParameter'] = ResolversParentTypes['IntentParameter']> = {
  defaultValue?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  displayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entityTypeDisplayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isList?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  mandatory?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  prompts?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentQuickRepliesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentQuickReplies'] = ResolversParentTypes['IntentQuickReplies']> = {
  quickReplies?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmActionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmAction'] = ResolversParentTypes['IntentRbmAction']> = {
  dial?: Resolver<Maybe<ResolversTypes['IntentRbmDial']>, ParentType, ContextType>;
  openUrl?: Resolver<Maybe<ResolversTypes['IntentRbmOpenUrl']>, ParentType, ContextType>;
  postbackData?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shareLocation?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmCardContentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmCardContent'] = ResolversParentTypes['IntentRbmCardContent']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  media?: Resolver<Maybe<ResolversTypes['IntentRbmMedia']>, ParentType, ContextType>;
  suggestions?: Resolver<Array<ResolversTypes['IntentRbmSuggestion']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmCarouselCardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmCarouselCard'] = ResolversParentTypes['IntentRbmCarouselCard']> = {
  cardContents?: Resolver<Array<ResolversTypes['IntentRbmCardContent']>, ParentType, ContextType>;
  cardWidth?: Resolver<ResolversTypes['IntentRbmCardWidth'], ParentType, ContextType>;
};

export type IntentRbmDialResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmDial'] = ResolversParentTypes['IntentRbmDial']> = {
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmMediaResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmMedia'] = ResolversParentTypes['IntentRbmMedia']> = {
  fileUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  height?: Resolver<ResolversTypes['IntentRbmMediaHeight'], ParentType, ContextType>;
  thumbnailUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmOpenUrlResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmOpenUrl'] = ResolversParentTypes['IntentRbmOpenUrl']> = {
  uri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmReplyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmReply'] = ResolversParentTypes['IntentRbmReply']> = {
  postbackData?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentRbmStandaloneCardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmStandaloneCard'] = ResolversParentTypes['IntentRbmStandaloneCard']> = {
  cardContent?: Resolver<Maybe<ResolversTypes['IntentRbmCardContent']>, ParentType, ContextType>;
  cardOrientation?: Resolver<ResolversTypes['IntentRbmCardOrientation'], ParentType, ContextType>;
  thumbnailImageAlignment?: Resolver<ResolversTypes['IntentRbmThumbnailImageAlignment'], ParentType, ContextType>;
};

export type IntentRbmSuggestionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmSuggestion'] = ResolversParentTypes['IntentRbmSuggestion']> = {
  action?: Resolver<Maybe<ResolversTypes['IntentRbmAction']>, ParentType, ContextType>;
  reply?: Resolver<Maybe<ResolversTypes['IntentRbmReply']>, ParentType, ContextType>;
};

export type IntentRbmTextResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentRbmText'] = ResolversParentTypes['IntentRbmText']> = {
  rbmSuggestion?: Resolver<Array<ResolversTypes['IntentRbmSuggestion']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentSelectItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentSelectItem'] = ResolversParentTypes['IntentSelectItem']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  info?: Resolver<Maybe<ResolversTypes['IntentSelectItemInfo']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentSelectItemInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentSelectItemInfo'] = ResolversParentTypes['IntentSelectItemInfo']> = {
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  synonyms?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentSimpleResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentSimpleResponse'] = ResolversParentTypes['IntentSimpleResponse']> = {
  displayText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ssml?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  textToSpeech?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentSimpleResponsesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentSimpleResponses'] = ResolversParentTypes['IntentSimpleResponses']> = {
  simpleResponses?: Resolver<Array<ResolversTypes['IntentSimpleResponse']>, ParentType, ContextType>;
};

export type IntentSuggestionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentSuggestion'] = ResolversParentTypes['IntentSuggestion']> = {
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentSuggestionsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentSuggestions'] = ResolversParentTypes['IntentSuggestions']> = {
  suggestions?: Resolver<Array<ResolversTypes['IntentSuggestion']>, ParentType, ContextType>;
};

export type IntentTableCardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTableCard'] = ResolversParentTypes['IntentTableCard']> = {
  buttons?: Resolver<Array<ResolversTypes['IntentBasicCardButton']>, ParentType, ContextType>;
  columnProperties?: Resolver<Array<ResolversTypes['IntentTableColumn']>, ParentType, ContextType>;
  image?: Resolver<Maybe<ResolversTypes['IntentImage']>, ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['IntentTableRow']>, ParentType, ContextType>;
  subtitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentTableCellResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTableCell'] = ResolversParentTypes['IntentTableCell']> = {
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentTableColumnResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTableColumn'] = ResolversParentTypes['IntentTableColumn']> = {
  header?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  horizontalAlignment?: Resolver<ResolversTypes['IntentHorizontalAlignment'], ParentType, ContextType>;
};

export type IntentTableRowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTableRow'] = ResolversParentTypes['IntentTableRow']> = {
  cells?: Resolver<Array<ResolversTypes['IntentTableCell']>, ParentType, ContextType>;
  dividerAfter?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type IntentTelephonyPlayAudioResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTelephonyPlayAudio'] = ResolversParentTypes['IntentTelephonyPlayAudio']> = {
  audioUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentTelephonySynthesizeSpeechResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTelephonySynthesizeSpeech'] = ResolversParentTypes['IntentTelephonySynthesizeSpeech']> = {
  ssml?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentTelephonyTransferCallResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentTelephonyTransferCall'] = ResolversParentTypes['IntentTelephonyTransferCall']> = {
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type IntentTextResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntentText'] = ResolversParentTypes['IntentText']> = {
  text?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type KnowledgeAnswerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['KnowledgeAnswer'] = ResolversParentTypes['KnowledgeAnswer']> = {
  answer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  faqQuestion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  matchConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  matchConfidenceLevel?: Resolver<ResolversTypes['MatchConfidenceLevel'], ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type KnowledgeAnswersResolvers<ContextType = Context, ParentType extends ResolversParentTypes['KnowledgeAnswers'] = ResolversParentTypes['KnowledgeAnswers']> = {
  answers?: Resolver<Array<ResolversTypes['KnowledgeAnswer']>, ParentType, ContextType>;
};

export type MatchedIntentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MatchedIntent'] = ResolversParentTypes['MatchedIntent']> = {
  displayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endInteraction?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  intent?: Resolver<Maybe<ResolversTypes['Intent']>, ParentType, ContextType>;
  isFallback?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  liveAgentHandoff?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createIntent?: Resolver<Maybe<ResolversTypes['CreateIntentPayload']>, ParentType, ContextType, RequireFields<MutationCreateIntentArgs, 'input'>>;
  deleteAgent?: Resolver<Maybe<ResolversTypes['DeleteAgentPayload']>, ParentType, ContextType, RequireFields<MutationDeleteAgentArgs, 'input'>>;
  deleteContexts?: Resolver<Maybe<ResolversTypes['DeleteContextsPayload']>, ParentType, ContextType, RequireFields<MutationDeleteContextsArgs, 'input'>>;
  deleteIntent?: Resolver<Maybe<ResolversTypes['DeleteIntentPayload']>, ParentType, ContextType, RequireFields<MutationDeleteIntentArgs, 'input'>>;
  detectIntent?: Resolver<Maybe<ResolversTypes['DetectIntentPayload']>, ParentType, ContextType, RequireFields<MutationDetectIntentArgs, 'input'>>;
  exportAgent?: Resolver<Maybe<ResolversTypes['ExportAgentPayload']>, ParentType, ContextType, RequireFields<MutationExportAgentArgs, 'input'>>;
  importAgent?: Resolver<Maybe<ResolversTypes['ImportAgentPayload']>, ParentType, ContextType, RequireFields<MutationImportAgentArgs, 'input'>>;
  setAgent?: Resolver<Maybe<ResolversTypes['SetAgentPayload']>, ParentType, ContextType, RequireFields<MutationSetAgentArgs, 'input'>>;
  updateIntent?: Resolver<Maybe<ResolversTypes['UpdateIntentPayload']>, ParentType, ContextType, RequireFields<MutationUpdateIntentArgs, 'input'>>;
};

export type NodeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Agent' | 'Intent', ParentType, ContextType>;
};

export type OutputAudioConfigResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OutputAudioConfig'] = ResolversParentTypes['OutputAudioConfig']> = {
  audioEncoding?: Resolver<ResolversTypes['OutputAudioEncoding'], ParentType, ContextType>;
  sampleRateHertz?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  synthesizeSpeechConfig?: Resolver<Maybe<ResolversTypes['SynthesizeSpeechConfig']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PronunciationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Pronunciation'] = ResolversParentTypes['Pronunciation']> = {
  phoneticEncoding?: Resolver<ResolversTypes['PhoneticEncoding'], ParentType, ContextType>;
  phrase?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pronunciation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  agent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType, RequireFields<QueryAgentArgs, 'project'>>;
  agentOperation?: Resolver<Maybe<ResolversTypes['AgentOperation']>, ParentType, ContextType, RequireFields<QueryAgentOperationArgs, 'name'>>;
  intent?: Resolver<Maybe<ResolversTypes['Intent']>, ParentType, ContextType, RequireFields<QueryIntentArgs, 'name'>>;
};

export type QueryResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['QueryResult'] = ResolversParentTypes['QueryResult']> = {
  action?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  allRequiredParamsPresent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  cancelsSlotFilling?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  diagnosticInfo?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  fulfillmentMessages?: Resolver<Array<ResolversTypes['IntentMessage']>, ParentType, ContextType>;
  fulfillmentText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  intent?: Resolver<Maybe<ResolversTypes['MatchedIntent']>, ParentType, ContextType>;
  intentDetectionConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  knowledgeAnswers?: Resolver<Maybe<ResolversTypes['KnowledgeAnswers']>, ParentType, ContextType>;
  languageCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  outputContexts?: Resolver<Array<ResolversTypes['AgentContext']>, ParentType, ContextType>;
  parameters?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  queryText?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sentimentAnalysisResult?: Resolver<Maybe<ResolversTypes['SentimentAnalysisResult']>, ParentType, ContextType>;
  speechRecognitionConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  webhookPayload?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  webhookSource?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SentimentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Sentiment'] = ResolversParentTypes['Sentiment']> = {
  magnitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  score?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type SentimentAnalysisResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SentimentAnalysisResult'] = ResolversParentTypes['SentimentAnalysisResult']> = {
  queryTextSentiment?: Resolver<Maybe<ResolversTypes['Sentiment']>, ParentType, ContextType>;
};

export type SetAgentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SetAgentPayload'] = ResolversParentTypes['SetAgentPayload']> = {
  agent?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  agentOperationChanged?: SubscriptionResolver<Maybe<ResolversTypes['AgentOperation']>, "agentOperationChanged", ParentType, ContextType, RequireFields<SubscriptionAgentOperationChangedArgs, 'name'>>;
};

export type SynthesizeSpeechConfigResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SynthesizeSpeechConfig'] = ResolversParentTypes['SynthesizeSpeechConfig']> = {
  effectsProfileId?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  pitch?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  pronunciations?: Resolver<Array<ResolversTypes['Pronunciation']>, ParentType, ContextType>;
  speakingRate?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  voice?: Resolver<Maybe<ResolversTypes['VoiceSelection']>, ParentType, ContextType>;
  volumeGainDb?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type TrainingPhraseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TrainingPhrase'] = ResolversParentTypes['TrainingPhrase']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  parts?: Resolver<Array<ResolversTypes['TrainingPhrasePart']>, ParentType, ContextType>;
  timesAddedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['TrainingPhraseType'], ParentType, ContextType>;
};

export type TrainingPhrasePartResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TrainingPhrasePart'] = ResolversParentTypes['TrainingPhrasePart']> = {
  alias?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entityType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  userDefined?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type UpdateIntentPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UpdateIntentPayload'] = ResolversParentTypes['UpdateIntentPayload']> = {
  intent?: Resolver<ResolversTypes['Intent'], ParentType, ContextType>;
};

export type VoiceSelectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VoiceSelection'] = ResolversParentTypes['VoiceSelection']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ssmlGender?: Resolver<ResolversTypes['SsmlVoiceGender'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  Agent?: AgentResolvers<ContextType>;
  AgentContext?: AgentContextResolvers<ContextType>;
  AgentOperation?: AgentOperationResolvers<ContextType>;
  AgentStatus?: AgentStatusResolvers<ContextType>;
  CreateIntentPayload?: CreateIntentPayloadResolvers<ContextType>;
  DeleteAgentPayload?: DeleteAgentPayloadResolvers<ContextType>;
  DeleteContextsPayload?: DeleteContextsPayloadResolvers<ContextType>;
  DeleteIntentPayload?: DeleteIntentPayloadResolvers<ContextType>;
  DetectIntentPayload?: DetectIntentPayloadResolvers<ContextType>;
  ExportAgentPayload?: ExportAgentPayloadResolvers<ContextType>;
  FollowupIntentInfo?: FollowupIntentInfoResolvers<ContextType>;
  ImportAgentPayload?: ImportAgentPayloadResolvers<ContextType>;
  Intent?: IntentResolvers<ContextType>;
  IntentBasicCard?: IntentBasicCardResolvers<ContextType>;
  IntentBasicCardButton?: IntentBasicCardButtonResolvers<ContextType>;
  IntentBrowseCarouselCard?: IntentBrowseCarouselCardResolvers<ContextType>;
  IntentBrowseCarouselItem?: IntentBrowseCarouselItemResolvers<ContextType>;
  IntentCard?: IntentCardResolvers<ContextType>;
  IntentCardButton?: IntentCardButtonResolvers<ContextType>;
  IntentCarouselSelect?: IntentCarouselSelectResolvers<ContextType>;
  IntentConnection?: IntentConnectionResolvers<ContextType>;
  IntentEdge?: IntentEdgeResolvers<ContextType>;
  IntentImage?: IntentImageResolvers<ContextType>;
  IntentLinkOutSuggestion?: IntentLinkOutSuggestionResolvers<ContextType>;
  IntentListSelect?: IntentListSelectResolvers<ContextType>;
  IntentMediaContent?: IntentMediaContentResolvers<ContextType>;
  IntentMediaObject?: IntentMediaObjectResolvers<ContextType>;
  IntentMessage?: IntentMessageResolvers<ContextType>;
  IntentOpenUri?: IntentOpenUriResolvers<ContextType>;
  IntentOpenUrl?: IntentOpenUrlResolvers<ContextType>;
  IntentParameter?: IntentParameterResolvers<ContextType>;
  IntentQuickReplies?: IntentQuickRepliesResolvers<ContextType>;
  IntentRbmAction?: IntentRbmActionResolvers<ContextType>;
  IntentRbmCardContent?: IntentRbmCardContentResolvers<ContextType>;
  IntentRbmCarouselCard?: IntentRbmCarouselCardResolvers<ContextType>;
  IntentRbmDial?: IntentRbmDialResolvers<ContextType>;
  IntentRbmMedia?: IntentRbmMediaResolvers<ContextType>;
  IntentRbmOpenUrl?: IntentRbmOpenUrlResolvers<ContextType>;
  IntentRbmReply?: IntentRbmReplyResolvers<ContextType>;
  IntentRbmStandaloneCard?: IntentRbmStandaloneCardResolvers<ContextType>;
  IntentRbmSuggestion?: IntentRbmSuggestionResolvers<ContextType>;
  IntentRbmText?: IntentRbmTextResolvers<ContextType>;
  IntentSelectItem?: IntentSelectItemResolvers<ContextType>;
  IntentSelectItemInfo?: IntentSelectItemInfoResolvers<ContextType>;
  IntentSimpleResponse?: IntentSimpleResponseResolvers<ContextType>;
  IntentSimpleResponses?: IntentSimpleResponsesResolvers<ContextType>;
  IntentSuggestion?: IntentSuggestionResolvers<ContextType>;
  IntentSuggestions?: IntentSuggestionsResolvers<ContextType>;
  IntentTableCard?: IntentTableCardResolvers<ContextType>;
  IntentTableCell?: IntentTableCellResolvers<ContextType>;
  IntentTableColumn?: IntentTableColumnResolvers<ContextType>;
  IntentTableRow?: IntentTableRowResolvers<ContextType>;
  IntentTelephonyPlayAudio?: IntentTelephonyPlayAudioResolvers<ContextType>;
  IntentTelephonySynthesizeSpeech?: IntentTelephonySynthesizeSpeechResolvers<ContextType>;
  IntentTelephonyTransferCall?: IntentTelephonyTransferCallResolvers<ContextType>;
  IntentText?: IntentTextResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  KnowledgeAnswer?: KnowledgeAnswerResolvers<ContextType>;
  KnowledgeAnswers?: KnowledgeAnswersResolvers<ContextType>;
  MatchedIntent?: MatchedIntentResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  OutputAudioConfig?: OutputAudioConfigResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Pronunciation?: PronunciationResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  QueryResult?: QueryResultResolvers<ContextType>;
  Sentiment?: SentimentResolvers<ContextType>;
  SentimentAnalysisResult?: SentimentAnalysisResultResolvers<ContextType>;
  SetAgentPayload?: SetAgentPayloadResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  SynthesizeSpeechConfig?: SynthesizeSpeechConfigResolvers<ContextType>;
  TrainingPhrase?: TrainingPhraseResolvers<ContextType>;
  TrainingPhrasePart?: TrainingPhrasePartResolvers<ContextType>;
  UpdateIntentPayload?: UpdateIntentPayloadResolvers<ContextType>;
  VoiceSelection?: VoiceSelectionResolvers<ContextType>;
};

