import { describe, expect, test } from 'vitest'
import { recognizeSpeech, sampleAgents, synthesizeSpeech } from '../../sandbox/agents/index.ts'
import { agent, type Json, sessions, startAgents } from './agents-kit.ts'

const { intents: named } = sampleAgents
type Agents = Awaited<ReturnType<typeof startAgents>>

const textInput = (text: string) => ({ text: { text, languageCode: 'en' } })
const eventInput = (name: string) => ({ event: { name, languageCode: 'en' } })

async function say(agents: Agents, text: string, queryParams?: Json, session = 's'): Promise<Json> {
  const more = queryParams === undefined ? {} : { queryParams }
  const { status, body } = await agents.detect(session, textInput(text), more)
  expect(status).toBe(200)
  return body.queryResult as Json
}
const intentOf = (result: Json) => (result.intent as Json | undefined)?.displayName
const contextsOf = (result: Json) =>
  ((result.outputContexts ?? []) as Json[]).map(({ name, lifespanCount }) => [
    String(name).split('/').at(-1),
    lifespanCount,
  ])

describe('finding the intent', () => {
  test.each([
    ['hello', 'Default Welcome Intent'],
    ['  HELLO!! ', 'Default Welcome Intent'],
    ['hello there', 'Default Fallback Intent'],
    ['question 007?', 'faq.007'],
    ['nobody hears this', 'Default Fallback Intent'],
  ])('%o is %s', async (text, intent) => {
    await using agents = await startAgents()
    expect(intentOf(await say(agents, text))).toBe(intent)
  })

  test('without a fallback nothing is found, and the answer has no intent', async () => {
    await using agents = await startAgents()
    await agents.send('DELETE', `/v2beta1/${named.fallback}`)
    const result = await say(agents, 'what?')
    expect(result).toEqual({ queryText: 'what?', languageCode: 'en' })
  })

  test('annotated parts become parameters of their type, with their original text', async () => {
    await using agents = await startAgents()
    const result = await say(agents, 'I want 3 pizzas with green olives')
    expect(result).toMatchObject({
      parameters: { count: 3, topping: 'green olives', size: 'medium' },
      allRequiredParamsPresent: true,
      fulfillmentText: '3 pizzas with green olives, is that right?',
      fulfillmentMessages: [{}, { payload: { order: 'green olives' } }],
    })
    const [context] = result.outputContexts as Json[]
    expect(context?.parameters).toMatchObject({ count: 3, 'count.original': '3' })
    expect(intentOf(await say(agents, 'I want many pizzas with ham'))).not.toBe('pizza.order')
  })

  test('the agent asks for missing parameters one after the other', async () => {
    await using agents = await startAgents()
    expect(await say(agents, 'order a pizza')).toMatchObject({
      fulfillmentText: 'How many pizzas?',
      parameters: { count: '' },
    })
    expect(await say(agents, 'a few')).toMatchObject({ fulfillmentText: 'How many pizzas?' })
    const asked = await say(agents, '2')
    expect(asked).toMatchObject({ fulfillmentText: 'With what on them?', parameters: { count: 2 } })
    expect(asked).not.toHaveProperty('allRequiredParamsPresent')
    expect(await say(agents, 'ham')).toMatchObject({
      allRequiredParamsPresent: true,
      parameters: { topping: 'ham' },
    })
    await say(agents, 'order a pizza')
    expect(await say(agents, 'never mind')).toMatchObject({ cancelsSlotFilling: true })
    expect(intentOf(await say(agents, 'hello'))).toBe('Default Welcome Intent')
  })

  test('events find the intents that name them', async () => {
    await using agents = await startAgents()
    const { body } = await agents.detect('s', eventInput('WELCOME'))
    expect(intentOf(body.queryResult as Json)).toBe('Default Welcome Intent')
    const none = await agents.detect('s', eventInput('NOTHING'))
    expect(none.body.queryResult).not.toHaveProperty('intent')
  })

  test('entities of the session replace those of the type', async () => {
    await using agents = await startAgents()
    const sessionEntityTypes = [
      {
        name: 'projects/demo/agent/environments/draft/users/-/sessions/s/entityTypes/topping',
        entityOverrideMode: 'ENTITY_OVERRIDE_MODE_OVERRIDE',
        entities: [{ value: 'prosciutto', synonyms: ['ham', 'bacon'] }],
      },
    ]
    const found = await say(agents, 'I want 2 pizzas with Bacon', { sessionEntityTypes })
    expect(found.parameters).toMatchObject({ topping: 'prosciutto' })
    expect(intentOf(await say(agents, 'I want 2 pizzas with sand', { sessionEntityTypes }, 'other'))).toBe(
      'Default Fallback Intent',
    )
  })
})

