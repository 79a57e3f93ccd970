import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, describe, expect, test } from 'vitest'
import { messageKinds, sampleAgents } from '../../sandbox/agents/index.ts'
import { agent, type Json, startAgents } from './agents-kit.ts'
import { keepForFile } from '../support/keep.ts'

const { intents: named, intentCount, emptyProject } = sampleAgents
const v2 = (name: string) => `/v2beta1/${name}`

const agents = keepForFile(await startAgents())
beforeEach(() => agents.sandbox.reset())

describe('the agent', () => {
  test('is read without its default values', async () => {
    const { status, body } = await agents.get(agent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ parent: 'projects/demo', defaultLanguageCode: 'en', enableLogging: true })
    await agents.post(`${agent}?updateMask=enableLogging,classificationThreshold`, { enableLogging: false })
    const changed = (await agents.get(agent)).body
    expect(changed).not.toHaveProperty('enableLogging')
    expect(changed).not.toHaveProperty('classificationThreshold')
    expect(changed).toHaveProperty('description')
  })

  test('is not found in a project without one, until it is set there', async () => {
    const path = `/v2beta1/projects/${emptyProject}/agent`
    const { status, body } = await agents.get(path)
    expect([status, body.error]).toMatchObject([404, { code: 404, status: 'NOT_FOUND' }])
    const set = await agents.post(path, {
      displayName: 'New',
      defaultLanguageCode: 'de',
      timeZone: 'Europe/Berlin',
    })
    expect(set.status).toBe(200)
    const intents = await agents.intents('', path)
    expect(intents.map(({ displayName }) => displayName)).toEqual([
      'Default Welcome Intent',
      'Default Fallback Intent',
    ])
    expect((await agents.send('DELETE', path)).body).toEqual({})
    expect((await agents.get(path)).status).toBe(404)
  })

  test('an empty mask replaces everything', async () => {
    const whole = { displayName: 'Bare', defaultLanguageCode: 'en', timeZone: 'UTC' }
    expect((await agents.post(`${agent}?updateMask=`, whole)).body).toEqual({
      parent: 'projects/demo',
      ...whole,
    })
  })

  test.each<[body: unknown, mask: string, because: string]>([
    [{ display_name: 'x', displayName: 'y' }, 'displayName', 'a field in both spellings'],
    [{ colour: 'red' }, '', 'an unknown field'],
    [{ displayName: 5 }, 'displayName', 'a number for a string'],
    [{ tier: 'TIER_GOLD' }, 'tier', 'an unknown enum value'],
    [{}, 'displayName', 'clearing what is required'],
    [{ displayName: 'x' }, 'nickname', 'an unknown mask path'],
    [{ displayName: 'x' }, 'displayName.length', 'a mask path below a string'],
    [{ defaultLanguageCode: 'fr' }, 'defaultLanguageCode', 'another default language'],
    [{ description: 'x'.repeat(501) }, 'description', 'a long description'],
    [{ classificationThreshold: 1.1 }, 'classificationThreshold', 'a threshold above one'],
    [{ timeZone: 'Moon/Base' }, 'timeZone', 'an unknown time zone'],
    [{ parent: 'projects/other' }, 'displayName', 'another parent'],
  ])('%o with mask %s is refused: %s', async (body, mask) => {
    const before = (await agents.get(agent)).body
    const { status, body: answer } = await agents.post(`${agent}?updateMask=${mask}`, body)
    expect([status, answer.error]).toMatchObject([400, { code: 400, status: 'INVALID_ARGUMENT' }])
    expect((await agents.get(agent)).body).toEqual(before)
  })

  test('unknown query parameters and broken JSON are refused', async () => {
    expect((await agents.get(`${agent}?colour=red`)).status).toBe(400)
    expect((await agents.get(`${agent}?prettyPrint=false&key=k`)).status).toBe(200)
    expect((await agents.send('POST', agent, '{')).status).toBe(400)
  })
})

