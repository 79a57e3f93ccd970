import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AgentModel, IntentModel, IntentConnectionModel, ExportedModel, ImportedModel, DeletedIntentModel } from './model.ts';
import type { Json } from '../kit/json.ts';
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
  JSON: { input: unknown; output: unknown; }
  _FieldSet: { input: unknown; output: unknown; }
};

export type Agent = Node & {
  apiVersion: Maybe<ApiVersion>;
  avatarUri: Maybe<Scalars['String']['output']>;
  classificationThreshold: Maybe<Scalars['Float']['output']>;
  defaultLanguageCode: Maybe<Scalars['String']['output']>;
  description: Maybe<Scalars['String']['output']>;
  displayName: Maybe<Scalars['String']['output']>;
  enableLogging: Maybe<Scalars['Boolean']['output']>;
  id: Scalars['ID']['output'];
  intents: Maybe<IntentConnection>;
  matchMode: Maybe<MatchMode>;
  parent: Scalars['String']['output'];
  project: Scalars['ID']['output'];
  supportedLanguageCodes: Maybe<Array<Scalars['String']['output']>>;
  tier: Maybe<Tier>;
  timeZone: Maybe<Scalars['String']['output']>;
};


export type AgentIntentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  languageCode?: InputMaybe<Scalars['String']['input']>;
};

export type AgentContext = {
  contextId: Scalars['String']['output'];
  lifespanCount: Scalars['Int']['output'];
  name: Scalars['String']['output'];
  parameters: Maybe<Scalars['JSON']['output']>;
};

export type AgentContextInput = {
  lifespanCount?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
  parameters?: InputMaybe<Scalars['JSON']['input']>;
};

export type AgentOperation = {
  done: Scalars['Boolean']['output'];
  error: Maybe<AgentStatus>;
  metadata: Maybe<Scalars['JSON']['output']>;
  name: Scalars['ID']['output'];
  response: Maybe<Scalars['JSON']['output']>;
};

export type AgentStatus = {
  code: Scalars['Int']['output'];
  message: Maybe<Scalars['String']['output']>;
  status: Scalars['String']['output'];
};

export type ApiVersion =
  | 'API_VERSION_UNSPECIFIED'
  | 'API_VERSION_V1'
  | 'API_VERSION_V2'
  | 'API_VERSION_V2_BETA_1'
  | 'UNRECOGNIZED';

export type AudioEncoding =
  | 'AUDIO_ENCODING_ALAW'
  | 'AUDIO_ENCODING_AMR'
  | 'AUDIO_ENCODING_AMR_WB'
  | 'AUDIO_ENCODING_FLAC'
  | 'AUDIO_ENCODING_LINEAR_16'
  | 'AUDIO_ENCODING_MULAW'
  | 'AUDIO_ENCODING_OGG_OPUS'
  | 'AUDIO_ENCODING_SPEEX_WITH_HEADER_BYTE'
  | 'AUDIO_ENCODING_UNSPECIFIED';

export type BargeInConfigInput = {
  noBargeInDuration?: InputMaybe<Scalars['String']['input']>;
  totalDuration?: InputMaybe<Scalars['String']['input']>;
};

export type CreateIntentInput = {
  action?: InputMaybe<Scalars['String']['input']>;
  defaultResponsePlatforms?: InputMaybe<Array<IntentMessagePlatform>>;
  displayName: Scalars['String']['input'];
  endInteraction?: InputMaybe<Scalars['Boolean']['input']>;
  events?: InputMaybe<Array<Scalars['String']['input']>>;
  inputContextNames?: InputMaybe<Array<Scalars['String']['input']>>;
  isFallback?: InputMaybe<Scalars['Boolean']['input']>;
  languageCode?: InputMaybe<Scalars['String']['input']>;
  liveAgentHandoff?: InputMaybe<Scalars['Boolean']['input']>;
  messages?: InputMaybe<Array<IntentMessageInput>>;
  mlDisabled?: InputMaybe<Scalars['Boolean']['input']>;
  mlEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  outputContexts?: InputMaybe<Array<AgentContextInput>>;
  parameters?: InputMaybe<Array<IntentParameterInput>>;
  parentFollowupIntentName?: InputMaybe<Scalars['ID']['input']>;
  priority?: InputMaybe<Scalars['Int']['input']>;
  project: Scalars['ID']['input'];
  resetContexts?: InputMaybe<Scalars['Boolean']['input']>;
  trainingPhrases?: InputMaybe<Array<TrainingPhraseInput>>;
  webhookState?: InputMaybe<WebhookState>;
};

export type CreateIntentPayload = {
  intent: Intent;
};

export type DeleteAgentInput = {
  project: Scalars['ID']['input'];
};

export type DeleteAgentPayload = {
  deletedAgentId: Scalars['ID']['output'];
  project: Scalars['ID']['output'];
};

export type DeleteContextsInput = {
  environment?: Scalars['ID']['input'];
  project: Scalars['ID']['input'];
  session: Scalars['ID']['input'];
  user?: Scalars['ID']['input'];
};

export type DeleteContextsPayload = {
  session: Scalars['String']['output'];
};

export type DeleteIntentInput = {
  name: Scalars['ID']['input'];
};

export type DeleteIntentPayload = {
  agent: Maybe<Agent>;
  deletedIntentId: Scalars['ID']['output'];
  name: Scalars['ID']['output'];
};

