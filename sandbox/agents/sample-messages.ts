/** One message of each kind that the service has, by its key. */
import type { Json } from './proto.ts'

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

const ofAssistant = /^(simpleResponses|basicCard|suggestions|linkOutSuggestion|listSelect|carouselSelect)$/

export function platformOf(kind: string): string | undefined {
  if (ofAssistant.test(kind)) return 'ACTIONS_ON_GOOGLE'
  if (kind.startsWith('telephony')) return 'TELEPHONY'
  return kind === 'quickReplies' ? 'FACEBOOK' : undefined
}
