/**
 * The sample agent of project `demo`: enough intents for several pages, one for every kind of message, and a few that
 * show parameters, slot filling, contexts, follow-ups, events and webhooks.
 */
import { createHash } from 'node:crypto'
import type { Json } from './proto.ts'

/** The same id for the same sample intent, each time. */
export function stableId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
export function sampleIntentName(displayName: string): string {
  return `projects/demo/agent/intents/${stableId(displayName)}`
}

/** What tests ask for, by what is particular about it. */
export const sampleAgents = {
  project: 'demo',
  /** Has no agent. */
  emptyProject: 'nothing-here',
  environments: ['draft', 'production'],
  intents: {
    welcome: sampleIntentName('Default Welcome Intent'),
    fallback: sampleIntentName('Default Fallback Intent'),
    /** Two mandatory parameters and a size that is optional. */
    order: sampleIntentName('pizza.order'),
    /** A follow-up of `order`; it has a follow-up of its own. */
    orderYes: sampleIntentName('pizza.order - yes'),
    orderYesMore: sampleIntentName('pizza.order - yes - more'),
    /** Its webhook answers. */
    weather: sampleIntentName('weather.now'),
    /** Its webhook fails: an answer nevertheless, with a status. */
    stock: sampleIntentName('stock.price'),
    goodbye: sampleIntentName('goodbye'),
  },
  /** So many intents in all. */
  intentCount: 230,
} as const

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

const said = (...text: string[]): Json => ({ text: { text } })
const phrases = (...texts: string[]): Json[] =>
  texts.map((text) => ({ type: 'EXAMPLE', parts: [{ text }], timesAddedCount: 1 }))
const context = (id: string): string => `projects/demo/agent/sessions/-/contexts/${id}`
const annotated = (text: string, entityType: string, alias: string): Json => ({
  text,
  entityType,
  alias,
  userDefined: true,
})

/** What the service gives every new agent. */
export const starterIntents: readonly Json[] = [
  {
    displayName: 'Default Welcome Intent',
    events: ['WELCOME'],
    action: 'input.welcome',
    trainingPhrases: phrases('hello', 'hi there', 'good morning'),
    messages: [said('Hello! What can I do for you?', 'Hi!')],
  },
  {
    displayName: 'Default Fallback Intent',
    isFallback: true,
    action: 'input.unknown',
    messages: [said('I did not get that. Can you say it again?')],
  },
]

const image = { imageUri: 'https://pbs.example/tile.png', accessibilityText: 'A blue tile' }
const card: Json = {
  title: 'A tile',
  description: 'Blue, ten by ten.',
  media: {
    fileUri: 'https://pbs.example/tile.png',
    thumbnailUri: 'https://pbs.example/thumb.png',
    height: 'MEDIUM',
  },
  suggestions: [
    { reply: { text: 'Buy', postbackData: 'buy' } },
    { action: { text: 'Call', postbackData: 'call', dial: { phoneNumber: '+49301234567' } } },
    { action: { text: 'Look', postbackData: 'look', openUrl: { uri: 'https://mosaic.example' } } },
    { action: { text: 'Where', postbackData: 'where', shareLocation: {} } },
  ],
}
const items: Json[] = [
  { info: { key: 'blue', synonyms: ['azure'] }, title: 'Blue', description: 'The blue one', image },
  { info: { key: 'red', synonyms: ['crimson'] }, title: 'Red', description: 'The red one', image },
]

