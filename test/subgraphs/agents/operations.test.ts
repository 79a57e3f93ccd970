/** Each operation of the service: the exact request that leaves, and the typed result. */
import { describe, expect, test } from 'vitest'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import { faults } from '../../support/subgraph.ts'
import { agentsOver, failed, lines } from './kit.ts'

const intentName = 'projects/demo/agent/intents/5c0a-1'

describe('agent', () => {
  test('is null, and no error, if the project has none', async () => {
    await using agents = await agentsOver(
      failed(404, 'NOT_FOUND', "No DesignTimeAgent found for project 'demo'."),
    )
    const { data, errors } = await agents.run('{ agent(project: "demo") { id } }')
    expect([data, errors]).toEqual([{ agent: null }, []])
  })

  test.for([
    { body: { error: { code: 404, message: 'There is no agent.' } } },
    { body: { error: { code: 5, message: 'There is no agent.' } } },
    { body: { code: 5, message: 'There is no agent.', details: [] } },
    { body: { detail: 'Not Found' } },
    { body: {} },
    {},
  ])('is null if the service says so by %j', async (answer) => {
    await using agents = await agentsOver({ status: 404, ...answer })
    const { data, errors } = await agents.run(
      '{ agent(project: "demo") { id } agentOperation(name: "projects/demo/operations/o") { done } }',
    )
    expect([data, errors]).toEqual([{ agent: null, agentOperation: null }, []])
  })

  test("is an error if a 404 is not the service's own", async () => {
    for (const answer of [
      { text: '<html>no such site</html>' },
      { text: 'no such site', headers: { 'content-type': 'text/plain' } },
    ]) {
      await using agents = await agentsOver({ status: 404, ...answer })
      const { errors } = await agents.run('{ agent(project: "demo") { id } }')
      expect(faults(errors)).toEqual(['agent: UPSTREAM_BAD_RESPONSE'])
    }
  })

  test('is an error if only the number in the body of another status says so', async () => {
    await using agents = await agentsOver({ status: 400, body: { error: { code: 404 } } })
    const { errors } = await agents.run('{ agent(project: "demo") { id } }')
    expect(faults(errors)).toEqual(['agent: BAD_USER_INPUT'])
  })

  test('is null if the JSON that says so is called plain text', async () => {
    const plain = { 'content-type': 'text/plain; charset=utf-8' }
    await using agents = await agentsOver({ ...failed(404, 'NOT_FOUND', 'none'), headers: plain })
    const { data, errors } = await agents.run('{ agent(project: "demo") { id } }')
    expect([data, errors]).toEqual([{ agent: null }, []])
  })

  test('is read once, whatever asks for it in the same operation', async () => {
    await using agents = await agentsOver({
      body: { parent: 'projects/demo', displayName: 'D', matchMode: 'MATCH_MODE_HYBRID' },
    })
    const { data, errors } = await agents.run(
      '{ a: agent(project: "demo") { id project parent } b: agent(project: "demo") { displayName matchMode } }',
    )
    expect(errors).toEqual([])
    expect(lines(agents.arrived)).toEqual(['GET /v2beta1/projects/demo/agent'])
    expect(data).toEqual({
      a: { id: toGlobalId('Agent', 'demo'), project: 'demo', parent: 'projects/demo' },
      b: { displayName: 'D', matchMode: 'MATCH_MODE_HYBRID' },
    })
  })

  test('refuses an invalid project id without a call', async () => {
    await using agents = await agentsOver({ body: {} })
    for (const project of ['', 'projects/demo', 'a/b', '..', '-', 'a?b', 'x\n']) {
      const { errors } = await agents.run('query ($p: ID!) { agent(project: $p) { id } }', { p: project })
      expect(faults(errors)).toEqual(['agent: BAD_USER_INPUT'])
      expect(errors[0]?.extensions.argument).toBe('project')
    }
    expect(agents.arrived).toEqual([])
  })
})

