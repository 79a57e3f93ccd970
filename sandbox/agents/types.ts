/**
 * The messages that the eleven operations of the agent service use: one on each line, with the name and the type of
 * each field. `[]` marks a repeated field, and `|name` the `oneof` of a field. `proto.ts` reads this.
 */
export const messageDefinitions = `
Agent: parent string, displayName string, defaultLanguageCode string, supportedLanguageCodes string[], timeZone string, description string, avatarUri string, enableLogging bool, matchMode MatchMode, classificationThreshold float, apiVersion ApiVersion, tier Tier
ExportAgentRequest: parent string, agentUri string
ImportAgentRequest: parent string, agentUri string |agent, agentContent bytes |agent
Intent: name string, displayName string, webhookState WebhookState, priority int32, isFallback bool, mlEnabled bool, mlDisabled bool, liveAgentHandoff bool, endInteraction bool, inputContextNames string[], events string[], trainingPhrases TrainingPhrase[], action string, outputContexts Context[], resetContexts bool, parameters Parameter[], messages Message[], defaultResponsePlatforms Platform[], rootFollowupIntentName string, parentFollowupIntentName string, followupIntentInfo FollowupIntentInfo[]
FollowupIntentInfo: followupIntentName string, parentFollowupIntentName string
TrainingPhrase: name string, type TrainingPhraseType, parts Part[], timesAddedCount int32
Part: text string, entityType string, alias string, userDefined bool
Parameter: name string, displayName string, value string, defaultValue string, entityTypeDisplayName string, mandatory bool, prompts string[], isList bool
Context: name string, lifespanCount int32, parameters struct
Message: platform Platform, text Text |message, image Image |message, quickReplies QuickReplies |message, card Card |message, payload struct |message, simpleResponses SimpleResponses |message, basicCard BasicCard |message, suggestions Suggestions |message, linkOutSuggestion LinkOutSuggestion |message, listSelect ListSelect |message, carouselSelect CarouselSelect |message, telephonyPlayAudio TelephonyPlayAudio |message, telephonySynthesizeSpeech TelephonySynthesizeSpeech |message, telephonyTransferCall TelephonyTransferCall |message, rbmText RbmText |message, rbmStandaloneRichCard RbmStandaloneCard |message, rbmCarouselRichCard RbmCarouselCard |message, browseCarouselCard BrowseCarouselCard |message, tableCard TableCard |message, mediaContent MediaContent |message
Text: text string[]
Image: imageUri string, accessibilityText string
QuickReplies: title string, quickReplies string[]
Card: title string, subtitle string, imageUri string, buttons CardButton[]
CardButton: text string, postback string
SimpleResponses: simpleResponses SimpleResponse[]
SimpleResponse: textToSpeech string, ssml string, displayText string
BasicCard: title string, subtitle string, formattedText string, image Image, buttons BasicCardButton[]
BasicCardButton: title string, openUriAction OpenUriAction
OpenUriAction: uri string
Suggestions: suggestions Suggestion[]
Suggestion: title string
LinkOutSuggestion: destinationName string, uri string
ListSelect: title string, items SelectItem[], subtitle string
CarouselSelect: items SelectItem[]
SelectItem: info SelectItemInfo, title string, description string, image Image
SelectItemInfo: key string, synonyms string[]
TelephonyPlayAudio: audioUri string
TelephonySynthesizeSpeech: text string |source, ssml string |source
TelephonyTransferCall: phoneNumber string
RbmText: text string, rbmSuggestion RbmSuggestion[]
RbmSuggestion: reply RbmReply |suggestion, action RbmAction |suggestion
RbmReply: text string, postbackData string
RbmAction: text string, postbackData string, dial RbmDial |action, openUrl RbmOpenUri |action, shareLocation RbmShareLocation |action
RbmDial: phoneNumber string
RbmOpenUri: uri string
RbmShareLocation:
RbmStandaloneCard: cardOrientation CardOrientation, thumbnailImageAlignment ThumbnailImageAlignment, cardContent RbmCardContent
RbmCarouselCard: cardWidth CardWidth, cardContents RbmCardContent[]
RbmCardContent: title string, description string, media RbmMedia, suggestions RbmSuggestion[]
RbmMedia: fileUri string, thumbnailUri string, height MediaHeight
BrowseCarouselCard: items BrowseCarouselCardItem[], imageDisplayOptions ImageDisplayOptions
BrowseCarouselCardItem: openUriAction OpenUrlAction, title string, description string, image Image, footer string
OpenUrlAction: url string, urlTypeHint UrlTypeHint
TableCard: title string, subtitle string, image Image, columnProperties ColumnProperties[], rows TableCardRow[], buttons BasicCardButton[]
ColumnProperties: header string, horizontalAlignment HorizontalAlignment
TableCardRow: cells TableCardCell[], dividerAfter bool
TableCardCell: text string
MediaContent: mediaType ResponseMediaType, mediaObjects ResponseMediaObject[]
ResponseMediaObject: name string, description string, largeImage Image |image, icon Image |image, contentUrl string
DetectIntentRequest: session string, queryParams QueryParameters, queryInput QueryInput, outputAudioConfig OutputAudioConfig, outputAudioConfigMask string, inputAudio bytes
QueryInput: audioConfig InputAudioConfig |input, text TextInput |input, event EventInput |input, dtmf DtmfEvents |input
TextInput: text string, languageCode string
EventInput: name string, parameters struct, languageCode string
DtmfEvents: dtmfEvents TelephonyDtmf[]
InputAudioConfig: audioEncoding AudioEncoding, sampleRateHertz int32, languageCode string, enableWordInfo bool, phraseHints string[], speechContexts SpeechContext[], model string, modelVariant SpeechModelVariant, singleUtterance bool, disableNoSpeechRecognizedEvent bool, bargeInConfig BargeInConfig, enableAutomaticPunctuation bool, defaultNoSpeechTimeout duration, phraseSets string[], optOutConformerModelMigration bool, enableVoiceActivityEvents bool
SpeechContext: phrases string[], boost float
BargeInConfig: noBargeInDuration duration, totalDuration duration
QueryParameters: timeZone string, geoLocation LatLng, contexts Context[], resetContexts bool, sessionEntityTypes SessionEntityType[], payload struct, knowledgeBaseNames string[], sentimentAnalysisRequestConfig SentimentAnalysisRequestConfig, subAgents SubAgent[], webhookHeaders map, platform string
LatLng: latitude float, longitude float
SessionEntityType: name string, entityOverrideMode EntityOverrideMode, entities Entity[]
Entity: value string, synonyms string[]
SentimentAnalysisRequestConfig: analyzeQueryTextSentiment bool
SubAgent: project string, environment string
OutputAudioConfig: audioEncoding OutputAudioEncoding, sampleRateHertz int32, synthesizeSpeechConfig SynthesizeSpeechConfig
SynthesizeSpeechConfig: speakingRate float, pitch float, volumeGainDb float, effectsProfileId string[], voice VoiceSelectionParams, pronunciations CustomPronunciationParams[]
VoiceSelectionParams: name string, ssmlGender SsmlVoiceGender
CustomPronunciationParams: phrase string, phoneticEncoding PhoneticEncoding, pronunciation string
`

