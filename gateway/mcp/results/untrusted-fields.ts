/**
 * The fields with untrusted text, which was written by strangers: comments, names, titles, descriptions, messages, utterances,
 * annotations. A model may take such text for instructions, so answers have it between marks. A test compares the list
 * with the schema. In other graphs than ours, all text counts as written by strangers.
 */
import { type GraphQLNamedType, isScalarType, isSpecifiedScalarType } from 'graphql'

const textOf: Readonly<Record<string, string>> = {
  Agent: 'displayName description avatarUri',
  AgentContext: 'name contextId parameters',
  AgentOperation: 'response metadata',
  AgentStatus: 'message',
  AnnotationEntity: 'normalizedText',
  Channel: 'title',
  Comment: 'textOriginal textDisplay authorDisplayName authorProfileImageUrl authorChannelUrl',
  ExportAgentPayload: 'agentUri agentContent',
  Intent: 'displayName inputContextNames events action',
  IntentBasicCard: 'title subtitle formattedText',
  IntentBasicCardButton: 'title',
  IntentBrowseCarouselItem: 'title description footer',
  IntentCard: 'title subtitle imageUri',
  IntentCardButton: 'text postback',
  IntentImage: 'imageUri accessibilityText',
  IntentLinkOutSuggestion: 'destinationName uri',
  IntentListSelect: 'title subtitle',
  IntentMediaObject: 'name description contentUrl',
  IntentMessage: 'payload other',
  IntentOpenUri: 'uri',
  IntentOpenUrl: 'url',
  IntentParameter: 'name displayName value defaultValue entityTypeDisplayName prompts',
  IntentQuickReplies: 'title quickReplies',
  IntentRbmAction: 'text postbackData shareLocation',
  IntentRbmCardContent: 'title description',
  IntentRbmDial: 'phoneNumber',
  IntentRbmMedia: 'fileUri thumbnailUri',
  IntentRbmOpenUrl: 'uri',
  IntentRbmReply: 'text postbackData',
  IntentRbmText: 'text',
  IntentSelectItem: 'title description',
  IntentSelectItemInfo: 'key synonyms',
  IntentSimpleResponse: 'textToSpeech ssml displayText',
  IntentSuggestion: 'title',
  IntentTableCard: 'title subtitle',
  IntentTableCell: 'text',
  IntentTableColumn: 'header',
  IntentTelephonyPlayAudio: 'audioUri',
  IntentTelephonySynthesizeSpeech: 'text ssml',
  IntentTelephonyTransferCall: 'phoneNumber',
  IntentText: 'text',
  KnowledgeAnswer: 'source faqQuestion answer',
  MatchedIntent: 'displayName',
  MentionEntity: 'username',
  Message: 'text source article cardUri',
  MessageMedia: 'url previewImageUrl altText',
  MessageNote: 'text',
  MessagePlace: 'fullName name country geo',
  MessagePollOption: 'label',
  MessageTopic: 'name description',
  MessageUser: 'name username description location url profileImageUrl profileBannerUrl',
  MessageUserAffiliation: 'badgeUrl description url',
  MetricsAlert: 'annotation',
  MetricsAlertingRule: 'annotation lastError',
  MetricsAnnotation: 'value',
  MetricsError: 'message',
  MetricsRecordingRule: 'lastError',
  MetricsRule: 'lastError',
  MetricsString: 'value',
  Pronunciation: 'phrase pronunciation',
  QueryResult: 'queryText action parameters fulfillmentText webhookSource webhookPayload diagnosticInfo',
  TagEntity: 'tag',
  TrainingPhrase: 'name',
  TrainingPhrasePart: 'text entityType alias',
  UrlEntity: 'url expandedUrl displayUrl unwoundUrl title description',
  UrlImage: 'url',
  VideoFileAudioStream: 'codec vendor',
  VideoFileDetails: 'fileName container',
  VideoFileVideoStream: 'codec vendor',
  VideoLocalization: 'title description',
  VideoLocalized: 'title description',
  VideoPlayer: 'embedHtml',
  VideoRecordingDetails: 'locationDescription',
  VideoSnippet: 'title description channelTitle tags',
  VideoTagSuggestion: 'tag categoryRestricts',
}

/** Coordinates, such as `Comment.textOriginal`. */
export const untrustedCoordinates: ReadonlySet<string> = new Set(
  Object.entries(textOf).flatMap(([type, fields]) => fields.split(' ').map((field) => `${type}.${field}`)),
)

/** Whether the text of a field was written by strangers. `type`: the named type of the field. */
export type IsUntrusted = (coordinate: string, type: GraphQLNamedType) => boolean

export const untrustedInOurGraph: IsUntrusted = (coordinate) => untrustedCoordinates.has(coordinate)

/** In a graph of which nothing is known: every field that can have any text. */
export const untrustedInAnyGraph: IsUntrusted = (_coordinate, type) =>
  isScalarType(type) && (type.name === 'String' || !isSpecifiedScalarType(type))
