/**
 * The services' published field tables: each resource's fields under the name of our type. A field that is
 * missing in the schema is a field that clients cannot reach.
 */
const tables = {
  Video: `
    kind etag id snippet contentDetails status statistics player topicDetails recordingDetails fileDetails
    processingDetails suggestions liveStreamingDetails localizations paidProductPlacementDetails`,
  VideoLocalization: 'title description',
  VideoSnippet: `
    publishedAt channelId title description thumbnails channelTitle tags categoryId liveBroadcastContent
    defaultLanguage localized defaultAudioLanguage`,
  Thumbnail: 'url width height',
  VideoLocalized: 'title description',
  VideoContentDetails: `
    duration dimension definition caption licensedContent regionRestriction contentRating projection
    hasCustomThumbnail`,
  VideoRegionRestriction: 'allowed blocked',
  VideoContentRating: `
    acbRating agcomRating anatelRating bbfcRating bfvcRating bmukkRating catvRating catvfrRating cbfcRating
    cccRating cceRating chfilmRating chvrsRating cicfRating cnaRating cncRating csaRating cscfRating
    czfilmRating djctqRating djctqRatingReasons ecbmctRating eefilmRating egfilmRating eirinRating
    fcbmRating fcoRating fmocRating fpbRating fpbRatingReasons fskRating grfilmRating icaaRating ifcoRating
    ilfilmRating incaaRating kfcbRating kijkwijzerRating kmrbRating lsfRating mccaaRating mccypRating
    mcstRating mdaRating medietilsynetRating mekuRating mibacRating mocRating moctwRating mpaaRating
    mpaatRating mtrcbRating nbcRating nbcplRating nfrcRating nfvcbRating nkclvRating oflcRating pefilmRating
    rcnofRating resorteviolenciaRating rtcRating rteRating russiaRating skfilmRating smaisRating smsaRating
    tvpgRating ytRating`,
  VideoStatus: `
    uploadStatus failureReason rejectionReason privacyStatus publishAt license embeddable
    publicStatsViewable madeForKids selfDeclaredMadeForKids containsSyntheticMedia`,
  VideoStatistics: 'viewCount likeCount dislikeCount favoriteCount commentCount',
  VideoPlayer: 'embedHtml embedHeight embedWidth',
  VideoTopicDetails: 'topicIds relevantTopicIds topicCategories',
  VideoRecordingDetails: 'recordingDate location locationDescription',
  VideoRecordingLocation: 'latitude longitude altitude',
  VideoPaidProductPlacementDetails: 'hasPaidProductPlacement',
  VideoFileDetails: `
    fileName fileSize fileType container videoStreams audioStreams durationMs bitrateBps creationTime`,
  VideoFileVideoStream: 'widthPixels heightPixels frameRateFps aspectRatio codec bitrateBps rotation vendor',
  VideoFileAudioStream: 'channelCount codec bitrateBps vendor',
  VideoProcessingDetails: `
    processingStatus processingProgress processingFailureReason fileDetailsAvailability
    processingIssuesAvailability tagSuggestionsAvailability editorSuggestionsAvailability
    thumbnailsAvailability`,
  VideoProcessingProgress: 'partsTotal partsProcessed timeLeftMs',
  VideoSuggestions: 'processingErrors processingWarnings processingHints tagSuggestions editorSuggestions',
  VideoTagSuggestion: 'tag categoryRestricts',
  VideoLiveStreamingDetails: `
    actualStartTime actualEndTime scheduledStartTime scheduledEndTime concurrentViewers activeLiveChatId`,
  Comment: 'kind etag id videoId textOriginal publishedAt updatedAt',
  CommentThread: 'kind etag id channelId videoId topLevelComment canReply totalReplyCount isPublic replies',
  Agent: `
    parent displayName defaultLanguageCode supportedLanguageCodes timeZone description avatarUri
    enableLogging matchMode classificationThreshold apiVersion tier`,
  DetectIntentInput: 'queryParams queryInput outputAudioConfig outputAudioConfigMask inputAudio',
  Intent: 'name',
  Message: 'id text',
  MessageUser: 'id name username',
  LikeMessagePayload: 'liked',
  MetricsBuildInfo: 'version revision branch buildUser buildDate goVersion',
  MetricsResult: 'resultType scalar string series warnings error',
  MetricsSeries: 'metric sample samples histogram histograms',
}

export const contractFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(tables).map(([type, fields]) => [type, fields.trim().split(/\s+/)]),
)