/** One content of each kind, by its key. */
export const messageKinds: Readonly<Record<string, Json>> = {
  text: { text: ['One way to say it.', 'Another way.'] },
  image,
  quickReplies: { title: 'Which one?', quickReplies: ['Blue', 'Red'] },
  card: {
    title: 'A tile',
    subtitle: 'Blue',
    imageUri: image.imageUri,
    buttons: [{ text: 'Buy', postback: 'buy' }],
  },
  payload: { kind: 'tile', sizes: [10, 20], stock: { blue: 3 }, sold: false, note: null },
  simpleResponses: {
    simpleResponses: [{ ssml: '<speak>A <emphasis>tile</emphasis></speak>', displayText: 'A tile' }],
  },
  basicCard: {
    title: 'A tile',
    subtitle: 'Blue',
    formattedText: '**Ten** by ten.',
    image,
    buttons: [{ title: 'See', openUriAction: { uri: 'https://mosaic.example' } }],
  },
  suggestions: { suggestions: [{ title: 'Blue' }, { title: 'Red' }] },
  linkOutSuggestion: { destinationName: 'Museum', uri: 'https://mosaic.example' },
  listSelect: { title: 'Tiles', subtitle: 'All of them', items },
  carouselSelect: { items },
  telephonyPlayAudio: { audioUri: 'gs://demo-bucket/hello.wav' },
  telephonySynthesizeSpeech: { text: 'A tile.' },
  telephonyTransferCall: { phoneNumber: '+49301234567' },
  rbmText: { text: 'A tile.', rbmSuggestion: [{ reply: { text: 'More', postbackData: 'more' } }] },
  rbmStandaloneRichCard: { cardOrientation: 'VERTICAL', thumbnailImageAlignment: 'LEFT', cardContent: card },
  rbmCarouselRichCard: {
    cardWidth: 'MEDIUM',
    cardContents: [card, { title: 'Another', description: 'Red.' }],
  },
  browseCarouselCard: {
    items: ['Blue', 'Red'].map((title) => ({
      title,
      description: 'A tile',
      footer: 'From the museum',
      image,
      openUriAction: { url: 'https://mosaic.example', urlTypeHint: 'AMP_CONTENT' },
    })),
    imageDisplayOptions: 'WHITE',
  },
  tableCard: {
    title: 'Prices',
    subtitle: 'This week',
    image,
    columnProperties: [
      { header: 'Tile', horizontalAlignment: 'LEADING' },
      { header: 'Price', horizontalAlignment: 'TRAILING' },
    ],
    rows: [
      { cells: [{ text: 'Blue' }, { text: '3' }], dividerAfter: true },
      { cells: [{ text: 'Red' }, { text: '4' }] },
    ],
    buttons: [{ title: 'All', openUriAction: { uri: 'https://mosaic.example/prices' } }],
  },
  mediaContent: {
    mediaType: 'AUDIO',
    mediaObjects: [
      {
        name: 'Bells',
        description: 'Of the old town',
        largeImage: image,
        contentUrl: 'https://pbs.example/bells.mp3',
      },
    ],
  },
}
const platformOf: Readonly<Record<string, string>> = {
  simpleResponses: 'ACTIONS_ON_GOOGLE',
  basicCard: 'ACTIONS_ON_GOOGLE',
  suggestions: 'ACTIONS_ON_GOOGLE',
  linkOutSuggestion: 'ACTIONS_ON_GOOGLE',
  listSelect: 'ACTIONS_ON_GOOGLE',
  carouselSelect: 'ACTIONS_ON_GOOGLE',
  telephonyPlayAudio: 'TELEPHONY',
  telephonySynthesizeSpeech: 'TELEPHONY',
  telephonyTransferCall: 'TELEPHONY',
  quickReplies: 'FACEBOOK',
}

