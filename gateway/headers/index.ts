/** Header rules between clients and subgraphs: what is forwarded, inserted and removed, and what never passes. */
export { type AnswerHeaders, createAnswerHeaders } from './answer-headers.ts'
export type { HeaderRules, RequestRule } from './config.ts'
export {
  isCredential,
  isHeaderName,
  isHeaderValue,
  isHopByHop,
  isOwnOfAnswers,
  isOwnOfRequests,
} from './names.ts'
export { compileForwarding, type Forwarding, headersSent } from './request-headers.ts'
