/** The sample agent of project `demo`: enough intents for several pages, and one for every kind of message. */
import type { Json } from './proto.ts'
import {
  answers,
  lastIntents,
  phrases,
  pizzaIntents,
  starterIntents,
  webhookIntents,
} from './sample-intents.ts'
import { messageKinds, platformOf } from './sample-messages.ts'
import { sampleAgents } from './sample-names.ts'

export function createSampleAgent(): Json {
  return {
    parent: 'projects/demo',
    displayName: 'Demo agent',
    defaultLanguageCode: 'en',
    supportedLanguageCodes: ['de', 'fr'],
    timeZone: 'Europe/Berlin',
    description: 'Orders pizza, tells the weather and shows every kind of message.',
    avatarUri: 'https://pbs.example/agent.png',
    enableLogging: true,
    matchMode: 'MATCH_MODE_HYBRID',
    classificationThreshold: 0.3,
    apiVersion: 'API_VERSION_V2_BETA_1',
    tier: 'TIER_STANDARD',
  }
}

export function createSampleIntents(): Json[] {
  const kinds = Object.entries(messageKinds).map(
    ([kind, content]): Json => ({
      displayName: `show.${kind}`,
      action: `show.${kind}`,
      trainingPhrases: phrases(`show ${kind}`),
      messages: [answers(`Here is ${kind}.`), { platform: platformOf(kind), [kind]: content }],
    }),
  )
  const intents = [...starterIntents, ...pizzaIntents, ...webhookIntents, ...lastIntents, ...kinds]
  const questions = Array.from({ length: sampleAgents.intentCount - intents.length }, (_, index): Json => {
    const number = String(index + 1).padStart(3, '0')
    return {
      displayName: `faq.${number}`,
      action: `faq.answer.${number}`,
      trainingPhrases: phrases(`question ${number}`, `tell me about ${number}`),
      messages: [answers(`Answer ${number}.`)],
    }
  })
  return [...intents, ...questions]
}

/** The responses of the agent's webhook by action. For other actions it fails. */
export const sampleWebhook: ReadonlyMap<string, { readonly text: string; readonly payload: Json }> = new Map([
  ['weather.now', { text: 'Sunny, 21 degrees.', payload: { degrees: 21, sky: 'clear' } }],
])