describe('setAgent', () => {
  test('sends what the input names, and a mask of exactly that', async () => {
    await using agents = await agentsOver({ body: { displayName: 'New', description: '' } })
    const { data, errors } = await agents.run(
      `mutation { setAgent(input: { project: "demo", displayName: "New", description: null, enableLogging: false,
         supportedLanguageCodes: ["de"], classificationThreshold: 0.4, tier: TIER_STANDARD }) {
         agent { project displayName description } } }`,
    )
    expect(errors).toEqual([])
    expect(lines(agents.arrived)).toEqual([
      'POST /v2beta1/projects/demo/agent?updateMask=displayName,supportedLanguageCodes,enableLogging,classificationThreshold,tier',
    ])
    expect(agents.arrived[0]?.body).toEqual({
      parent: 'projects/demo',
      displayName: 'New',
      enableLogging: false,
      supportedLanguageCodes: ['de'],
      classificationThreshold: 0.4,
      tier: 'TIER_STANDARD',
    })
    expect(data.setAgent.agent).toEqual({ project: 'demo', displayName: 'New', description: null })
  })
})

describe('deleteAgent', () => {
  test('answers the id of the deleted object', async () => {
    await using agents = await agentsOver({ body: {} })
    const { data } = await agents.run(
      'mutation { deleteAgent(input: { project: "demo" }) { deletedAgentId project } }',
    )
    expect(lines(agents.arrived)).toEqual(['DELETE /v2beta1/projects/demo/agent'])
    expect(data.deleteAgent).toEqual({ deletedAgentId: toGlobalId('Agent', 'demo'), project: 'demo' })
  })

  test('takes an answer without a body', async () => {
    await using agents = await agentsOver({ status: 204 })
    const { errors } = await agents.run('mutation { deleteAgent(input: { project: "demo" }) { project } }')
    expect(errors).toEqual([])
  })

  test('is an error if there is nothing to delete', async () => {
    await using agents = await agentsOver(failed(404, 'NOT_FOUND', 'none'))
    const { data, errors } = await agents.run(
      'mutation { deleteAgent(input: { project: "demo" }) { project } }',
    )
    expect([data.deleteAgent, faults(errors)]).toEqual([null, ['deleteAgent: NOT_FOUND']])
  })
})

describe('exportAgent', () => {
  const operation = `mutation ($uri: String) { exportAgent(input: { project: "demo", agentUri: $uri }) {
    agentUri agentContent operation { name done error { code status message } response metadata } } }`

  test('gives the archive if the first answer already holds it', async () => {
    const response = { '@type': 'type.googleapis.com/x.ExportAgentResponse', agentContent: 'UEsDBA==' }
    await using agents = await agentsOver({
      body: { name: 'projects/demo/operations/o', done: true, response },
    })
    const { data } = await agents.run(operation)
    expect(lines(agents.arrived)).toEqual(['POST /v2beta1/projects/demo/agent:export'])
    expect(agents.arrived[0]?.body).toEqual({})
    expect(data.exportAgent).toEqual({
      agentUri: null,
      agentContent: 'UEsDBA==',
      operation: { name: 'projects/demo/operations/o', done: true, error: null, response, metadata: null },
    })
  })

  test('says that it continues if `done` is missing', async () => {
    await using agents = await agentsOver({ body: { name: 'projects/demo/operations/o' } })
    const { data } = await agents.run(operation, { uri: 'gs://bucket/agent.zip' })
    expect(agents.arrived[0]?.body).toEqual({ agentUri: 'gs://bucket/agent.zip' })
    expect(data.exportAgent.operation).toMatchObject({ done: false, response: null })
    expect(data.exportAgent.agentContent).toBeNull()
  })

  test('gives the failure of the work as data', async () => {
    await using agents = await agentsOver({
      body: {
        name: 'projects/demo/operations/o',
        done: true,
        error: { code: 5, message: 'No such bucket.' },
      },
    })
    const { data, errors } = await agents.run(operation, { uri: 'gs://bucket/agent.zip' })
    expect(errors).toEqual([])
    expect(data.exportAgent.operation.error).toEqual({
      code: 5,
      status: 'NOT_FOUND',
      message: 'No such bucket.',
    })
  })
})

describe('agentOperation', () => {
  test('says how the work stands, and null if it is forgotten', async () => {
    await using agents = await agentsOver(({ path }) =>
      path.endsWith('/o')
        ? { body: { name: 'projects/demo/operations/o', done: true } }
        : failed(404, 'NOT_FOUND', ''),
    )
    const { data } = await agents.run(`{
      a: agentOperation(name: "projects/demo/operations/o") { done }
      b: agentOperation(name: "projects/demo/operations/other") { done }
    }`)
    expect(data).toEqual({ a: { done: true }, b: null })
    expect(lines(agents.arrived)).toContain('GET /v2beta1/projects/demo/operations/o')
  })
})

