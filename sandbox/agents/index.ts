/** The stand-in of the conversational agent service, as strict as proto3 JSON. */
export { messageKinds } from './sample-messages.ts'
export { sampleAgents } from './sample-names.ts'
export { recognizeSpeech, synthesizeSpeech } from './speech.ts'
export { AgentsStandIn, type AgentsStandInOptions } from './stand-in.ts'
export { enumDefinitions, messageDefinitions } from './types.ts'