describe('contexts', () => {
  test('enable intents for their life span in turns, within one session', async () => {
    await using agents = await startAgents()
    expect(intentOf(await say(agents, 'yes'))).toBe('Default Fallback Intent')
    expect(contextsOf(await say(agents, 'I want 2 pizzas with ham'))).toEqual([['pizza-followup', 2]])
    expect(intentOf(await say(agents, 'yes', undefined, 'another'))).toBe('Default Fallback Intent')
    expect(intentOf(await say(agents, 'perhaps'))).toBe('pizza fallback')
    const yes = await say(agents, 'yes')
    expect(yes).toMatchObject({ fulfillmentText: '2 pizzas are on their way.' })
    expect(contextsOf(yes)).toEqual([['pizza-yes-followup', 2]])
    expect(intentOf(await say(agents, 'yes'))).toBe('Default Fallback Intent')
    expect(intentOf(await say(agents, 'more'))).toBe('pizza.order - yes - more')
  })

  test('can be set, reset and deleted by the caller, and end after twenty minutes', async () => {
    let now = Date.UTC(2026, 5, 1)
    await using agents = await startAgents({ now: () => now })
    const name = `${sessions.replace('/v2beta1/', '')}/s/contexts/Pizza-Followup`
    const contexts = [{ name, lifespanCount: 5, parameters: { count: 7 } }]
    expect(await say(agents, 'yes', { contexts })).toMatchObject({
      fulfillmentText: '7 pizzas are on their way.',
    })
    expect(intentOf(await say(agents, 'yes', { resetContexts: true }))).toBe('Default Fallback Intent')
    await say(agents, 'hello', { contexts })
    expect((await agents.send('DELETE', `${sessions}/s/contexts`)).body).toEqual({})
    expect(intentOf(await say(agents, 'yes'))).toBe('Default Fallback Intent')
    await say(agents, 'hello', { contexts })
    now += 20 * 60_000
    expect(intentOf(await say(agents, 'yes'))).toBe('Default Fallback Intent')
  })

  test('a life span of zero ends a context immediately', async () => {
    await using agents = await startAgents()
    await say(agents, 'I want 2 pizzas with ham')
    expect(contextsOf(await say(agents, 'no'))).toEqual([])
  })
})

describe('webhooks, speech and sentiment', () => {
  test('a webhook that answers gives its text and payload', async () => {
    await using agents = await startAgents()
    const { body } = await agents.detect('s', textInput('weather in Oslo'))
    expect(body).toMatchObject({
      queryResult: {
        fulfillmentText: 'Sunny, 21 degrees.',
        webhookSource: 'sandbox',
        webhookPayload: { degrees: 21 },
      },
      webhookStatus: { message: 'Webhook execution successful' },
    })
    expect(body.webhookStatus).not.toHaveProperty('code')
  })

  test('a webhook that fails leaves the static messages, a status and a call that succeeded', async () => {
    await using agents = await startAgents()
    const { status, body } = await agents.detect('s', textInput('what do tiles cost'))
    expect([status, body.webhookStatus, (body.queryResult as Json).fulfillmentText]).toMatchObject([
      200,
      { code: 14 },
      'I cannot look that up right now.',
    ])
  })

  test.each([
    ['LINEAR_16', 1, 16],
    ['ALAW', 6, 8],
    ['MULAW', 7, 8],
  ])('speech in %s is a WAV file of that form', async (encoding, form, bits) => {
    await using agents = await startAgents()
    const outputAudioConfig = { audioEncoding: `OUTPUT_AUDIO_ENCODING_${encoding}` }
    const { body } = await agents.detect('s', textInput('hello'), { outputAudioConfig })
    const audio = Buffer.from(String(body.outputAudio), 'base64')
    expect([audio.readUInt16LE(20), audio.readUInt16LE(34)]).toEqual([form, bits])
  })

  test('speech is a WAV file of the requested rate, and is recognized as input', async () => {
    await using agents = await startAgents()
    const outputAudioConfig = { audioEncoding: 'OUTPUT_AUDIO_ENCODING_LINEAR_16', sampleRateHertz: 16_000 }
    const { body } = await agents.detect('s', textInput('hello'), { outputAudioConfig })
    const audio = Buffer.from(String(body.outputAudio), 'base64')
    const head = [audio.toString('latin1', 0, 4), audio.readUInt32LE(24), audio.readUInt16LE(34)]
    expect(head).toEqual(['RIFF', 16_000, 16])
    expect(audio.readUInt32LE(4)).toBe(audio.length - 8)
    expect(recognizeSpeech(audio)).toBe('Hello! What can I do for you?')
    expect(body.outputAudioConfig).toEqual(outputAudioConfig)
    const audioConfig = {
      audioEncoding: 'AUDIO_ENCODING_LINEAR_16',
      sampleRateHertz: 8000,
      languageCode: 'en',
    }
    const inputAudio = synthesizeSpeech('question 003', 8000).toString('base64')
    const heard = (await agents.detect('s', { audioConfig }, { inputAudio })).body
    expect(heard.queryResult).toMatchObject({
      queryText: 'question 003',
      speechRecognitionConfidence: 0.95,
      intent: { displayName: 'faq.003' },
    })
    expect(recognizeSpeech(Buffer.from(String(heard.outputAudio), 'base64'))).toBe('Answer 003.')
    const noise = (await agents.detect('s', { audioConfig }, { inputAudio: 'AAAA' })).body.queryResult as Json
    expect(noise).not.toHaveProperty('queryText')
    expect(intentOf(noise)).toBe('Default Fallback Intent')
  })

  test('the end of a conversation and the sentiment of a text are in the answer', async () => {
    await using agents = await startAgents()
    expect(await say(agents, 'bye')).toMatchObject({
      diagnosticInfo: { end_conversation: true },
      intent: { endInteraction: true },
    })
    const sad = await say(agents, 'this is bad', {
      sentimentAnalysisRequestConfig: { analyzeQueryTextSentiment: true },
    })
    expect(sad.sentimentAnalysisResult).toEqual({ queryTextSentiment: { score: -1, magnitude: 1 } })
  })
})

