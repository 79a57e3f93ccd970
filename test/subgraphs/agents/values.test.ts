/** Omitted fields get their defaults, and unknown enum values cause no errors. */
import { isEnumType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import { messageKinds } from '../../../subgraphs/agents/input/input-rules.ts'
import { faults } from '../../support/subgraph.ts'
import { agentsOver } from './kit.ts'

const intent = { name: 'projects/demo/agent/intents/i' }

async function read(json: object, selection: string) {
  await using agents = await agentsOver({ body: { ...intent, ...json } })
  const { data, errors } = await agents.run(
    `mutation { createIntent(input: { project: "demo", displayName: "a" }) { intent { ${selection} } } }`,
  )
  return { intent: data.createIntent?.intent, errors }
}

describe('a value that is left out', () => {
  test('has its default: false, 0, an empty list, the zero of an enum, null for text', async () => {
    const selection = `displayName webhookState priority isFallback mlEnabled mlDisabled liveAgentHandoff endInteraction
      inputContextNames events trainingPhrases { type } action outputContexts { name } resetContexts parameters { name }
      messages { platform } defaultResponsePlatforms rootFollowupIntentName parentFollowupIntentName
      followupIntentInfo { followupIntentName }`
    const { intent, errors } = await read({}, selection)
    expect(errors).toEqual([])
    expect(intent).toEqual({
      displayName: null,
      webhookState: 'WEBHOOK_STATE_UNSPECIFIED',
      priority: 0,
      isFallback: false,
      mlEnabled: false,
      mlDisabled: false,
      liveAgentHandoff: false,
      endInteraction: false,
      inputContextNames: [],
      events: [],
      trainingPhrases: [],
      action: null,
      outputContexts: [],
      resetContexts: false,
      parameters: [],
      messages: [],
      defaultResponsePlatforms: [],
      rootFollowupIntentName: null,
      parentFollowupIntentName: null,
      followupIntentInfo: [],
    })
  })

  test.each([
    ['a boolean', { isFallback: 'true' }, 'isFallback'],
    ['a list', { events: {} }, 'events'],
    ['a text of a list', { events: ['a', null] }, 'events'],
  ])('is told from one of another form: %s', async (_, json, field) => {
    const { errors } = await read(json, `displayName ${field}`)
    expect(errors.map(({ path, extensions }) => [path?.[2], extensions.code])).toEqual([
      [field, 'UPSTREAM_BAD_RESPONSE'],
    ])
  })

  test('has its default deep inside, too', async () => {
    const { intent } = await read(
      {
        trainingPhrases: [{}, { parts: [{}] }],
        parameters: [{}],
        messages: [{ card: {} }, { tableCard: { rows: [{}] } }],
      },
      `trainingPhrases { type timesAddedCount parts { text entityType userDefined } } parameters { mandatory isList prompts }
       messages { platform card { title buttons { text } } tableCard { rows { dividerAfter cells { text } } } }`,
    )
    expect(intent).toEqual({
      trainingPhrases: [
        { type: 'TYPE_UNSPECIFIED', timesAddedCount: 0, parts: [] },
        {
          type: 'TYPE_UNSPECIFIED',
          timesAddedCount: 0,
          parts: [{ text: '', entityType: null, userDefined: false }],
        },
      ],
      parameters: [{ mandatory: false, isList: false, prompts: [] }],
      messages: [
        { platform: 'PLATFORM_UNSPECIFIED', card: { title: null, buttons: [] }, tableCard: null },
        {
          platform: 'PLATFORM_UNSPECIFIED',
          card: null,
          tableCard: { rows: [{ dividerAfter: false, cells: [] }] },
        },
      ],
    })
  })
})

describe('a value that is not known yet', () => {
  test('of an enum, by a new name or by its number, is UNRECOGNIZED', async () => {
    const { intent, errors } = await read(
      { webhookState: 'WEBHOOK_STATE_SOMETIMES', defaultResponsePlatforms: ['SLACK', 'MARS', 77] },
      'webhookState defaultResponsePlatforms',
    )
    expect(errors).toEqual([])
    expect(intent).toEqual({
      webhookState: 'UNRECOGNIZED',
      defaultResponsePlatforms: ['SLACK', 'UNRECOGNIZED', 'UNRECOGNIZED'],
    })
  })

  test('as a kind of response stands under `other`, as it came', async () => {
    const { intent } = await read(
      { messages: [{ platform: 'SLACK', hologram: { size: 3 } }, { text: { text: ['a'] } }] },
      'messages { platform text { text } other }',
    )
    expect(intent.messages).toEqual([
      { platform: 'SLACK', text: null, other: { hologram: { size: 3 } } },
      { platform: 'PLATFORM_UNSPECIFIED', text: { text: ['a'] }, other: null },
    ])
  })

  test.for(['NaN', 'Infinity', '-Infinity'])('as the float %s is null', async (value) => {
    await using agents = await agentsOver({ body: { classificationThreshold: value } })
    const { data, errors } = await agents.run('{ agent(project: "demo") { classificationThreshold } }')
    expect([data, errors]).toEqual([{ agent: { classificationThreshold: null } }, []])
  })

  test('as an invalid number fails only its own field', async () => {
    const { intent, errors } = await read({ priority: 'NaN', displayName: 'D' }, 'priority displayName')
    expect(intent).toEqual({ priority: null, displayName: 'D' })
    expect(faults(errors)).toEqual(['createIntent.intent.priority: UPSTREAM_BAD_RESPONSE'])
  })
})

describe('the schema', () => {
  const subgraph = createAgentsSubgraph({ baseUrl: 'http://127.0.0.1:1', credential: { kind: 'none' } })
  const types = subgraph.schema.getTypeMap()

  test('has a place for unknown values in every enum that answers hold', () => {
    for (const type of Object.values(types)) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue
      for (const field of Object.values(type.getFields())) {
        const named = types[String(field.type).replace(/[[\]!]/g, '')]
        if (isEnumType(named)) {
          const values = named.getValues().map(({ name }) => name)
          expect(values, named.name).toContain('UNRECOGNIZED')
          expect(values[0], named.name).toMatch(/UNSPECIFIED$/)
        }
      }
    }
  })

  test('has a field and an input for every kind of response', () => {
    for (const name of ['IntentMessage', 'IntentMessageInput']) {
      const type = types[name]
      const fields = type !== undefined && 'getFields' in type ? Object.keys(type.getFields()) : []
      expect(fields.filter((field) => !['platform', 'other'].includes(field)).sort()).toEqual(
        [...messageKinds].sort(),
      )
    }
  })

  test('opens nothing of an agent or an intent but ids without a scope', () => {
    for (const name of ['Agent', 'Intent']) {
      const type = types[name]
      if (!isObjectType(type)) throw new Error(`${name} is missing`)
      const open = Object.values(type.getFields())
        .filter(
          (field) =>
            !field.astNode?.directives?.some((directive) => directive.name.value === 'requiresScopes'),
        )
        .map((field) => field.name)
      expect(open).toEqual(name === 'Agent' ? ['id', 'project', 'parent'] : ['id', 'name'])
    }
  })
})
