/** The authorization server of the sandbox. */
export { applicationId, gatewayClient } from './settings.ts'
export { MissingPackageError, type OauthServer, type OauthServerOptions, startOauthServer } from './start.ts'