export type DetectIntentInput = {
  environment?: Scalars['ID']['input'];
  inputAudio?: InputMaybe<Scalars['String']['input']>;
  outputAudioConfig?: InputMaybe<OutputAudioConfigInput>;
  outputAudioConfigMask?: InputMaybe<Scalars['String']['input']>;
  project: Scalars['ID']['input'];
  queryInput: QueryInput;
  queryParams?: InputMaybe<QueryParametersInput>;
  session: Scalars['ID']['input'];
  user?: Scalars['ID']['input'];
};

export type DetectIntentPayload = {
  alternativeQueryResults: Array<QueryResult>;
  outputAudio: Maybe<Scalars['String']['output']>;
  outputAudioConfig: Maybe<OutputAudioConfig>;
  queryResult: Maybe<QueryResult>;
  responseId: Maybe<Scalars['String']['output']>;
  webhookStatus: Maybe<AgentStatus>;
};

export type EntityInput = {
  synonyms: Array<Scalars['String']['input']>;
  value: Scalars['String']['input'];
};

export type EntityOverrideMode =
  | 'ENTITY_OVERRIDE_MODE_OVERRIDE'
  | 'ENTITY_OVERRIDE_MODE_SUPPLEMENT'
  | 'ENTITY_OVERRIDE_MODE_UNSPECIFIED';

export type ExportAgentInput = {
  agentUri?: InputMaybe<Scalars['String']['input']>;
  project: Scalars['ID']['input'];
};

export type ExportAgentPayload = {
  agentContent: Maybe<Scalars['String']['output']>;
  agentUri: Maybe<Scalars['String']['output']>;
  operation: AgentOperation;
};

export type FollowupIntentInfo = {
  followupIntentName: Maybe<Scalars['ID']['output']>;
  parentFollowupIntentName: Maybe<Scalars['ID']['output']>;
};

export type GeoLocationInput = {
  latitude: Scalars['Float']['input'];
  longitude: Scalars['Float']['input'];
};

export type ImportAgentInput = {
  agentContent?: InputMaybe<Scalars['String']['input']>;
  agentUri?: InputMaybe<Scalars['String']['input']>;
  project: Scalars['ID']['input'];
};

export type ImportAgentPayload = {
  agent: Maybe<Agent>;
  operation: AgentOperation;
};

export type Intent = Node & {
  action: Maybe<Scalars['String']['output']>;
  agent: Maybe<Agent>;
  defaultResponsePlatforms: Maybe<Array<IntentMessagePlatform>>;
  displayName: Maybe<Scalars['String']['output']>;
  endInteraction: Maybe<Scalars['Boolean']['output']>;
  events: Maybe<Array<Scalars['String']['output']>>;
  followupIntentInfo: Maybe<Array<FollowupIntentInfo>>;
  id: Scalars['ID']['output'];
  inputContextNames: Maybe<Array<Scalars['String']['output']>>;
  isFallback: Maybe<Scalars['Boolean']['output']>;
  liveAgentHandoff: Maybe<Scalars['Boolean']['output']>;
  messages: Maybe<Array<IntentMessage>>;
  mlDisabled: Maybe<Scalars['Boolean']['output']>;
  /** @deprecated Use mlDisabled. */
  mlEnabled: Maybe<Scalars['Boolean']['output']>;
  name: Scalars['ID']['output'];
  outputContexts: Maybe<Array<AgentContext>>;
  parameters: Maybe<Array<IntentParameter>>;
  parentFollowupIntentName: Maybe<Scalars['ID']['output']>;
  priority: Maybe<Scalars['Int']['output']>;
  resetContexts: Maybe<Scalars['Boolean']['output']>;
  rootFollowupIntentName: Maybe<Scalars['ID']['output']>;
  trainingPhrases: Maybe<Array<TrainingPhrase>>;
  webhookState: Maybe<WebhookState>;
};

