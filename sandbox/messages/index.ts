/**
 * The stand-in of the short-message service: lookup by ids, one message, the users who liked a message, like and
 * unlike, and the caller's own account. It is strict about parameters, scopes and rate limits. A resource that
 * cannot be shown is a partial error in a successful response, as in the real service.
 */
export { sampleMessages } from './sample-ids.ts'
export { appOnlyToken, MessagesStandIn, type MessagesStandInOptions } from './stand-in.ts'