describe('importAgent', () => {
  test('sends the archive, and reads the agent only if it is selected', async () => {
    await using agents = await agentsOver(({ method }) =>
      method === 'POST'
        ? { body: { name: 'projects/demo/operations/i', done: true } }
        : { body: { displayName: 'D' } },
    )
    await agents.run(
      'mutation { importAgent(input: { project: "demo", agentContent: "UEsDBA==" }) { operation { done } agent { id project } } }',
    )
    expect(lines(agents.arrived)).toEqual(['POST /v2beta1/projects/demo/agent:import'])
    expect(agents.arrived[0]?.body).toEqual({ agentContent: 'UEsDBA==' })
    const { data } = await agents.run(
      'mutation { importAgent(input: { project: "demo", agentUri: "gs://b/o" }) { agent { displayName } } }',
    )
    expect(lines(agents.arrived).slice(1)).toEqual([
      'POST /v2beta1/projects/demo/agent:import',
      'GET /v2beta1/projects/demo/agent',
    ])
    expect(data.importAgent.agent).toEqual({ displayName: 'D' })
  })

  test('wants exactly one source', async () => {
    await using agents = await agentsOver({ body: {} })
    for (const source of ['', ', agentUri: "gs://b/o", agentContent: "UEs="']) {
      const { errors } = await agents.run(
        `mutation { importAgent(input: { project: "demo"${source} }) { operation { done } } }`,
      )
      expect(faults(errors)).toEqual(['importAgent: BAD_USER_INPUT'])
      expect(errors[0]?.message).toContain('exactly one of agentUri, agentContent')
    }
    expect(agents.arrived).toEqual([])
  })
})

describe('createIntent', () => {
  test('sends every kind of response and the rest as the service wants it', async () => {
    await using agents = await agentsOver({ body: { name: intentName, displayName: 'Order' } })
    const unchanged = {
      displayName: 'Order',
      webhookState: 'WEBHOOK_STATE_ENABLED',
      trainingPhrases: [
        {
          type: 'EXAMPLE',
          parts: [{ text: 'a ' }, { text: 'tea', entityType: '@drink', alias: 'drink', userDefined: true }],
        },
      ],
      parameters: [
        { displayName: 'drink', entityTypeDisplayName: '@drink', mandatory: true, prompts: ['Which?'] },
      ],
      messages: [
        { platform: 'TELEGRAM', text: { text: ['Here.'] } },
        { payload: { any: { json: [1, null] } } },
      ],
    }
    const { data, errors } = await agents.run(
      `mutation ($input: CreateIntentInput!) { createIntent(input: $input) { intent { id name displayName } } }`,
      {
        input: {
          ...unchanged,
          project: 'demo',
          languageCode: 'en',
          inputContextNames: ['cart', 'projects/demo/agent/sessions/-/contexts/shop'],
          outputContexts: [{ name: 'cart', lifespanCount: 5 }],
        },
      },
    )
    expect(errors).toEqual([])
    expect(lines(agents.arrived)).toEqual(['POST /v2beta1/projects/demo/agent/intents?languageCode=en'])
    expect(agents.arrived[0]?.body).toEqual({
      ...unchanged,
      inputContextNames: [
        'projects/demo/agent/sessions/-/contexts/cart',
        'projects/demo/agent/sessions/-/contexts/shop',
      ],
      outputContexts: [{ name: 'projects/demo/agent/sessions/-/contexts/cart', lifespanCount: 5 }],
    })
    expect(data.createIntent.intent).toEqual({
      id: toGlobalId('Intent', intentName),
      name: intentName,
      displayName: 'Order',
    })
  })

  test('has no place for a name, which the service gives', async () => {
    await using agents = await agentsOver({ body: {} })
    await expect(
      agents.run(
        'mutation { createIntent(input: { project: "demo", displayName: "a", name: "x" }) { intent { id } } }',
      ),
    ).rejects.toThrow('name')
  })
})

