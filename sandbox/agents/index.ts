/**
 * The stand-in of the conversational agent service: the eleven operations, the operations resource, and one intent
 * by its name. It is as strict as proto3 JSON: unknown fields, mask paths and query parameters are refused.
 */
export { messageKinds } from './sample-messages.ts'
export { sampleAgents } from './sample-names.ts'
export { recognizeSpeech, synthesizeSpeech } from './speech.ts'
export { AgentsStandIn, type AgentsStandInOptions } from './stand-in.ts'
export { enumDefinitions, messageDefinitions } from './types.ts'