describe('intents', () => {
  test('every page size lists the same intents, each once', async () => {
    const walk = async (size: number) => {
      const names: unknown[] = []
      let calls = 0
      let token: unknown
      do {
        const from = token === undefined ? '' : `&pageToken=${token}`
        const { body } = await agents.get(`${agent}/intents?pageSize=${size}${from}`)
        names.push(...(body.intents as Json[]).map(({ name }) => name))
        token = body.nextPageToken
        calls++
      } while (token !== undefined)
      return { names, calls }
    }
    const whole = await walk(1000)
    expect([whole.names.length, whole.calls]).toEqual([intentCount, 1])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (size) => {
        expect(await walk(size)).toEqual({ names: whole.names, calls: Math.ceil(intentCount / size) })
      }),
      { numRuns: 8 },
    )
    expect(await agents.intents('')).toHaveLength(100)
    expect(await agents.intents('pageSize=5000')).toHaveLength(intentCount)
  })

  test.each(['pageSize=-1', 'pageSize=many', 'pageToken=stale', 'intentView=INTENT_VIEW_HALF'])(
    '%s is refused',
    async (query) => {
      expect((await agents.get(`${agent}/intents?${query}`)).status).toBe(400)
    },
  )

  test('an agent without intents lists nothing at all', async () => {
    const intents = await agents.intents()
    for (const { name } of intents) await agents.send('DELETE', v2(String(name)))
    expect((await agents.get(`${agent}/intents`)).body).toEqual({})
  })

  test('training phrases are shown in the full view only', async () => {
    expect((await agents.get(v2(named.order))).body).not.toHaveProperty('trainingPhrases')
    const full = (await agents.get(`${v2(named.order)}?intentView=INTENT_VIEW_FULL`)).body
    expect(full.trainingPhrases).toHaveLength(4)
  })

  test('every kind of message occurs', async () => {
    const intents = await agents.intents()
    const kinds = intents.flatMap(({ messages }) =>
      ((messages ?? []) as Json[]).flatMap((message) => Object.keys(message)),
    )
    for (const kind of Object.keys(messageKinds)) expect(kinds).toContain(kind)
    expect(Object.keys(messageKinds)).toHaveLength(20)
  })

  test('what is created can be read back, with names from the service', async () => {
    const created = await agents.post(`${agent}/intents?intentView=INTENT_VIEW_FULL`, {
      display_name: 'made',
      trainingPhrases: [{ type: 'EXAMPLE', parts: [{ text: 'make it' }] }],
      parameters: [{ displayName: 'what', value: '$what', isList: false }],
      outputContexts: [{ name: 'projects/demo/agent/sessions/-/contexts/MadeIt', lifespanCount: 3 }],
      messages: [{ text: { text: ['Made.'] } }, { payload: { deep: [null, { a: 1 }] } }],
    })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({
      displayName: 'made',
      priority: 500_000,
      trainingPhrases: [{ name: expect.any(String), parts: [{ text: 'make it' }] }],
      parameters: [{ name: expect.any(String), displayName: 'what', value: '$what' }],
      outputContexts: [{ name: 'projects/demo/agent/sessions/-/contexts/madeit', lifespanCount: 3 }],
      messages: [{ text: { text: ['Made.'] } }, { payload: { deep: [null, { a: 1 }] } }],
    })
    expect((await agents.get(`${v2(String(created.body.name))}?intentView=INTENT_VIEW_FULL`)).body).toEqual(
      created.body,
    )
  })

  test.each<[body: unknown, because: string]>([
    [{}, 'no display name'],
    [{ displayName: 'goodbye' }, 'a display name that another has'],
    [{ displayName: 'x', name: 'projects/demo/agent/intents/1' }, 'a name'],
    [{ displayName: 'x', colour: 1 }, 'an unknown field'],
    [{ displayName: 'x', messages: [{ text: { text: ['a'] }, card: {} }] }, 'two contents in a message'],
    [{ displayName: 'x', messages: [{ platform: 'SLACK' }] }, 'a message without content'],
    [{ displayName: 'x', inputContextNames: ['short'] }, 'a context that is not named in full'],
    [{ displayName: 'x', action: 'two words' }, 'white space in the action'],
    [{ displayName: 'x', events: ['E'.repeat(151)] }, 'a long event'],
    [
      { displayName: 'x', parameters: [{ displayName: 'p', mandatory: true }] },
      'a mandatory parameter without a type',
    ],
    [{ displayName: 'x', trainingPhrases: [{ type: 'EXAMPLE', parts: [] }] }, 'a phrase without parts'],
    [
      { displayName: 'x', trainingPhrases: [{ parts: [{ text: 'a', entityType: 'city', alias: 'c' }] }] },
      'a type without @',
    ],
    [{ displayName: 'x', parentFollowupIntentName: 'projects/demo/agent/intents/none' }, 'an unknown parent'],
    [{ displayName: 'x', priority: 1.5 }, 'a fraction for an integer'],
  ])('%o is refused: %s', async (body) => {
    const { status, body: answer } = await agents.post(`${agent}/intents`, body)
    expect([status, answer.error]).toMatchObject([400, { status: 'INVALID_ARGUMENT' }])
    expect(await agents.intents()).toHaveLength(intentCount)
  })

  test('a mask changes what it names and clears what the body lacks; no mask replaces all', async () => {
    const read = async () => (await agents.get(`${v2(named.goodbye)}?intentView=INTENT_VIEW_FULL`)).body
    const before = await read()
    const patch = (mask: string, body: unknown) =>
      agents.send('PATCH', `${v2(named.goodbye)}?updateMask=${mask}`, body)
    await patch('displayName,events', { displayName: 'ciao' })
    const { events: _, ...rest } = before
    expect(await read()).toEqual({ ...rest, displayName: 'ciao' })
    expect((await patch('display_name', { displayName: 'bye' })).status).toBe(200)
    await patch('', { displayName: 'bare' })
    expect(await read()).toEqual({ name: named.goodbye, displayName: 'bare', priority: 500_000 })
    expect((await patch('nonsense', {})).status).toBe(400)
    expect((await patch('displayName', { displayName: 'weather.now' })).status).toBe(400)
    expect((await patch('displayName', { name: named.order, displayName: 'x' })).status).toBe(400)
  })

  test('follow-ups name their parents, and are deleted with them', async () => {
    const root = (await agents.get(v2(named.order))).body
    expect(root.followupIntentInfo).toContainEqual({
      followupIntentName: named.orderYesMore,
      parentFollowupIntentName: named.orderYes,
    })
    expect((await agents.get(v2(named.orderYesMore))).body).toMatchObject({
      rootFollowupIntentName: named.order,
      parentFollowupIntentName: named.orderYes,
    })
    expect((await agents.send('DELETE', v2(named.order))).body).toEqual({})
    for (const name of [named.order, named.orderYes, named.orderYesMore])
      expect((await agents.get(v2(name))).status).toBe(404)
    expect((await agents.send('DELETE', v2(named.order))).status).toBe(404)
  })

  test('phrases and messages are kept by language', async () => {
    const german = `${v2(named.goodbye)}?languageCode=de&intentView=INTENT_VIEW_FULL`
    expect((await agents.get(german)).body).not.toHaveProperty('trainingPhrases')
    await agents.send('PATCH', `${german}&updateMask=trainingPhrases,messages`, {
      trainingPhrases: [{ parts: [{ text: 'tschüss' }] }],
      messages: [{ text: { text: ['Bis bald!'] } }],
    })
    expect((await agents.get(german)).body).toMatchObject({ messages: [{ text: { text: ['Bis bald!'] } }] })
    expect((await agents.get(v2(named.goodbye))).body).toMatchObject({
      messages: [{ text: { text: ['Goodbye!'] } }],
    })
    const { body } = await agents.detect('s', { text: { text: 'Tschüss!', languageCode: 'de-AT' } })
    expect(body.queryResult).toMatchObject({ fulfillmentText: 'Bis bald!', languageCode: 'de-AT' })
  })
})

