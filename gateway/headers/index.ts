/** Header rules between clients and subgraphs: what is forwarded, inserted and removed, and what never passes. */

export type { HeaderRules, RequestRule } from './config.ts'
export {
  isCredential,
  isHeaderName,
  isHeaderValue,
  isHopByHop,
  isOwnOfRequests,
  isOwnOfResponses,
} from './names.ts'
export { compileForwarding, type Forwarding, headersSent } from './request-headers.ts'
export { createResponseHeaders, type ResponseHeaders } from './response-headers.ts'
export { joinedVary } from './vary.ts'