describe('updateIntent', () => {
  test('patches what the input names, and asks for training phrases if they are selected', async () => {
    await using agents = await agentsOver({ body: { name: intentName, displayName: 'B' } })
    const { errors } = await agents.run(
      `mutation { updateIntent(input: { name: "${intentName}", displayName: "B", events: null }) {
         intent { displayName trainingPhrases { type } } } }`,
    )
    expect(errors).toEqual([])
    expect(lines(agents.arrived)).toEqual([
      `PATCH /v2beta1/${intentName}?updateMask=displayName&intentView=INTENT_VIEW_FULL`,
    ])
    expect(agents.arrived[0]?.body).toEqual({ name: intentName, displayName: 'B' })
  })

  test('takes names with anything in them apart and escapes them one by one', async () => {
    await using agents = await agentsOver({ body: { name: 'projects/ex.com:demo/agent/intents/a b@c' } })
    await agents.run(
      'mutation { updateIntent(input: { name: "projects/ex.com:demo/agent/intents/a b@c", priority: 1 }) { intent { id } } }',
    )
    expect(agents.arrived[0]?.path).toBe('/v2beta1/projects/ex.com%3Ademo/agent/intents/a%20b%40c')
  })
})

describe('deleteIntent', () => {
  test('answers what is no more and whose it was', async () => {
    await using agents = await agentsOver({ body: {} })
    const { data } = await agents.run(
      `mutation { deleteIntent(input: { name: "${intentName}" }) { deletedIntentId name agent { project } } }`,
    )
    expect(lines(agents.arrived)).toEqual([`DELETE /v2beta1/${intentName}`])
    expect(data.deleteIntent).toEqual({
      deletedIntentId: toGlobalId('Intent', intentName),
      name: intentName,
      agent: { project: 'demo' },
    })
  })
})

