/** Query parameters that every method of the video and the agent service has, in addition to its own. */
export const commonParameters: ReadonlySet<string> = new Set([
  '$.xgafv',
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
  'upload_protocol',
  'uploadType',
])
