/**
 * Inputs that are refused before any call, by the name of the input field, and the update masks of others.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faults } from '../../support/subgraph.ts'
import { agentsOver } from './kit.ts'

const name = 'projects/demo/agent/intents/i'
const long = (length: number): string => 'x'.repeat(length)

/** By mutation: what is wrong with an input, and the path of the field that the error names. */
const wrong: Record<string, [what: string, input: Record<string, unknown>, path: string][]> = {
  setAgent: [
    ['a description past 500 characters', { description: long(501) }, 'description'],
    ['a threshold past 1', { classificationThreshold: 1.5 }, 'classificationThreshold'],
    ['a time zone that is none', { timeZone: 'Mars/Base' }, 'timeZone'],
    ['a language that is none', { defaultLanguageCode: 'e_n' }, 'defaultLanguageCode'],
    ['a list with a wrong language', { supportedLanguageCodes: ['de', '!'] }, 'supportedLanguageCodes[1]'],
    ['an empty display name', { displayName: '' }, 'displayName'],
    ['an enum value of answers', { tier: 'UNRECOGNIZED' }, 'tier'],
    ['no field to change', {}, ''],
    ['a mask of an unknown field', { displayName: 'a', updateMask: ['nope'] }, 'updateMask'],
    ['a mask of an unknown field among known ones', { updateMask: ['displayName', 'nope'] }, 'updateMask'],
    ['a mask of nothing', { displayName: 'a', updateMask: [''] }, 'updateMask'],
    ['a mask that names the project', { updateMask: ['project'] }, 'updateMask'],
  ],
  exportAgent: [['an address that is no storage object', { agentUri: 'https://x' }, 'agentUri']],
  importAgent: [['an archive that is no base64', { agentContent: 'not base64!' }, 'agentContent']],
  createIntent: [
    ['an event name past 150 characters', { events: ['ok', long(151)] }, 'events[1]'],
    ['white space in an action', { action: 'do it' }, 'action'],
    [
      'a context of another project',
      { inputContextNames: ['projects/other/agent/sessions/-/contexts/c'] },
      'inputContextNames[0]',
    ],
    [
      'a context of a session in an intent',
      { inputContextNames: ['projects/demo/agent/sessions/s/contexts/c'] },
      'inputContextNames[0]',
    ],
    ['a context id with a space', { outputContexts: [{ name: 'a b' }] }, 'outputContexts[0].name'],
    [
      'parameters in a context of an intent',
      { outputContexts: [{ name: 'c', parameters: {} }] },
      'outputContexts[0].parameters',
    ],
    ['a response of no kind', { messages: [{ platform: 'SLACK' }] }, 'messages[0]'],
    [
      'a response of two kinds',
      { messages: [{ text: { text: [] } }, { text: { text: ['a'] }, image: {} }] },
      'messages[1]',
    ],
    ['a payload that is no object', { messages: [{ payload: [1] }] }, 'messages[0].payload'],
    [
      'a spoken response without words',
      { messages: [{ simpleResponses: { simpleResponses: [{ displayText: 'a' }] } }] },
      'messages[0].simpleResponses.simpleResponses[0]',
    ],
    [
      'a carousel of one card',
      { messages: [{ rbmCarouselRichCard: { cardContents: [{}] } }] },
      'messages[0].rbmCarouselRichCard.cardContents',
    ],
    [
      'a card title past 200 bytes',
      { messages: [{ rbmStandaloneRichCard: { cardContent: { title: 'é'.repeat(101) } } }] },
      'messages[0].rbmStandaloneRichCard.cardContent.title',
    ],
    [
      'media with two pictures',
      {
        messages: [
          { mediaContent: { mediaObjects: [{ name: 'n', contentUrl: 'u', icon: {}, largeImage: {} }] } },
        ],
      },
      'messages[0].mediaContent.mediaObjects[0]',
    ],
    [
      'a mandatory parameter without a type',
      { parameters: [{ displayName: 'p', mandatory: true }] },
      'parameters[0].entityTypeDisplayName',
    ],
    [
      'an entity type without its @',
      { parameters: [{ displayName: 'p', entityTypeDisplayName: 'sys.date' }] },
      'parameters[0].entityTypeDisplayName',
    ],
    [
      'half an annotation',
      { trainingPhrases: [{ type: 'EXAMPLE', parts: [{ text: 't', alias: 'a' }] }] },
      'trainingPhrases[0].parts[0]',
    ],
    [
      'a phrase without parts',
      { trainingPhrases: [{ type: 'EXAMPLE', parts: [] }] },
      'trainingPhrases[0].parts',
    ],
    [
      'a parent of another project',
      { parentFollowupIntentName: 'projects/other/agent/intents/p' },
      'parentFollowupIntentName',
    ],
    ['a language that is none', { languageCode: '?' }, 'languageCode'],
  ],
  updateIntent: [
    ["a name that is no intent's", { name: 'projects/demo/intents/i', displayName: 'a' }, 'name'],
    [
      'a name with a location',
      { name: 'projects/demo/locations/eu/agent/intents/i', displayName: 'a' },
      'name',
    ],
    ['no field to change', { name }, ''],
    ['a mask that names the language', { name, updateMask: ['languageCode'] }, 'updateMask'],
  ],
  deleteIntent: [['a name that climbs', { name: 'projects/demo/agent/intents/..' }, 'name']],
  detectIntent: [
    ['a session past 36 characters', { session: long(37) }, 'session'],
    ['a user past 36 characters', { user: long(37) }, 'user'],
    [
      'text past 256 characters',
      { queryInput: { text: { text: long(257), languageCode: 'en' } } },
      'queryInput.text.text',
    ],
    [
      'two kinds of input',
      { queryInput: { text: { text: 'a', languageCode: 'en' }, event: { name: 'e' } } },
      'queryInput',
    ],
    ['no kind of input', { queryInput: {} }, 'queryInput'],
    [
      'audio without sound',
      {
        queryInput: {
          audioConfig: { audioEncoding: 'AUDIO_ENCODING_FLAC', sampleRateHertz: 8000, languageCode: 'en' },
        },
      },
      'inputAudio',
    ],
    ['sound without audio', { inputAudio: 'UklG' }, 'inputAudio'],
    [
      'a latitude past the pole',
      { queryParams: { geoLocation: { latitude: 91, longitude: 0 } } },
      'queryParams.geoLocation.latitude',
    ],
    [
      'a context of another session',
      { queryParams: { contexts: [{ name: 'projects/demo/agent/sessions/other/contexts/c' }] } },
      'queryParams.contexts[0].name',
    ],
    [
      'a header that is no header',
      { queryParams: { webhookHeaders: [{ name: 'a b', value: '' }] } },
      'queryParams.webhookHeaders[0].name',
    ],
    [
      'a header of two lines',
      { queryParams: { webhookHeaders: [{ name: 'a', value: 'b\r\nc: d' }] } },
      'queryParams.webhookHeaders[0].value',
    ],
    [
      'a duration in minutes',
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
      'queryInput.audioConfig.defaultNoSpeechTimeout',
    ],
    [
      'a mask of unknown audio settings',
      { outputAudioConfigMask: 'audioEncoding,volume' },
      'outputAudioConfigMask',
    ],
  ],
  deleteContexts: [
    ['a session with a slash', { session: 'a/b' }, 'session'],
    ['an empty session', { session: '' }, 'session'],
    ['a project with a slash', { project: 'a/b' }, 'project'],
  ],
}

