/** Intents that show parameters, slot filling, contexts, follow-ups, events and webhooks. */
import type { Json } from './proto.ts'
import { sampleIntentName } from './sample-names.ts'

export const answers = (...text: string[]): Json => ({ text: { text } })
export const phrases = (...texts: string[]): Json[] =>
  texts.map((text) => ({ type: 'EXAMPLE', parts: [{ text }], timesAddedCount: 1 }))
const context = (id: string): string => `projects/demo/agent/sessions/-/contexts/${id}`
const annotated = (text: string, entityType: string, alias: string): Json => ({
  text,
  entityType,
  alias,
  userDefined: true,
})

/** A training phrase of plain and annotated parts. */
const example = (...parts: (string | Json)[]): Json => ({
  type: 'EXAMPLE',
  parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
})
const twoPizzas = annotated('2', '@sys.number', 'count')
const ham = annotated('ham', '@topping', 'topping')

/** The intents that the service creates with every agent. */
export const starterIntents: readonly Json[] = [
  {
    displayName: 'Default Welcome Intent',
    events: ['WELCOME'],
    action: 'input.welcome',
    trainingPhrases: phrases('hello', 'hi there', 'good morning'),
    messages: [answers('Hello! What can I do for you?', 'Hi!')],
  },
  {
    displayName: 'Default Fallback Intent',
    isFallback: true,
    action: 'input.unknown',
    messages: [answers('I did not get that. Can you say it again?')],
  },
]

/** An order: parameters that are asked for, contexts, and follow-ups. */
export const pizzaIntents: readonly Json[] = [
  {
    displayName: 'pizza.order',
    action: 'pizza.order',
    priority: 600_000,
    trainingPhrases: [
      ...phrases('I want a pizza', 'order a pizza'),
      example('I want ', twoPizzas, ' pizzas with ', ham),
      example('a pizza with ', ham, ' please'),
    ],
    parameters: [
      {
        displayName: 'count',
        value: '$count',
        entityTypeDisplayName: '@sys.number',
        mandatory: true,
        prompts: ['How many pizzas?'],
      },
      {
        displayName: 'topping',
        value: '$topping',
        entityTypeDisplayName: '@topping',
        mandatory: true,
        prompts: ['With what on them?'],
      },
      { displayName: 'size', value: '$size', defaultValue: 'medium', entityTypeDisplayName: '@size' },
    ],
    outputContexts: [{ name: context('pizza-followup'), lifespanCount: 2 }],
    messages: [answers('$count pizzas with $topping, is that right?'), { payload: { order: '$topping' } }],
  },
  {
    displayName: 'pizza.order - yes',
    parentFollowupIntentName: sampleIntentName('pizza.order'),
    inputContextNames: [context('pizza-followup')],
    outputContexts: [{ name: context('pizza-yes-followup'), lifespanCount: 2 }],
    trainingPhrases: phrases('yes', 'right'),
    messages: [answers('#pizza-followup.count pizzas are on their way.')],
  },
  {
    displayName: 'pizza.order - yes - more',
    parentFollowupIntentName: sampleIntentName('pizza.order - yes'),
    inputContextNames: [context('pizza-yes-followup')],
    trainingPhrases: phrases('more', 'and a drink'),
    messages: [answers('A drink as well.')],
  },
  {
    displayName: 'pizza.order - no',
    parentFollowupIntentName: sampleIntentName('pizza.order'),
    inputContextNames: [context('pizza-followup')],
    outputContexts: [{ name: context('pizza-followup'), lifespanCount: 0 }],
    trainingPhrases: phrases('no', 'wrong'),
    messages: [answers('Then let us start again.')],
  },
  {
    displayName: 'pizza fallback',
    isFallback: true,
    action: 'pizza.unknown',
    inputContextNames: [context('pizza-followup')],
    messages: [answers('Yes or no?')],
  },
]

export const webhookIntents: readonly Json[] = [
  {
    displayName: 'weather.now',
    webhookState: 'WEBHOOK_STATE_ENABLED',
    action: 'weather.now',
    trainingPhrases: [
      example('weather in ', annotated('Berlin', '@sys.geo-city', 'city')),
      example('weather ', annotated('tomorrow', '@sys.date', 'date')),
    ],
    parameters: [
      { displayName: 'city', value: '$city', entityTypeDisplayName: '@sys.geo-city' },
      { displayName: 'date', value: '$date', entityTypeDisplayName: '@sys.date', isList: true },
      { displayName: 'heard', value: '$city.original' },
    ],
    messages: [answers('I cannot see the sky right now.')],
  },
  {
    displayName: 'stock.price',
    webhookState: 'WEBHOOK_STATE_ENABLED',
    action: 'stock.price',
    trainingPhrases: phrases('what do tiles cost'),
    messages: [answers('I cannot look that up right now.')],
  },
]

/** The ends of a conversation, and an intent that is never recognised. */
export const lastIntents: readonly Json[] = [
  {
    displayName: 'goodbye',
    endInteraction: true,
    resetContexts: true,
    events: ['GOODBYE'],
    trainingPhrases: phrases('bye', 'see you'),
    messages: [answers('Goodbye!')],
  },
  {
    displayName: 'human please',
    liveAgentHandoff: true,
    defaultResponsePlatforms: ['TELEPHONY', 'SLACK'],
    trainingPhrases: phrases('let me talk to somebody'),
    messages: [answers('I am putting you through.')],
  },
  {
    displayName: 'ignored at run time',
    priority: -1,
    mlDisabled: true,
    trainingPhrases: phrases('nobody hears this'),
    messages: [answers('Never said.')],
  },
]
