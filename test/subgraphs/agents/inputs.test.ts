/** What is refused before a call is made, with the input field's name, and what a mask is made of. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faults } from '../../support/subgraph.ts'
import { agentsOver } from './kit.ts'

const name = 'projects/demo/agent/intents/i'
const long = (length: number): string => 'x'.repeat(length)

const wrong: [what: string, field: string, input: Record<string, unknown>, at: string][] = [
  ['a description past 500 characters', 'setAgent', { description: long(501) }, 'input.description'],
  ['a threshold past 1', 'setAgent', { classificationThreshold: 1.5 }, 'input.classificationThreshold'],
  ['a time zone that is none', 'setAgent', { timeZone: 'Mars/Base' }, 'input.timeZone'],
  ['a language that is none', 'setAgent', { defaultLanguageCode: 'e_n' }, 'input.defaultLanguageCode'],
  [
    'a list with a wrong language',
    'setAgent',
    { supportedLanguageCodes: ['de', '!'] },
    'input.supportedLanguageCodes[1]',
  ],
  ['an empty display name', 'setAgent', { displayName: '' }, 'input.displayName'],
  ['an enum value of answers', 'setAgent', { tier: 'UNRECOGNIZED' }, 'input.tier'],
  ['no field to change', 'setAgent', {}, 'input'],
  ['a mask of an unknown field', 'setAgent', { displayName: 'a', updateMask: ['nope'] }, 'input.updateMask'],
  [
    'a mask of an unknown field among known ones',
    'setAgent',
    { updateMask: ['displayName', 'nope'] },
    'input.updateMask',
  ],
  ['a mask of nothing', 'setAgent', { displayName: 'a', updateMask: [''] }, 'input.updateMask'],
  ['a mask that names the project', 'setAgent', { updateMask: ['project'] }, 'input.updateMask'],
  ['an address that is no storage object', 'exportAgent', { agentUri: 'https://x' }, 'input.agentUri'],
  ['an archive that is no base64', 'importAgent', { agentContent: 'not base64!' }, 'input.agentContent'],
  [
    'an event name past 150 characters',
    'createIntent',
    { displayName: 'a', events: ['ok', long(151)] },
    'input.events[1]',
  ],
  ['white space in an action', 'createIntent', { displayName: 'a', action: 'do it' }, 'input.action'],
  [
    'a context of another project',
    'createIntent',
    { displayName: 'a', inputContextNames: ['projects/other/agent/sessions/-/contexts/c'] },
    'input.inputContextNames[0]',
  ],
  [
    'a context of a session in an intent',
    'createIntent',
    { displayName: 'a', inputContextNames: ['projects/demo/agent/sessions/s/contexts/c'] },
    'input.inputContextNames[0]',
  ],
  [
    'a context id with a space',
    'createIntent',
    { displayName: 'a', outputContexts: [{ name: 'a b' }] },
    'input.outputContexts[0].name',
  ],
  [
    'parameters in a context of an intent',
    'createIntent',
    { displayName: 'a', outputContexts: [{ name: 'c', parameters: {} }] },
    'input.outputContexts[0].parameters',
  ],
  [
    'a response of no kind',
    'createIntent',
    { displayName: 'a', messages: [{ platform: 'SLACK' }] },
    'input.messages[0]',
  ],
  [
    'a response of two kinds',
    'createIntent',
    { displayName: 'a', messages: [{ text: { text: [] } }, { text: { text: ['a'] }, image: {} }] },
    'input.messages[1]',
  ],
  [
    'a payload that is no object',
    'createIntent',
    { displayName: 'a', messages: [{ payload: [1] }] },
    'input.messages[0].payload',
  ],
  [
    'a spoken response without words',
    'createIntent',
    { displayName: 'a', messages: [{ simpleResponses: { simpleResponses: [{ displayText: 'a' }] } }] },
    'input.messages[0].simpleResponses.simpleResponses[0]',
  ],
  [
    'a carousel of one card',
    'createIntent',
    { displayName: 'a', messages: [{ rbmCarouselRichCard: { cardContents: [{}] } }] },
    'input.messages[0].rbmCarouselRichCard.cardContents',
  ],
  [
    'a card title past 200 bytes',
    'createIntent',
    { displayName: 'a', messages: [{ rbmStandaloneRichCard: { cardContent: { title: 'é'.repeat(101) } } }] },
    'input.messages[0].rbmStandaloneRichCard.cardContent.title',
  ],
  [
    'media with two pictures',
    'createIntent',
    {
      displayName: 'a',
      messages: [
        { mediaContent: { mediaObjects: [{ name: 'n', contentUrl: 'u', icon: {}, largeImage: {} }] } },
      ],
    },
    'input.messages[0].mediaContent.mediaObjects[0]',
  ],
  [
    'a mandatory parameter without a type',
    'createIntent',
    { displayName: 'a', parameters: [{ displayName: 'p', mandatory: true }] },
    'input.parameters[0].entityTypeDisplayName',
  ],
  [
    'an entity type without its @',
    'createIntent',
    { displayName: 'a', parameters: [{ displayName: 'p', entityTypeDisplayName: 'sys.date' }] },
    'input.parameters[0].entityTypeDisplayName',
  ],
  [
    'half an annotation',
    'createIntent',
    { displayName: 'a', trainingPhrases: [{ type: 'EXAMPLE', parts: [{ text: 't', alias: 'a' }] }] },
    'input.trainingPhrases[0].parts[0]',
  ],
  [
    'a phrase without parts',
    'createIntent',
    { displayName: 'a', trainingPhrases: [{ type: 'EXAMPLE', parts: [] }] },
    'input.trainingPhrases[0].parts',
  ],
  [
    'a parent of another project',
    'createIntent',
    { displayName: 'a', parentFollowupIntentName: 'projects/other/agent/intents/p' },
    'input.parentFollowupIntentName',
  ],
  ['a language that is none', 'createIntent', { displayName: 'a', languageCode: '?' }, 'input.languageCode'],
  [
    "a name that is no intent's",
    'updateIntent',
    { name: 'projects/demo/intents/i', displayName: 'a' },
    'input.name',
  ],
  [
    'a name with a location',
    'updateIntent',
    { name: 'projects/demo/locations/eu/agent/intents/i', displayName: 'a' },
    'input.name',
  ],
  ['a name that climbs', 'deleteIntent', { name: 'projects/demo/agent/intents/..' }, 'input.name'],
  ['no field to change', 'updateIntent', { name }, 'input'],
  [
    'a mask that names the language',
    'updateIntent',
    { name, updateMask: ['languageCode'] },
    'input.updateMask',
  ],
  ['a session past 36 characters', 'detectIntent', { session: long(37) }, 'input.session'],
  ['a user past 36 characters', 'detectIntent', { user: long(37) }, 'input.user'],
  ['a session with a slash', 'deleteContexts', { session: 'a/b' }, 'input.session'],
  ['an empty session', 'deleteContexts', { session: '' }, 'input.session'],
  ['a project with a slash', 'deleteContexts', { project: 'a/b' }, 'input.project'],
  [
    'text past 256 characters',
    'detectIntent',
    { queryInput: { text: { text: long(257), languageCode: 'en' } } },
    'input.queryInput.text.text',
  ],
  [
    'two kinds of input',
    'detectIntent',
    { queryInput: { text: { text: 'a', languageCode: 'en' }, event: { name: 'e' } } },
    'input.queryInput',
  ],
  ['no kind of input', 'detectIntent', { queryInput: {} }, 'input.queryInput'],
  [
    'audio without sound',
    'detectIntent',
    {
      queryInput: {
        audioConfig: { audioEncoding: 'AUDIO_ENCODING_FLAC', sampleRateHertz: 8000, languageCode: 'en' },
      },
    },
    'input.inputAudio',
  ],
  ['sound without audio', 'detectIntent', { inputAudio: 'UklG' }, 'input.inputAudio'],
  [
    'a latitude past the pole',
    'detectIntent',
    { queryParams: { geoLocation: { latitude: 91, longitude: 0 } } },
    'input.queryParams.geoLocation.latitude',
  ],
  [
    'a context of another session',
    'detectIntent',
    { queryParams: { contexts: [{ name: 'projects/demo/agent/sessions/other/contexts/c' }] } },
    'input.queryParams.contexts[0].name',
  ],
  [
    'a header that is no header',
    'detectIntent',
    { queryParams: { webhookHeaders: [{ name: 'a b', value: '' }] } },
    'input.queryParams.webhookHeaders[0].name',
  ],
  [
    'a header of two lines',
    'detectIntent',
    { queryParams: { webhookHeaders: [{ name: 'a', value: 'b\r\nc: d' }] } },
    'input.queryParams.webhookHeaders[0].value',
  ],
  [
    'a duration in minutes',
    'detectIntent',
    {
      queryInput: {
        audioConfig: {
          audioEncoding: 'AUDIO_ENCODING_FLAC',
          sampleRateHertz: 8000,
          languageCode: 'en',
          defaultNoSpeechTimeout: '1m',
        },
      },
      inputAudio: 'UklG',
    },
    'input.queryInput.audioConfig.defaultNoSpeechTimeout',
  ],
  [
    'a mask of unknown audio settings',
    'detectIntent',
    { outputAudioConfigMask: 'audioEncoding,volume' },
    'input.outputAudioConfigMask',
  ],
]

const types: Record<string, [type: string, defaults: Record<string, unknown>, selection: string]> = {
  setAgent: ['SetAgentInput', { project: 'demo' }, 'agent { id }'],
  exportAgent: ['ExportAgentInput', { project: 'demo' }, 'operation { done }'],
  importAgent: ['ImportAgentInput', { project: 'demo' }, 'operation { done }'],
  createIntent: ['CreateIntentInput', { project: 'demo' }, 'intent { id }'],
  updateIntent: ['UpdateIntentInput', {}, 'intent { id }'],
  deleteIntent: ['DeleteIntentInput', {}, 'name'],
  detectIntent: [
    'DetectIntentInput',
    { project: 'demo', session: 's', queryInput: { text: { text: 'a', languageCode: 'en' } } },
    'responseId',
  ],
  deleteContexts: ['DeleteContextsInput', { project: 'demo', session: 's' }, 'session'],
}

function mutation(field: string): string {
  const [type, , selection] = types[field]!
  return `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`
}

describe('an input', () => {
  test.for(wrong)('is refused with %s (%s), before any call', async ([, field, input, at]) => {
    await using agents = await agentsOver({ body: {} })
    const { data, errors } = await agents.run(mutation(field), { input: { ...types[field]![1], ...input } })
    expect(data).toEqual({ [field]: null })
    expect(faults(errors)).toEqual([`${field}: BAD_USER_INPUT`])
    expect(errors[0]?.extensions.argument).toBe(at)
    expect(errors[0]?.message).toContain(`\`${at}\``)
    expect(agents.arrived).toEqual([])
  })

  test.for([
    ['a UUID as session, which just fits', { session: '123e4567-e89b-42d3-a456-426614174000' }],
    [
      '256 characters, counted as people do',
      { queryInput: { text: { text: '😀'.repeat(256), languageCode: 'zh-Hant-TW' } } },
    ],
    [
      'a full name of a context of the same session',
      { queryParams: { contexts: [{ name: 'projects/demo/agent/sessions/s/contexts/c' }] } },
    ],
  ] as [string, Record<string, unknown>][])('is taken with %s', async ([, input]) => {
    await using agents = await agentsOver({ body: {} })
    const { errors } = await agents.run(mutation('detectIntent'), {
      input: { ...types.detectIntent![1], ...input },
    })
    expect(errors).toEqual([])
    expect(agents.arrived.length).toBe(1)
  })

  test('passes JSON on as it is, nulls and odd keys included', async () => {
    await using agents = await agentsOver({ body: {} })
    const payload = JSON.parse('{"a":null,"b":{"__proto__":{"x":1},"constructor":[null]}}') as unknown
    await agents.run(mutation('detectIntent'), {
      input: { ...types.detectIntent![1], queryParams: { payload } },
    })
    expect(JSON.stringify(agents.arrived[0]?.body.queryParams.payload)).toBe(JSON.stringify(payload))
  })
})

describe('an update mask', () => {
  const settable: Record<string, unknown> = {
    displayName: 'n',
    webhookState: 'WEBHOOK_STATE_ENABLED',
    priority: 7,
    isFallback: true,
    mlDisabled: false,
    events: ['e'],
    action: 'a',
    messages: [{ text: { text: ['t'] } }],
    trainingPhrases: [{ type: 'EXAMPLE', parts: [{ text: 't' }] }],
    resetContexts: false,
  }

  test('and the body hold exactly the given fields, and null counts as missing', async () => {
    await using agents = await agentsOver({ body: { name } })
    const fields = fc.uniqueArray(fc.constantFrom(...Object.keys(settable)), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(fields, fc.func(fc.boolean()), async (given, isNull) => {
        agents.arrived.length = 0
        const entries = given.map((field) => [field, isNull(field) ? null : settable[field]] as const)
        const { errors } = await agents.run(mutation('updateIntent'), {
          input: { name, ...Object.fromEntries(entries) },
        })
        const set = entries.filter(([, value]) => value !== null)
        if (set.length === 0) {
          expect(faults(errors)).toEqual(['updateIntent: BAD_USER_INPUT'])
          expect(agents.arrived).toEqual([])
          return
        }
        expect(errors).toEqual([])
        const [request] = agents.arrived
        expect(request?.query.updateMask?.split(',').sort()).toEqual(set.map(([field]) => field).sort())
        expect(request?.body).toEqual({ name, ...Object.fromEntries(set) })
      }),
      { numRuns: 40 },
    )
  })

  test('is taken as given if it is explicit, as a list or with commas', async () => {
    await using agents = await agentsOver({ body: { name } })
    await agents.run(mutation('updateIntent'), {
      input: { name, displayName: 'a', updateMask: ['displayName', 'events'] },
    })
    await agents.run(mutation('updateIntent'), {
      input: { name, displayName: 'a', updateMask: 'displayName, events' },
    })
    expect(agents.arrived.map(({ query }) => query.updateMask)).toEqual([
      'displayName,events',
      'displayName,events',
    ])
    expect(agents.arrived[0]?.body).toEqual({ name, displayName: 'a' })
  })

  test('clears a field that it names and that the input gives as null or not at all', async () => {
    await using agents = await agentsOver({ body: { name } })
    // What a typed client sends that sets one field and clears two.
    const unset = Object.fromEntries(Object.keys(settable).map((field) => [field, null]))
    await agents.run(mutation('updateIntent'), {
      input: { name, ...unset, displayName: 'a', updateMask: ['displayName', 'events', 'action'] },
    })
    expect(agents.arrived[0]?.query.updateMask).toBe('displayName,events,action')
    expect(agents.arrived[0]?.body).toEqual({ name, displayName: 'a' })
  })

  test('is derived if the explicit one is an empty list or null', async () => {
    await using agents = await agentsOver({ body: { name } })
    await agents.run(mutation('updateIntent'), { input: { name, displayName: 'a', updateMask: [] } })
    await agents.run(mutation('updateIntent'), { input: { name, displayName: 'a', updateMask: null } })
    expect(agents.arrived.map(({ query }) => query.updateMask)).toEqual(['displayName', 'displayName'])
  })
})