const types: Record<string, [type: string, defaults: Record<string, unknown>, selection: string]> = {
  setAgent: ['SetAgentInput', { project: 'demo' }, 'agent { id }'],
  exportAgent: ['ExportAgentInput', { project: 'demo' }, 'operation { done }'],
  importAgent: ['ImportAgentInput', { project: 'demo' }, 'operation { done }'],
  createIntent: ['CreateIntentInput', { project: 'demo', displayName: 'a' }, 'intent { id }'],
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
  const cases = Object.entries(wrong).flatMap(([field, rows]) =>
    rows.map(([what, input, path]) => [what, field, input, path === '' ? 'input' : `input.${path}`] as const),
  )
  test.for(cases)('is refused with %s (%s), before any call', async ([, field, input, at]) => {
    await using agents = await agentsOver({ body: {} })
    const { data, errors } = await agents.run(mutation(field), { input: { ...types[field]![1], ...input } })
    expect(data).toEqual({ [field]: null })
    expect(faults(errors)).toEqual([`${field}: BAD_USER_INPUT`])
    expect(errors[0]?.extensions.argument).toBe(at)
    expect(errors[0]?.message).toContain(`\`${at}\``)
    expect(agents.arrived).toEqual([])
  })

  test('that is empty is refused without a bound that there is not', async () => {
    await using agents = await agentsOver({ body: {} })
    const messageOf = async (field: string, input: object) =>
      (await agents.run(mutation(field), { input: { ...types[field]![1], ...input } })).errors[0]?.message
    expect(await messageOf('setAgent', { displayName: '' })).toBe(
      '`input.displayName` must have at least one character.',
    )
    expect(await messageOf('detectIntent', { queryInput: { dtmf: { dtmfEvents: [] } } })).toBe(
      '`input.queryInput.dtmf.dtmfEvents` must have at least one tone.',
    )
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
    [
      'an audio format as a result has it',
      {
        outputAudioConfig: {
          audioEncoding: 'OUTPUT_AUDIO_ENCODING_MP3_64_KBPS',
          sampleRateHertz: 0,
          synthesizeSpeechConfig: { speakingRate: 0, pitch: 0, volumeGainDb: 0 },
        },
      },
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