describe('export and import', () => {
  test('an export is a ZIP that restores what was deleted and replaces what was changed', async () => {
    const { done, response } = (await agents.post(`${agent}:export`, {})).body
    const { '@type': type, agentContent } = response as Json
    expect(done).toBe(true)
    expect(type).toBe('type.googleapis.com/google.cloud.dialogflow.v2beta1.ExportAgentResponse')
    expect(Buffer.from(String(agentContent), 'base64').toString('latin1', 0, 4)).toBe('PK\x03\x04')
    await agents.send('DELETE', v2(named.weather))
    await agents.send('PATCH', `${v2(named.goodbye)}?updateMask=messages`, { messages: [] })
    const started = (await agents.post(`${agent}:import`, { agentContent })).body
    expect(started).not.toHaveProperty('done')
    const finished = (await agents.get(v2(String(started.name)))).body
    expect(finished).toMatchObject({
      done: true,
      response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
    })
    const intents = await agents.intents()
    expect(intents.map(({ displayName }) => displayName)).toContain('weather.now')
    expect(intents).toHaveLength(intentCount)
    expect((await agents.get(v2(named.goodbye))).body).toHaveProperty('messages')
  })

  test('with an address the archive is stored there and read from there', async () => {
    const agentUri = 'gs://demo-bucket/agent.zip'
    const missing = (await agents.post(`${agent}:import`, { agentUri })).body
    expect((await agents.get(v2(String(missing.name)))).body).toMatchObject({
      done: true,
      error: { code: 5 },
    })
    const exported = (await agents.post(`${agent}:export`, { agentUri })).body
    expect(exported.response).toMatchObject({ agentUri })
    expect(exported.response).not.toHaveProperty('agentContent')
    const imported = (await agents.post(`${agent}:import`, { agentUri })).body
    expect((await agents.get(v2(String(imported.name)))).body).toMatchObject({ done: true, response: {} })
  })

  test.each([
    ['export', { agentUri: 'https://elsewhere/agent.zip' }],
    ['export', { format: 'zip' }],
    ['import', {}],
    ['import', { agentUri: 'gs://b/o', agentContent: 'UEsDBA==' }],
    ['import', { agentContent: 'UEsDBA==' }],
    ['import', { agentContent: 'not base64!' }],
  ])('%s of %o is refused', async (verb, body) => {
    expect((await agents.post(`${agent}:${verb}`, body)).status).toBe(400)
  })

  test.each([
    [
      'files',
      // Stored, as each file that is packed allocates tables of hundreds of kilobytes.
      zipSync(
        Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`${index}.txt`, new Uint8Array()])),
        { level: 0 },
      ),
    ],
    ['unpacked bytes', zipSync({ 'intents/a.json': new Uint8Array(33 * 1024 * 1024) })],
    ['packed bytes', zipSync({ 'intents/a.json': randomBytes(2 * 1024 * 1024 + 1) })],
  ])('an archive with too many %s is refused', async (_, archive) => {
    const agentContent = Buffer.from(archive).toString('base64')
    const { status, body } = await agents.post(`${agent}:import`, { agentContent })
    expect([status, body.error]).toMatchObject([400, { status: 'INVALID_ARGUMENT' }])
  })

  test('a ZIP archive of another program is read', async () => {
    const intent = { displayName: 'from elsewhere', trainingPhrases: [{ parts: [{ text: 'hi' }] }] }
    const files = { 'intents/x.json': strToU8(JSON.stringify(intent)) }
    const agentContent = Buffer.from(zipSync(files, { level: 0 })).toString('base64')
    const started = (await agents.post(`${agent}:import`, { agentContent })).body
    expect((await agents.get(v2(String(started.name)))).body).toMatchObject({ done: true, response: {} })
    const intents = await agents.intents()
    expect(intents.at(-1)).toMatchObject({ displayName: 'from elsewhere' })
  })

  test('an operation that does not exist is not found', async () => {
    expect((await agents.get('/v2beta1/projects/demo/operations/none')).status).toBe(404)
  })
})

describe('authorization', () => {
  test('a token needs one of the two scopes, and is needed only if authorization is required', async () => {
    const status = async (on: typeof agents, token?: string) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return (await fetch(on.sandbox.url + agent, { headers })).status
    }
    expect(await status(agents)).toBe(200)
    expect(await status(agents, 'scopes:https://www.googleapis.com/auth/dialogflow')).toBe(200)
    expect(await status(agents, 'scopes:tweet.read')).toBe(403)
    await using closed = await startAgents({ requireAuth: true })
    expect(await status(closed)).toBe(401)
    expect(await status(closed, 'any')).toBe(200)
  })

  test('a quota of requests a minute is kept when there is one', async () => {
    let now = 60_000_000
    await using agents = await startAgents({ now: () => now, agents: { requestsPerMinute: 2 } })
    const statuses = async () => [
      (await agents.get(agent)).status,
      (await agents.get(agent)).status,
      (await agents.get(agent)).body.error,
    ]
    expect(await statuses()).toMatchObject([200, 200, { code: 429, status: 'RESOURCE_EXHAUSTED' }])
    now += 60_000
    expect((await agents.get(agent)).status).toBe(200)
  })
})