describe('detectIntent', () => {
  const detect = `mutation ($input: DetectIntentInput!) { detectIntent(input: $input) {
    responseId outputAudio
    queryResult { queryText action parameters allRequiredParamsPresent intentDetectionConfidence
      fulfillmentText fulfillmentMessages { platform text { text } other }
      outputContexts { name contextId lifespanCount parameters }
      intent { name displayName isFallback intent { name } } }
    webhookStatus { code status message } } }`

  test('sends text into the session, with the defaults of environment and user', async () => {
    await using agents = await agentsOver({
      body: {
        responseId: 'r1',
        queryResult: {
          queryText: 'a tea',
          parameters: { drink: 'tea', count: 2, extras: ['milk'], size: '' },
          outputContexts: [{ name: 'projects/demo/agent/sessions/s1/contexts/cart', lifespanCount: 4 }],
          intent: { name: intentName, displayName: 'Order' },
          intentDetectionConfidence: 0.87,
          fulfillmentMessages: [{ text: { text: ['Here.'] } }],
        },
        outputAudio: 'UklGRg==',
      },
    })
    const { data, errors } = await agents.run(detect, {
      input: { project: 'demo', session: 's1', queryInput: { text: { text: 'a tea', languageCode: 'en' } } },
    })
    expect(errors).toEqual([])
    expect(lines(agents.arrived)).toEqual([
      'POST /v2beta1/projects/demo/agent/environments/draft/users/-/sessions/s1:detectIntent',
    ])
    expect(agents.arrived[0]?.body).toEqual({ queryInput: { text: { text: 'a tea', languageCode: 'en' } } })
    expect(data.detectIntent).toEqual({
      responseId: 'r1',
      outputAudio: 'UklGRg==',
      queryResult: {
        queryText: 'a tea',
        action: null,
        parameters: { drink: 'tea', count: 2, extras: ['milk'], size: '' },
        allRequiredParamsPresent: false,
        intentDetectionConfidence: 0.87,
        fulfillmentText: null,
        fulfillmentMessages: [{ platform: 'PLATFORM_UNSPECIFIED', text: { text: ['Here.'] }, other: null }],
        outputContexts: [
          {
            name: 'projects/demo/agent/sessions/s1/contexts/cart',
            contextId: 'cart',
            lifespanCount: 4,
            parameters: null,
          },
        ],
        intent: { name: intentName, displayName: 'Order', isFallback: false, intent: { name: intentName } },
      },
      webhookStatus: null,
    })
  })

  test('sends everything else that a query can hold', async () => {
    await using agents = await agentsOver({ body: {} })
    const unchanged = {
      queryInput: {
        audioConfig: {
          audioEncoding: 'AUDIO_ENCODING_LINEAR_16',
          sampleRateHertz: 16000,
          languageCode: 'fr-FR',
        },
      },
      inputAudio: 'UklGRg==',
      outputAudioConfig: {
        audioEncoding: 'OUTPUT_AUDIO_ENCODING_MP3_64_KBPS',
        synthesizeSpeechConfig: { speakingRate: 1.5, voice: { ssmlGender: 'SSML_VOICE_GENDER_NEUTRAL' } },
      },
    }
    const { errors } = await agents.run(detect, {
      input: {
        ...unchanged,
        project: 'demo',
        environment: 'production',
        user: 'ada@example.com',
        session: 's 1',
        queryParams: {
          timeZone: 'Europe/Paris',
          geoLocation: { latitude: 48.8, longitude: 2.3 },
          contexts: [{ name: 'cart', lifespanCount: 1, parameters: { a: [1] } }],
          resetContexts: true,
          sessionEntityTypes: [
            {
              name: 'drink',
              entityOverrideMode: 'ENTITY_OVERRIDE_MODE_OVERRIDE',
              entities: [{ value: 'tea', synonyms: ['cha'] }],
            },
          ],
          payload: { source: 'web' },
          subAgents: [{ project: 'other' }],
          webhookHeaders: [{ name: 'X-Trace', value: '1' }],
        },
        outputAudioConfigMask: 'audioEncoding, synthesizeSpeechConfig.voice.ssmlGender',
      },
    })
    expect(errors).toEqual([])
    const session = 'projects/demo/agent/environments/production/users/ada@example.com/sessions/s 1'
    expect(agents.arrived[0]?.path).toBe(
      '/v2beta1/projects/demo/agent/environments/production/users/ada%40example.com/sessions/s%201:detectIntent',
    )
    expect(agents.arrived[0]?.body).toEqual({
      ...unchanged,
      queryParams: {
        timeZone: 'Europe/Paris',
        geoLocation: { latitude: 48.8, longitude: 2.3 },
        contexts: [{ name: `${session}/contexts/cart`, lifespanCount: 1, parameters: { a: [1] } }],
        resetContexts: true,
        sessionEntityTypes: [
          {
            name: `${session}/entityTypes/drink`,
            entityOverrideMode: 'ENTITY_OVERRIDE_MODE_OVERRIDE',
            entities: [{ value: 'tea', synonyms: ['cha'] }],
          },
        ],
        payload: { source: 'web' },
        subAgents: [{ project: 'projects/other' }],
        webhookHeaders: { 'X-Trace': '1' },
      },
      outputAudioConfigMask: 'audioEncoding,synthesizeSpeechConfig.voice.ssmlGender',
    })
  })

  test.for([
    ['an event', { event: { name: 'WELCOME', parameters: { a: 1 }, languageCode: 'en' } }],
    ['keypad tones', { dtmf: { dtmfEvents: ['DTMF_ONE', 'DTMF_POUND'] } }],
  ] as const)('sends %s', async ([, queryInput]) => {
    await using agents = await agentsOver({ body: {} })
    const { errors } = await agents.run(detect, { input: { project: 'demo', session: 's', queryInput } })
    expect(errors).toEqual([])
    expect(agents.arrived[0]?.body).toEqual({ queryInput })
  })

  test('answers null for the intent if not even a fallback matched', async () => {
    await using agents = await agentsOver({ body: { responseId: 'r', queryResult: { queryText: 'hm' } } })
    const { data, errors } = await agents.run(detect, {
      input: { project: 'demo', session: 's', queryInput: { text: { text: 'hm', languageCode: 'en' } } },
    })
    expect(errors).toEqual([])
    expect(data.detectIntent.queryResult).toMatchObject({
      intent: null,
      fulfillmentMessages: [],
      parameters: null,
    })
  })
})

describe('deleteContexts', () => {
  test('clears the session', async () => {
    await using agents = await agentsOver({ body: {} })
    const { data } = await agents.run(
      'mutation { deleteContexts(input: { project: "demo", session: "s1", user: "u" }) { session } }',
    )
    expect(lines(agents.arrived)).toEqual([
      'DELETE /v2beta1/projects/demo/agent/environments/draft/users/u/sessions/s1/contexts',
    ])
    expect(data.deleteContexts.session).toBe('projects/demo/agent/environments/draft/users/u/sessions/s1')
  })
})