function particularIntents(): Json[] {
  return [
    {
      displayName: 'pizza.order',
      action: 'pizza.order',
      priority: 600_000,
      trainingPhrases: [
        ...phrases('I want a pizza', 'order a pizza'),
        {
          type: 'EXAMPLE',
          parts: [
            { text: 'I want ' },
            annotated('2', '@sys.number', 'count'),
            { text: ' pizzas with ' },
            annotated('ham', '@topping', 'topping'),
          ],
        },
        {
          type: 'EXAMPLE',
          parts: [{ text: 'a pizza with ' }, annotated('ham', '@topping', 'topping'), { text: ' please' }],
        },
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
      messages: [said('$count pizzas with $topping, is that right?'), { payload: { order: '$topping' } }],
    },
    {
      displayName: 'pizza.order - yes',
      parentFollowupIntentName: sampleIntentName('pizza.order'),
      inputContextNames: [context('pizza-followup')],
      outputContexts: [{ name: context('pizza-yes-followup'), lifespanCount: 2 }],
      trainingPhrases: phrases('yes', 'right'),
      messages: [said('#pizza-followup.count pizzas are on their way.')],
    },
    {
      displayName: 'pizza.order - yes - more',
      parentFollowupIntentName: sampleIntentName('pizza.order - yes'),
      inputContextNames: [context('pizza-yes-followup')],
      trainingPhrases: phrases('more', 'and a drink'),
      messages: [said('A drink as well.')],
    },
    {
      displayName: 'pizza.order - no',
      parentFollowupIntentName: sampleIntentName('pizza.order'),
      inputContextNames: [context('pizza-followup')],
      outputContexts: [{ name: context('pizza-followup'), lifespanCount: 0 }],
      trainingPhrases: phrases('no', 'wrong'),
      messages: [said('Then let us start again.')],
    },
    {
      displayName: 'pizza fallback',
      isFallback: true,
      action: 'pizza.unknown',
      inputContextNames: [context('pizza-followup')],
      messages: [said('Yes or no?')],
    },
    {
      displayName: 'weather.now',
      webhookState: 'WEBHOOK_STATE_ENABLED',
      action: 'weather.now',
      trainingPhrases: [
        { type: 'EXAMPLE', parts: [{ text: 'weather in ' }, annotated('Berlin', '@sys.geo-city', 'city')] },
        { type: 'EXAMPLE', parts: [{ text: 'weather ' }, annotated('tomorrow', '@sys.date', 'date')] },
      ],
      parameters: [
        { displayName: 'city', value: '$city', entityTypeDisplayName: '@sys.geo-city' },
        { displayName: 'date', value: '$date', entityTypeDisplayName: '@sys.date', isList: true },
        { displayName: 'heard', value: '$city.original' },
      ],
      messages: [said('I cannot see the sky right now.')],
    },
    {
      displayName: 'stock.price',
      webhookState: 'WEBHOOK_STATE_ENABLED',
      action: 'stock.price',
      trainingPhrases: phrases('what do tiles cost'),
      messages: [said('I cannot look that up right now.')],
    },
    {
      displayName: 'goodbye',
      endInteraction: true,
      resetContexts: true,
      events: ['GOODBYE'],
      trainingPhrases: phrases('bye', 'see you'),
      messages: [said('Goodbye!')],
    },
    {
      displayName: 'human please',
      liveAgentHandoff: true,
      defaultResponsePlatforms: ['TELEPHONY', 'SLACK'],
      trainingPhrases: phrases('let me talk to somebody'),
      messages: [said('I am putting you through.')],
    },
    {
      displayName: 'ignored at run time',
      priority: -1,
      mlDisabled: true,
      trainingPhrases: phrases('nobody hears this'),
      messages: [said('Never said.')],
    },
  ]
}

export function createSampleIntents(): Json[] {
  const kinds = Object.entries(messageKinds).map(([kind, content]): Json => {
    const platform = kind.startsWith('rbm') ? undefined : platformOf[kind]
    return {
      displayName: `show.${kind}`,
      action: `show.${kind}`,
      trainingPhrases: phrases(`show ${kind}`),
      messages: [
        said(`Here is ${kind}.`),
        { ...(platform === undefined ? {} : { platform }), [kind]: content },
      ],
    }
  })
  const intents = [...starterIntents, ...particularIntents(), ...kinds]
  const questions = Array.from({ length: sampleAgents.intentCount - intents.length }, (_, index): Json => {
    const number = String(index + 1).padStart(3, '0')
    return {
      displayName: `faq.${number}`,
      action: `faq.answer.${number}`,
      trainingPhrases: phrases(`question ${number}`, `tell me about ${number}`),
      messages: [said(`Answer ${number}.`)],
    }
  })
  return [...intents, ...questions]
}

/** What the agent's webhook answers, by action; it has no answer for any other. */
export const sampleWebhook: ReadonlyMap<string, { readonly text: string; readonly payload: Json }> = new Map([
  ['weather.now', { text: 'Sunny, 21 degrees.', payload: { degrees: 21, sky: 'clear' } }],
])
