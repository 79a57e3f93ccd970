/** The stand-in of the short-message service, strict about parameters, scopes and rate limits. */
export { sampleMessages } from './sample-ids.ts'
export { appOnlyToken, MessagesStandIn, type MessagesStandInOptions } from './stand-in.ts'