export type IntentBasicCard = {
  buttons: Array<IntentBasicCardButton>;
  formattedText: Maybe<Scalars['String']['output']>;
  image: Maybe<IntentImage>;
  subtitle: Maybe<Scalars['String']['output']>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentBasicCardButton = {
  openUriAction: Maybe<IntentOpenUri>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentBasicCardButtonInput = {
  openUriAction: IntentOpenUriInput;
  title: Scalars['String']['input'];
};

export type IntentBasicCardInput = {
  buttons?: InputMaybe<Array<IntentBasicCardButtonInput>>;
  formattedText?: InputMaybe<Scalars['String']['input']>;
  image?: InputMaybe<IntentImageInput>;
  subtitle?: InputMaybe<Scalars['String']['input']>;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type IntentBrowseCarouselCard = {
  imageDisplayOptions: IntentImageDisplayOptions;
  items: Array<IntentBrowseCarouselItem>;
};

export type IntentBrowseCarouselCardInput = {
  imageDisplayOptions?: InputMaybe<IntentImageDisplayOptions>;
  items: Array<IntentBrowseCarouselItemInput>;
};

export type IntentBrowseCarouselItem = {
  description: Maybe<Scalars['String']['output']>;
  footer: Maybe<Scalars['String']['output']>;
  image: Maybe<IntentImage>;
  openUriAction: Maybe<IntentOpenUrl>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentBrowseCarouselItemInput = {
  description?: InputMaybe<Scalars['String']['input']>;
  footer?: InputMaybe<Scalars['String']['input']>;
  image?: InputMaybe<IntentImageInput>;
  openUriAction: IntentOpenUrlInput;
  title: Scalars['String']['input'];
};

export type IntentCard = {
  buttons: Array<IntentCardButton>;
  imageUri: Maybe<Scalars['String']['output']>;
  subtitle: Maybe<Scalars['String']['output']>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentCardButton = {
  postback: Maybe<Scalars['String']['output']>;
  text: Maybe<Scalars['String']['output']>;
};

export type IntentCardButtonInput = {
  postback?: InputMaybe<Scalars['String']['input']>;
  text?: InputMaybe<Scalars['String']['input']>;
};

export type IntentCardInput = {
  buttons?: InputMaybe<Array<IntentCardButtonInput>>;
  imageUri?: InputMaybe<Scalars['String']['input']>;
  subtitle?: InputMaybe<Scalars['String']['input']>;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type IntentCarouselSelect = {
  items: Array<IntentSelectItem>;
};

export type IntentCarouselSelectInput = {
  items: Array<IntentSelectItemInput>;
};

export type IntentConnection = {
  edges: Array<IntentEdge>;
  nodes: Array<Intent>;
  pageInfo: PageInfo;
  totalCount: Maybe<Scalars['Int']['output']>;
};

export type IntentEdge = {
  cursor: Scalars['String']['output'];
  node: Intent;
};

export type IntentHorizontalAlignment =
  | 'CENTER'
  | 'HORIZONTAL_ALIGNMENT_UNSPECIFIED'
  | 'LEADING'
  | 'TRAILING'
  | 'UNRECOGNIZED';

export type IntentImage = {
  accessibilityText: Maybe<Scalars['String']['output']>;
  imageUri: Maybe<Scalars['String']['output']>;
};

export type IntentImageDisplayOptions =
  | 'BLURRED_BACKGROUND'
  | 'CROPPED'
  | 'GRAY'
  | 'IMAGE_DISPLAY_OPTIONS_UNSPECIFIED'
  | 'UNRECOGNIZED'
  | 'WHITE';

export type IntentImageInput = {
  accessibilityText?: InputMaybe<Scalars['String']['input']>;
  imageUri?: InputMaybe<Scalars['String']['input']>;
};

export type IntentLinkOutSuggestion = {
  destinationName: Maybe<Scalars['String']['output']>;
  uri: Maybe<Scalars['String']['output']>;
};

export type IntentLinkOutSuggestionInput = {
  destinationName: Scalars['String']['input'];
  uri: Scalars['String']['input'];
};

export type IntentListSelect = {
  items: Array<IntentSelectItem>;
  subtitle: Maybe<Scalars['String']['output']>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentListSelectInput = {
  items: Array<IntentSelectItemInput>;
  subtitle?: InputMaybe<Scalars['String']['input']>;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type IntentMediaContent = {
  mediaObjects: Array<IntentMediaObject>;
  mediaType: IntentMediaType;
};

export type IntentMediaContentInput = {
  mediaObjects: Array<IntentMediaObjectInput>;
  mediaType?: InputMaybe<IntentMediaType>;
};

export type IntentMediaObject = {
  contentUrl: Maybe<Scalars['String']['output']>;
  description: Maybe<Scalars['String']['output']>;
  icon: Maybe<IntentImage>;
  largeImage: Maybe<IntentImage>;
  name: Maybe<Scalars['String']['output']>;
};

export type IntentMediaObjectInput = {
  contentUrl: Scalars['String']['input'];
  description?: InputMaybe<Scalars['String']['input']>;
  icon?: InputMaybe<IntentImageInput>;
  largeImage?: InputMaybe<IntentImageInput>;
  name: Scalars['String']['input'];
};

export type IntentMediaType =
  | 'AUDIO'
  | 'RESPONSE_MEDIA_TYPE_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type IntentMessage = {
  basicCard: Maybe<IntentBasicCard>;
  browseCarouselCard: Maybe<IntentBrowseCarouselCard>;
  card: Maybe<IntentCard>;
  carouselSelect: Maybe<IntentCarouselSelect>;
  image: Maybe<IntentImage>;
  linkOutSuggestion: Maybe<IntentLinkOutSuggestion>;
  listSelect: Maybe<IntentListSelect>;
  mediaContent: Maybe<IntentMediaContent>;
  other: Maybe<Scalars['JSON']['output']>;
  payload: Maybe<Scalars['JSON']['output']>;
  platform: IntentMessagePlatform;
  quickReplies: Maybe<IntentQuickReplies>;
  rbmCarouselRichCard: Maybe<IntentRbmCarouselCard>;
  rbmStandaloneRichCard: Maybe<IntentRbmStandaloneCard>;
  rbmText: Maybe<IntentRbmText>;
  simpleResponses: Maybe<IntentSimpleResponses>;
  suggestions: Maybe<IntentSuggestions>;
  tableCard: Maybe<IntentTableCard>;
  telephonyPlayAudio: Maybe<IntentTelephonyPlayAudio>;
  telephonySynthesizeSpeech: Maybe<IntentTelephonySynthesizeSpeech>;
  telephonyTransferCall: Maybe<IntentTelephonyTransferCall>;
  text: Maybe<IntentText>;
};

export type IntentMessageInput = {
  basicCard?: InputMaybe<IntentBasicCardInput>;
  browseCarouselCard?: InputMaybe<IntentBrowseCarouselCardInput>;
  card?: InputMaybe<IntentCardInput>;
  carouselSelect?: InputMaybe<IntentCarouselSelectInput>;
  image?: InputMaybe<IntentImageInput>;
  linkOutSuggestion?: InputMaybe<IntentLinkOutSuggestionInput>;
  listSelect?: InputMaybe<IntentListSelectInput>;
  mediaContent?: InputMaybe<IntentMediaContentInput>;
  payload?: InputMaybe<Scalars['JSON']['input']>;
  platform?: InputMaybe<IntentMessagePlatform>;
  quickReplies?: InputMaybe<IntentQuickRepliesInput>;
  rbmCarouselRichCard?: InputMaybe<IntentRbmCarouselCardInput>;
  rbmStandaloneRichCard?: InputMaybe<IntentRbmStandaloneCardInput>;
  rbmText?: InputMaybe<IntentRbmTextInput>;
  simpleResponses?: InputMaybe<IntentSimpleResponsesInput>;
  suggestions?: InputMaybe<IntentSuggestionsInput>;
  tableCard?: InputMaybe<IntentTableCardInput>;
  telephonyPlayAudio?: InputMaybe<IntentTelephonyPlayAudioInput>;
  telephonySynthesizeSpeech?: InputMaybe<IntentTelephonySynthesizeSpeechInput>;
  telephonyTransferCall?: InputMaybe<IntentTelephonyTransferCallInput>;
  text?: InputMaybe<IntentTextInput>;
};

export type IntentMessagePlatform =
  | 'ACTIONS_ON_GOOGLE'
  | 'FACEBOOK'
  | 'GOOGLE_HANGOUTS'
  | 'KIK'
  | 'LINE'
  | 'PLATFORM_UNSPECIFIED'
  | 'SKYPE'
  | 'SLACK'
  | 'TELEGRAM'
  | 'TELEPHONY'
  | 'UNRECOGNIZED'
  | 'VIBER';

export type IntentOpenUri = {
  uri: Maybe<Scalars['String']['output']>;
};

export type IntentOpenUriInput = {
  uri: Scalars['String']['input'];
};

export type IntentOpenUrl = {
  url: Maybe<Scalars['String']['output']>;
  urlTypeHint: IntentUrlTypeHint;
};

export type IntentOpenUrlInput = {
  url: Scalars['String']['input'];
  urlTypeHint?: InputMaybe<IntentUrlTypeHint>;
};

export type IntentParameter = {
  defaultValue: Maybe<Scalars['String']['output']>;
  displayName: Maybe<Scalars['String']['output']>;
  entityTypeDisplayName: Maybe<Scalars['String']['output']>;
  isList: Scalars['Boolean']['output'];
  mandatory: Scalars['Boolean']['output'];
  name: Maybe<Scalars['String']['output']>;
  prompts: Array<Scalars['String']['output']>;
  value: Maybe<Scalars['String']['output']>;
};

export type IntentParameterInput = {
  defaultValue?: InputMaybe<Scalars['String']['input']>;
  displayName: Scalars['String']['input'];
  entityTypeDisplayName?: InputMaybe<Scalars['String']['input']>;
  isList?: InputMaybe<Scalars['Boolean']['input']>;
  mandatory?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  prompts?: InputMaybe<Array<Scalars['String']['input']>>;
  value?: InputMaybe<Scalars['String']['input']>;
};

export type IntentQuickReplies = {
  quickReplies: Array<Scalars['String']['output']>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentQuickRepliesInput = {
  quickReplies: Array<Scalars['String']['input']>;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type IntentRbmAction = {
  dial: Maybe<IntentRbmDial>;
  openUrl: Maybe<IntentRbmOpenUrl>;
  postbackData: Maybe<Scalars['String']['output']>;
  shareLocation: Maybe<Scalars['JSON']['output']>;
  text: Maybe<Scalars['String']['output']>;
};

export type IntentRbmActionInput = {
  dial?: InputMaybe<IntentRbmDialInput>;
  openUrl?: InputMaybe<IntentRbmOpenUrlInput>;
  postbackData?: InputMaybe<Scalars['String']['input']>;
  shareLocation?: InputMaybe<Scalars['JSON']['input']>;
  text?: InputMaybe<Scalars['String']['input']>;
};

export type IntentRbmCardContent = {
  description: Maybe<Scalars['String']['output']>;
  media: Maybe<IntentRbmMedia>;
  suggestions: Array<IntentRbmSuggestion>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentRbmCardContentInput = {
  description?: InputMaybe<Scalars['String']['input']>;
  media?: InputMaybe<IntentRbmMediaInput>;
  suggestions?: InputMaybe<Array<IntentRbmSuggestionInput>>;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type IntentRbmCardOrientation =
  | 'CARD_ORIENTATION_UNSPECIFIED'
  | 'HORIZONTAL'
  | 'UNRECOGNIZED'
  | 'VERTICAL';

export type IntentRbmCardWidth =
  | 'CARD_WIDTH_UNSPECIFIED'
  | 'MEDIUM'
  | 'SMALL'
  | 'UNRECOGNIZED';

export type IntentRbmCarouselCard = {
  cardContents: Array<IntentRbmCardContent>;
  cardWidth: IntentRbmCardWidth;
};

export type IntentRbmCarouselCardInput = {
  cardContents: Array<IntentRbmCardContentInput>;
  cardWidth?: InputMaybe<IntentRbmCardWidth>;
};

export type IntentRbmDial = {
  phoneNumber: Maybe<Scalars['String']['output']>;
};

export type IntentRbmDialInput = {
  phoneNumber: Scalars['String']['input'];
};

export type IntentRbmMedia = {
  fileUri: Maybe<Scalars['String']['output']>;
  height: IntentRbmMediaHeight;
  thumbnailUri: Maybe<Scalars['String']['output']>;
};

export type IntentRbmMediaHeight =
  | 'HEIGHT_UNSPECIFIED'
  | 'MEDIUM'
  | 'SHORT'
  | 'TALL'
  | 'UNRECOGNIZED';

export type IntentRbmMediaInput = {
  fileUri: Scalars['String']['input'];
  height?: InputMaybe<IntentRbmMediaHeight>;
  thumbnailUri?: InputMaybe<Scalars['String']['input']>;
};

export type IntentRbmOpenUrl = {
  uri: Maybe<Scalars['String']['output']>;
};

export type IntentRbmOpenUrlInput = {
  uri: Scalars['String']['input'];
};

export type IntentRbmReply = {
  postbackData: Maybe<Scalars['String']['output']>;
  text: Maybe<Scalars['String']['output']>;
};

export type IntentRbmReplyInput = {
  postbackData?: InputMaybe<Scalars['String']['input']>;
  text?: InputMaybe<Scalars['String']['input']>;
};

export type IntentRbmStandaloneCard = {
  cardContent: Maybe<IntentRbmCardContent>;
  cardOrientation: IntentRbmCardOrientation;
  thumbnailImageAlignment: IntentRbmThumbnailImageAlignment;
};

export type IntentRbmStandaloneCardInput = {
  cardContent?: InputMaybe<IntentRbmCardContentInput>;
  cardOrientation?: InputMaybe<IntentRbmCardOrientation>;
  thumbnailImageAlignment?: InputMaybe<IntentRbmThumbnailImageAlignment>;
};

export type IntentRbmSuggestion = {
  action: Maybe<IntentRbmAction>;
  reply: Maybe<IntentRbmReply>;
};

export type IntentRbmSuggestionInput = {
  action?: InputMaybe<IntentRbmActionInput>;
  reply?: InputMaybe<IntentRbmReplyInput>;
};

export type IntentRbmText = {
  rbmSuggestion: Array<IntentRbmSuggestion>;
  text: Maybe<Scalars['String']['output']>;
};

export type IntentRbmTextInput = {
  rbmSuggestion?: InputMaybe<Array<IntentRbmSuggestionInput>>;
  text: Scalars['String']['input'];
};

export type IntentRbmThumbnailImageAlignment =
  | 'LEFT'
  | 'RIGHT'
  | 'THUMBNAIL_IMAGE_ALIGNMENT_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type IntentSelectItem = {
  description: Maybe<Scalars['String']['output']>;
  image: Maybe<IntentImage>;
  info: Maybe<IntentSelectItemInfo>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentSelectItemInfo = {
  key: Maybe<Scalars['String']['output']>;
  synonyms: Array<Scalars['String']['output']>;
};

export type IntentSelectItemInfoInput = {
  key: Scalars['String']['input'];
  synonyms?: InputMaybe<Array<Scalars['String']['input']>>;
};

export type IntentSelectItemInput = {
  description?: InputMaybe<Scalars['String']['input']>;
  image?: InputMaybe<IntentImageInput>;
  info: IntentSelectItemInfoInput;
  title: Scalars['String']['input'];
};

export type IntentSimpleResponse = {
  displayText: Maybe<Scalars['String']['output']>;
  ssml: Maybe<Scalars['String']['output']>;
  textToSpeech: Maybe<Scalars['String']['output']>;
};

export type IntentSimpleResponseInput = {
  displayText?: InputMaybe<Scalars['String']['input']>;
  ssml?: InputMaybe<Scalars['String']['input']>;
  textToSpeech?: InputMaybe<Scalars['String']['input']>;
};

export type IntentSimpleResponses = {
  simpleResponses: Array<IntentSimpleResponse>;
};

export type IntentSimpleResponsesInput = {
  simpleResponses: Array<IntentSimpleResponseInput>;
};

export type IntentSuggestion = {
  title: Maybe<Scalars['String']['output']>;
};

export type IntentSuggestionInput = {
  title: Scalars['String']['input'];
};

export type IntentSuggestions = {
  suggestions: Array<IntentSuggestion>;
};

export type IntentSuggestionsInput = {
  suggestions: Array<IntentSuggestionInput>;
};

export type IntentTableCard = {
  buttons: Array<IntentBasicCardButton>;
  columnProperties: Array<IntentTableColumn>;
  image: Maybe<IntentImage>;
  rows: Array<IntentTableRow>;
  subtitle: Maybe<Scalars['String']['output']>;
  title: Maybe<Scalars['String']['output']>;
};

export type IntentTableCardInput = {
  buttons?: InputMaybe<Array<IntentBasicCardButtonInput>>;
  columnProperties?: InputMaybe<Array<IntentTableColumnInput>>;
  image?: InputMaybe<IntentImageInput>;
  rows?: InputMaybe<Array<IntentTableRowInput>>;
  subtitle?: InputMaybe<Scalars['String']['input']>;
  title: Scalars['String']['input'];
};

export type IntentTableCell = {
  text: Maybe<Scalars['String']['output']>;
};

export type IntentTableCellInput = {
  text: Scalars['String']['input'];
};

export type IntentTableColumn = {
  header: Maybe<Scalars['String']['output']>;
  horizontalAlignment: IntentHorizontalAlignment;
};

export type IntentTableColumnInput = {
  header: Scalars['String']['input'];
  horizontalAlignment?: InputMaybe<IntentHorizontalAlignment>;
};

export type IntentTableRow = {
  cells: Array<IntentTableCell>;
  dividerAfter: Scalars['Boolean']['output'];
};

export type IntentTableRowInput = {
  cells?: InputMaybe<Array<IntentTableCellInput>>;
  dividerAfter?: InputMaybe<Scalars['Boolean']['input']>;
};

export type IntentTelephonyPlayAudio = {
  audioUri: Maybe<Scalars['String']['output']>;
};

export type IntentTelephonyPlayAudioInput = {
  audioUri: Scalars['String']['input'];
};

export type IntentTelephonySynthesizeSpeech = {
  ssml: Maybe<Scalars['String']['output']>;
  text: Maybe<Scalars['String']['output']>;
};

export type IntentTelephonySynthesizeSpeechInput = {
  ssml?: InputMaybe<Scalars['String']['input']>;
  text?: InputMaybe<Scalars['String']['input']>;
};

export type IntentTelephonyTransferCall = {
  phoneNumber: Maybe<Scalars['String']['output']>;
};

export type IntentTelephonyTransferCallInput = {
  phoneNumber: Scalars['String']['input'];
};

export type IntentText = {
  text: Array<Scalars['String']['output']>;
};

export type IntentTextInput = {
  text: Array<Scalars['String']['input']>;
};

export type IntentUrlTypeHint =
  | 'AMP_ACTION'
  | 'AMP_CONTENT'
  | 'UNRECOGNIZED'
  | 'URL_TYPE_HINT_UNSPECIFIED';

export type KnowledgeAnswer = {
  answer: Maybe<Scalars['String']['output']>;
  faqQuestion: Maybe<Scalars['String']['output']>;
  matchConfidence: Maybe<Scalars['Float']['output']>;
  matchConfidenceLevel: MatchConfidenceLevel;
  source: Maybe<Scalars['String']['output']>;
};

export type KnowledgeAnswers = {
  answers: Array<KnowledgeAnswer>;
};

export type MatchConfidenceLevel =
  | 'HIGH'
  | 'LOW'
  | 'MATCH_CONFIDENCE_LEVEL_UNSPECIFIED'
  | 'MEDIUM'
  | 'UNRECOGNIZED';

export type MatchMode =
  | 'MATCH_MODE_HYBRID'
  | 'MATCH_MODE_ML_ONLY'
  | 'MATCH_MODE_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type MatchedIntent = {
  displayName: Maybe<Scalars['String']['output']>;
  endInteraction: Scalars['Boolean']['output'];
  intent: Maybe<Intent>;
  isFallback: Scalars['Boolean']['output'];
  liveAgentHandoff: Scalars['Boolean']['output'];
  name: Scalars['ID']['output'];
};

export type Mutation = {
  createIntent: Maybe<CreateIntentPayload>;
  deleteAgent: Maybe<DeleteAgentPayload>;
  deleteContexts: Maybe<DeleteContextsPayload>;
  deleteIntent: Maybe<DeleteIntentPayload>;
  detectIntent: Maybe<DetectIntentPayload>;
  exportAgent: Maybe<ExportAgentPayload>;
  importAgent: Maybe<ImportAgentPayload>;
  setAgent: Maybe<SetAgentPayload>;
  updateIntent: Maybe<UpdateIntentPayload>;
};


export type MutationCreateIntentArgs = {
  input: CreateIntentInput;
};


export type MutationDeleteAgentArgs = {
  input: DeleteAgentInput;
};


export type MutationDeleteContextsArgs = {
  input: DeleteContextsInput;
};


export type MutationDeleteIntentArgs = {
  input: DeleteIntentInput;
};


export type MutationDetectIntentArgs = {
  input: DetectIntentInput;
};


export type MutationExportAgentArgs = {
  input: ExportAgentInput;
};


export type MutationImportAgentArgs = {
  input: ImportAgentInput;
};


export type MutationSetAgentArgs = {
  input: SetAgentInput;
};


export type MutationUpdateIntentArgs = {
  input: UpdateIntentInput;
};

export type Node = {
  id: Scalars['ID']['output'];
};

export type OutputAudioConfig = {
  audioEncoding: OutputAudioEncoding;
  sampleRateHertz: Scalars['Int']['output'];
  synthesizeSpeechConfig: Maybe<SynthesizeSpeechConfig>;
};

export type OutputAudioConfigInput = {
  audioEncoding: OutputAudioEncoding;
  sampleRateHertz?: InputMaybe<Scalars['Int']['input']>;
  synthesizeSpeechConfig?: InputMaybe<SynthesizeSpeechConfigInput>;
};

export type OutputAudioEncoding =
  | 'OUTPUT_AUDIO_ENCODING_ALAW'
  | 'OUTPUT_AUDIO_ENCODING_LINEAR_16'
  | 'OUTPUT_AUDIO_ENCODING_MP3'
  | 'OUTPUT_AUDIO_ENCODING_MP3_64_KBPS'
  | 'OUTPUT_AUDIO_ENCODING_MULAW'
  | 'OUTPUT_AUDIO_ENCODING_OGG_OPUS'
  | 'OUTPUT_AUDIO_ENCODING_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type PageInfo = {
  endCursor: Maybe<Scalars['String']['output']>;
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor: Maybe<Scalars['String']['output']>;
};

export type PhoneticEncoding =
  | 'PHONETIC_ENCODING_IPA'
  | 'PHONETIC_ENCODING_UNSPECIFIED'
  | 'PHONETIC_ENCODING_X_SAMPA'
  | 'UNRECOGNIZED';

export type Pronunciation = {
  phoneticEncoding: PhoneticEncoding;
  phrase: Maybe<Scalars['String']['output']>;
  pronunciation: Maybe<Scalars['String']['output']>;
};

export type PronunciationInput = {
  phoneticEncoding: PhoneticEncoding;
  phrase: Scalars['String']['input'];
  pronunciation: Scalars['String']['input'];
};

export type Query = {
  agent: Maybe<Agent>;
  agentOperation: Maybe<AgentOperation>;
  intent: Maybe<Intent>;
};


export type QueryAgentArgs = {
  project: Scalars['ID']['input'];
};


export type QueryAgentOperationArgs = {
  name: Scalars['ID']['input'];
};


export type QueryIntentArgs = {
  languageCode?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['ID']['input'];
};

export type QueryAudioInput = {
  audioEncoding: AudioEncoding;
  bargeInConfig?: InputMaybe<BargeInConfigInput>;
  defaultNoSpeechTimeout?: InputMaybe<Scalars['String']['input']>;
  disableNoSpeechRecognizedEvent?: InputMaybe<Scalars['Boolean']['input']>;
  enableAutomaticPunctuation?: InputMaybe<Scalars['Boolean']['input']>;
  enableVoiceActivityEvents?: InputMaybe<Scalars['Boolean']['input']>;
  enableWordInfo?: InputMaybe<Scalars['Boolean']['input']>;
  languageCode: Scalars['String']['input'];
  model?: InputMaybe<Scalars['String']['input']>;
  modelVariant?: InputMaybe<SpeechModelVariant>;
  optOutConformerModelMigration?: InputMaybe<Scalars['Boolean']['input']>;
  phraseHints?: InputMaybe<Array<Scalars['String']['input']>>;
  phraseSets?: InputMaybe<Array<Scalars['String']['input']>>;
  sampleRateHertz: Scalars['Int']['input'];
  singleUtterance?: InputMaybe<Scalars['Boolean']['input']>;
  speechContexts?: InputMaybe<Array<SpeechContextInput>>;
};

export type QueryDtmfInput = {
  dtmfEvents: Array<TelephonyDtmf>;
};

export type QueryEventInput = {
  languageCode?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
  parameters?: InputMaybe<Scalars['JSON']['input']>;
};

export type QueryInput = {
  audioConfig?: InputMaybe<QueryAudioInput>;
  dtmf?: InputMaybe<QueryDtmfInput>;
  event?: InputMaybe<QueryEventInput>;
  text?: InputMaybe<QueryTextInput>;
};

export type QueryParametersInput = {
  contexts?: InputMaybe<Array<AgentContextInput>>;
  geoLocation?: InputMaybe<GeoLocationInput>;
  knowledgeBaseNames?: InputMaybe<Array<Scalars['String']['input']>>;
  payload?: InputMaybe<Scalars['JSON']['input']>;
  platform?: InputMaybe<Scalars['String']['input']>;
  resetContexts?: InputMaybe<Scalars['Boolean']['input']>;
  sentimentAnalysisRequestConfig?: InputMaybe<SentimentAnalysisRequestConfigInput>;
  sessionEntityTypes?: InputMaybe<Array<SessionEntityTypeInput>>;
  subAgents?: InputMaybe<Array<SubAgentInput>>;
  timeZone?: InputMaybe<Scalars['String']['input']>;
  webhookHeaders?: InputMaybe<Array<WebhookHeaderInput>>;
};

export type QueryResult = {
  action: Maybe<Scalars['String']['output']>;
  allRequiredParamsPresent: Scalars['Boolean']['output'];
  cancelsSlotFilling: Scalars['Boolean']['output'];
  diagnosticInfo: Maybe<Scalars['JSON']['output']>;
  fulfillmentMessages: Array<IntentMessage>;
  fulfillmentText: Maybe<Scalars['String']['output']>;
  intent: Maybe<MatchedIntent>;
  intentDetectionConfidence: Maybe<Scalars['Float']['output']>;
  knowledgeAnswers: Maybe<KnowledgeAnswers>;
  languageCode: Maybe<Scalars['String']['output']>;
  outputContexts: Array<AgentContext>;
  parameters: Maybe<Scalars['JSON']['output']>;
  queryText: Maybe<Scalars['String']['output']>;
  sentimentAnalysisResult: Maybe<SentimentAnalysisResult>;
  speechRecognitionConfidence: Maybe<Scalars['Float']['output']>;
  webhookPayload: Maybe<Scalars['JSON']['output']>;
  webhookSource: Maybe<Scalars['String']['output']>;
};

export type QueryTextInput = {
  languageCode: Scalars['String']['input'];
  text: Scalars['String']['input'];
};

export type Sentiment = {
  magnitude: Maybe<Scalars['Float']['output']>;
  score: Maybe<Scalars['Float']['output']>;
};

export type SentimentAnalysisRequestConfigInput = {
  analyzeQueryTextSentiment: Scalars['Boolean']['input'];
};

export type SentimentAnalysisResult = {
  queryTextSentiment: Maybe<Sentiment>;
};

export type SessionEntityTypeInput = {
  entities: Array<EntityInput>;
  entityOverrideMode: EntityOverrideMode;
  name: Scalars['String']['input'];
};

export type SetAgentInput = {
  apiVersion?: InputMaybe<ApiVersion>;
  avatarUri?: InputMaybe<Scalars['String']['input']>;
  classificationThreshold?: InputMaybe<Scalars['Float']['input']>;
  defaultLanguageCode?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  displayName?: InputMaybe<Scalars['String']['input']>;
  enableLogging?: InputMaybe<Scalars['Boolean']['input']>;
  matchMode?: InputMaybe<MatchMode>;
  project: Scalars['ID']['input'];
  supportedLanguageCodes?: InputMaybe<Array<Scalars['String']['input']>>;
  tier?: InputMaybe<Tier>;
  timeZone?: InputMaybe<Scalars['String']['input']>;
  updateMask?: InputMaybe<Array<Scalars['String']['input']>>;
};

export type SetAgentPayload = {
  agent: Agent;
};

export type SpeechContextInput = {
  boost?: InputMaybe<Scalars['Float']['input']>;
  phrases: Array<Scalars['String']['input']>;
};

export type SpeechModelVariant =
  | 'SPEECH_MODEL_VARIANT_UNSPECIFIED'
  | 'USE_BEST_AVAILABLE'
  | 'USE_ENHANCED'
  | 'USE_STANDARD';

export type SsmlVoiceGender =
  | 'SSML_VOICE_GENDER_FEMALE'
  | 'SSML_VOICE_GENDER_MALE'
  | 'SSML_VOICE_GENDER_NEUTRAL'
  | 'SSML_VOICE_GENDER_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type SubAgentInput = {
  environment?: InputMaybe<Scalars['String']['input']>;
  project: Scalars['ID']['input'];
};

export type Subscription = {
  agentOperationChanged: Maybe<AgentOperation>;
};


export type SubscriptionAgentOperationChangedArgs = {
  name: Scalars['ID']['input'];
};

export type SynthesizeSpeechConfig = {
  effectsProfileId: Array<Scalars['String']['output']>;
  pitch: Maybe<Scalars['Float']['output']>;
  pronunciations: Array<Pronunciation>;
  speakingRate: Maybe<Scalars['Float']['output']>;
  voice: Maybe<VoiceSelection>;
  volumeGainDb: Maybe<Scalars['Float']['output']>;
};

export type SynthesizeSpeechConfigInput = {
  effectsProfileId?: InputMaybe<Array<Scalars['String']['input']>>;
  pitch?: InputMaybe<Scalars['Float']['input']>;
  pronunciations?: InputMaybe<Array<PronunciationInput>>;
  speakingRate?: InputMaybe<Scalars['Float']['input']>;
  voice?: InputMaybe<VoiceSelectionInput>;
  volumeGainDb?: InputMaybe<Scalars['Float']['input']>;
};

export type TelephonyDtmf =
  | 'DTMF_A'
  | 'DTMF_B'
  | 'DTMF_C'
  | 'DTMF_D'
  | 'DTMF_EIGHT'
  | 'DTMF_FIVE'
  | 'DTMF_FOUR'
  | 'DTMF_NINE'
  | 'DTMF_ONE'
  | 'DTMF_POUND'
  | 'DTMF_SEVEN'
  | 'DTMF_SIX'
  | 'DTMF_STAR'
  | 'DTMF_THREE'
  | 'DTMF_TWO'
  | 'DTMF_ZERO'
  | 'TELEPHONY_DTMF_UNSPECIFIED';

export type Tier =
  | 'TIER_ENTERPRISE'
  | 'TIER_ENTERPRISE_PLUS'
  | 'TIER_STANDARD'
  | 'TIER_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type TrainingPhrase = {
  name: Maybe<Scalars['String']['output']>;
  parts: Array<TrainingPhrasePart>;
  timesAddedCount: Scalars['Int']['output'];
  type: TrainingPhraseType;
};

export type TrainingPhraseInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  parts: Array<TrainingPhrasePartInput>;
  timesAddedCount?: InputMaybe<Scalars['Int']['input']>;
  type: TrainingPhraseType;
};

export type TrainingPhrasePart = {
  alias: Maybe<Scalars['String']['output']>;
  entityType: Maybe<Scalars['String']['output']>;
  text: Scalars['String']['output'];
  userDefined: Scalars['Boolean']['output'];
};

export type TrainingPhrasePartInput = {
  alias?: InputMaybe<Scalars['String']['input']>;
  entityType?: InputMaybe<Scalars['String']['input']>;
  text: Scalars['String']['input'];
  userDefined?: InputMaybe<Scalars['Boolean']['input']>;
};

export type TrainingPhraseType =
  | 'EXAMPLE'
  | 'TEMPLATE'
  | 'TYPE_UNSPECIFIED'
  | 'UNRECOGNIZED';

export type UpdateIntentInput = {
  action?: InputMaybe<Scalars['String']['input']>;
  defaultResponsePlatforms?: InputMaybe<Array<IntentMessagePlatform>>;
  displayName?: InputMaybe<Scalars['String']['input']>;
  endInteraction?: InputMaybe<Scalars['Boolean']['input']>;
  events?: InputMaybe<Array<Scalars['String']['input']>>;
  inputContextNames?: InputMaybe<Array<Scalars['String']['input']>>;
  isFallback?: InputMaybe<Scalars['Boolean']['input']>;
  languageCode?: InputMaybe<Scalars['String']['input']>;
  liveAgentHandoff?: InputMaybe<Scalars['Boolean']['input']>;
  messages?: InputMaybe<Array<IntentMessageInput>>;
  mlDisabled?: InputMaybe<Scalars['Boolean']['input']>;
  mlEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  name: Scalars['ID']['input'];
  outputContexts?: InputMaybe<Array<AgentContextInput>>;
  parameters?: InputMaybe<Array<IntentParameterInput>>;
  priority?: InputMaybe<Scalars['Int']['input']>;
  resetContexts?: InputMaybe<Scalars['Boolean']['input']>;
  trainingPhrases?: InputMaybe<Array<TrainingPhraseInput>>;
  updateMask?: InputMaybe<Array<Scalars['String']['input']>>;
  webhookState?: InputMaybe<WebhookState>;
};

export type UpdateIntentPayload = {
  intent: Intent;
};

export type VoiceSelection = {
  name: Maybe<Scalars['String']['output']>;
  ssmlGender: SsmlVoiceGender;
};

export type VoiceSelectionInput = {
  name?: InputMaybe<Scalars['String']['input']>;
  ssmlGender?: InputMaybe<SsmlVoiceGender>;
};

export type WebhookHeaderInput = {
  name: Scalars['String']['input'];
  value: Scalars['String']['input'];
};

export type WebhookState =
  | 'UNRECOGNIZED'
  | 'WEBHOOK_STATE_ENABLED'
  | 'WEBHOOK_STATE_ENABLED_FOR_SLOT_FILLING'
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