describe('refusals', () => {
  const text = textInput('hello')
  const flac = { audioEncoding: 'AUDIO_ENCODING_FLAC', sampleRateHertz: 8000, languageCode: 'en' }
  test.each<[body: unknown, because: string]>([
    [{}, 'no input'],
    [{ queryInput: {} }, 'an empty input'],
    [{ queryInput: { ...text, ...eventInput('E') } }, 'two inputs'],
    [{ queryInput: { text: { text: 'hello' } } }, 'no language'],
    [{ queryInput: textInput('') }, 'an empty text'],
    [{ queryInput: textInput('🙂'.repeat(257)) }, 'a long text'],
    [{ queryInput: text, inputAudio: 'AAAA' }, 'audio with a text'],
    [{ queryInput: { audioConfig: flac } }, 'no audio'],
    [{ queryInput: text, outputAudioConfig: {} }, 'no encoding of the output'],
    [{ queryInput: text, outputAudioConfigMask: 'nonsense' }, 'an unknown mask path'],
    [
      { queryInput: text, queryParams: { contexts: [{ name: 'short', lifespanCount: 1 }] } },
      'a context that is not named in full',
    ],
    [{ queryInput: text, queryParams: { colour: 'red' } }, 'an unknown parameter'],
    [{ queryInput: text, more: 1 }, 'an unknown field'],
  ])('%o is refused: %s', async (body) => {
    await using agents = await startAgents()
    const { status, body: answer } = await agents.post(`${sessions}/s:detectIntent`, body)
    expect([status, answer.error]).toMatchObject([400, { status: 'INVALID_ARGUMENT' }])
  })

  test('256 characters, and ids of 36, are allowed; 37 are not', async () => {
    await using agents = await startAgents()
    const longest = textInput('🙂'.repeat(256))
    expect((await agents.detect('s'.repeat(36), longest)).status).toBe(200)
    expect((await agents.detect('s'.repeat(37), text)).status).toBe(400)
    const user = `${agent}/environments/draft/users/${'u'.repeat(37)}/sessions/s`
    expect((await agents.post(`${user}:detectIntent`, { queryInput: text })).status).toBe(400)
    expect((await agents.send('DELETE', `${user}/contexts`)).status).toBe(400)
  })

  test('unknown environments and projects are not found; an encoding that is not implemented is refused', async () => {
    await using agents = await startAgents()
    const elsewhere = `${agent}/environments/moon/users/-/sessions/s:detectIntent`
    expect((await agents.post(elsewhere, { queryInput: text })).status).toBe(404)
    const nobody = `/v2beta1/projects/${sampleAgents.emptyProject}/agent/environments/draft/users/-/sessions/s`
    expect((await agents.post(`${nobody}:detectIntent`, { queryInput: text })).status).toBe(404)
    expect((await agents.send('DELETE', `${nobody}/contexts`)).status).toBe(404)
    const outputAudioConfig = { audioEncoding: 'OUTPUT_AUDIO_ENCODING_MP3' }
    expect((await agents.detect('s', text, { outputAudioConfig })).status).toBe(501)
  })
})