/** One enum on each line. The first value is the default, which responses leave out. */
export const enumDefinitions = `
MatchMode: MATCH_MODE_UNSPECIFIED MATCH_MODE_HYBRID MATCH_MODE_ML_ONLY
ApiVersion: API_VERSION_UNSPECIFIED API_VERSION_V1 API_VERSION_V2 API_VERSION_V2_BETA_1
Tier: TIER_UNSPECIFIED TIER_STANDARD TIER_ENTERPRISE TIER_ENTERPRISE_PLUS
WebhookState: WEBHOOK_STATE_UNSPECIFIED WEBHOOK_STATE_ENABLED WEBHOOK_STATE_ENABLED_FOR_SLOT_FILLING
TrainingPhraseType: TYPE_UNSPECIFIED EXAMPLE TEMPLATE
Platform: PLATFORM_UNSPECIFIED FACEBOOK SLACK TELEGRAM KIK SKYPE LINE VIBER ACTIONS_ON_GOOGLE TELEPHONY GOOGLE_HANGOUTS
CardOrientation: CARD_ORIENTATION_UNSPECIFIED HORIZONTAL VERTICAL
ThumbnailImageAlignment: THUMBNAIL_IMAGE_ALIGNMENT_UNSPECIFIED LEFT RIGHT
CardWidth: CARD_WIDTH_UNSPECIFIED SMALL MEDIUM
MediaHeight: HEIGHT_UNSPECIFIED SHORT MEDIUM TALL
ImageDisplayOptions: IMAGE_DISPLAY_OPTIONS_UNSPECIFIED GRAY WHITE CROPPED BLURRED_BACKGROUND
UrlTypeHint: URL_TYPE_HINT_UNSPECIFIED AMP_ACTION AMP_CONTENT
HorizontalAlignment: HORIZONTAL_ALIGNMENT_UNSPECIFIED LEADING CENTER TRAILING
ResponseMediaType: RESPONSE_MEDIA_TYPE_UNSPECIFIED AUDIO
TelephonyDtmf: TELEPHONY_DTMF_UNSPECIFIED DTMF_ONE DTMF_TWO DTMF_THREE DTMF_FOUR DTMF_FIVE DTMF_SIX DTMF_SEVEN DTMF_EIGHT DTMF_NINE DTMF_ZERO DTMF_A DTMF_B DTMF_C DTMF_D DTMF_STAR DTMF_POUND
AudioEncoding: AUDIO_ENCODING_UNSPECIFIED AUDIO_ENCODING_LINEAR_16 AUDIO_ENCODING_FLAC AUDIO_ENCODING_MULAW AUDIO_ENCODING_AMR AUDIO_ENCODING_AMR_WB AUDIO_ENCODING_OGG_OPUS AUDIO_ENCODING_SPEEX_WITH_HEADER_BYTE AUDIO_ENCODING_ALAW
SpeechModelVariant: SPEECH_MODEL_VARIANT_UNSPECIFIED USE_BEST_AVAILABLE USE_STANDARD USE_ENHANCED
EntityOverrideMode: ENTITY_OVERRIDE_MODE_UNSPECIFIED ENTITY_OVERRIDE_MODE_OVERRIDE ENTITY_OVERRIDE_MODE_SUPPLEMENT
OutputAudioEncoding: OUTPUT_AUDIO_ENCODING_UNSPECIFIED OUTPUT_AUDIO_ENCODING_LINEAR_16 OUTPUT_AUDIO_ENCODING_MP3 OUTPUT_AUDIO_ENCODING_MP3_64_KBPS OUTPUT_AUDIO_ENCODING_OGG_OPUS OUTPUT_AUDIO_ENCODING_MULAW OUTPUT_AUDIO_ENCODING_ALAW
SsmlVoiceGender: SSML_VOICE_GENDER_UNSPECIFIED SSML_VOICE_GENDER_MALE SSML_VOICE_GENDER_FEMALE SSML_VOICE_GENDER_NEUTRAL
PhoneticEncoding: PHONETIC_ENCODING_UNSPECIFIED PHONETIC_ENCODING_IPA PHONETIC_ENCODING_X_SAMPA
`
