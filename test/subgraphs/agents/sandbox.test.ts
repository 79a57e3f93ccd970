/** The agents subgraph over the stand-in that keeps the service's rules. */
import { getNamedType, isLeafType, isObjectType } from 'graphql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { messageKinds, sampleAgents, speak } from '../../../sandbox/agents/index.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import { faults, run } from '../../support/subgraph.ts'

const sandbox = await startSandbox()
const subgraph = createAgentsSubgraph({ baseUrl: sandbox.url, credential: { kind: 'none' } })

beforeEach(() => sandbox.reset())
afterAll(async () => {
  await subgraph.close()
  await sandbox.close()
})

const ask = (operation: string, variables?: Record<string, unknown>) => run(subgraph, operation, variables)

/** Selects every field below a type that takes no arguments; types that lead back are entered once. */
function everythingOf(
  typeName: string,
  without: readonly string[] = [],
  path: readonly string[] = [],
): string {
  const type = subgraph.schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`)
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type)
    if (without.includes(`${typeName}.${field.name}`) || field.args.length > 0) return []
    if (isLeafType(named)) return [field.name]
    return path.includes(named.name)
      ? []
      : [`${field.name} { ${everythingOf(named.name, without, [...path, typeName])} }`]
  })
  return fields.join(' ')
}

/** Without what is null or empty: what an input has to say. */
function saidIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(saidIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const said = saidIn(inner)
      const isNothing =
        said === null ||
        said === false ||
        (Array.isArray(said) && said.length === 0) ||
        /UNSPECIFIED$/.test(String(said))
      return isNothing ? [] : [[key, said]]
    }),
  )
}

const intentFields = everythingOf('Intent', ['Intent.agent'])
const detect = `mutation ($input: DetectIntentInput!) { detectIntent(input: $input) {
  ${everythingOf('DetectIntentPayload', ['MatchedIntent.intent'])} } }`
const said = (text: string, more: object = {}) => ({
  input: { project: 'demo', session: 's', queryInput: { text: { text, languageCode: 'en' } }, ...more },
})

describe('the agents subgraph over the sandbox', () => {
  test('reads the agent with everything in it', async () => {
    const { data, errors } = await ask(
      `{ agent(project: "demo") { ${everythingOf('Agent')} intents(first: 1000) { totalCount nodes { ${intentFields} } } }
         none: agent(project: "${sampleAgents.emptyProject}") { id } }`,
    )
    expect(errors).toEqual([])
    expect(data.none).toBeNull()
    expect(data.agent).toMatchObject({
      displayName: 'Demo agent',
      timeZone: 'Europe/Berlin',
      enableLogging: true,
    })
    const { nodes, totalCount } = data.agent.intents
    expect([nodes.length, totalCount]).toEqual([sampleAgents.intentCount, sampleAgents.intentCount])
    const kinds = new Set(
      nodes.flatMap(({ messages }: { messages: object[] }) =>
        messages.flatMap((one) => Object.keys(saidIn(one) as object)),
      ),
    )
    expect([...kinds]).toEqual(expect.arrayContaining(Object.keys(messageKinds)))
    expect(
      nodes.every(({ messages }: { messages: { other: unknown }[] }) =>
        messages.every(({ other }) => other === null),
      ),
    ).toBe(true)
    expect(sandbox.calls('agents.intents.list').length).toBe(1)
  })

  test.for(Object.keys(messageKinds))(
    'writes a response of the kind %s and reads the same back',
    async (kind) => {
      const { data, errors } = await ask(
        `mutation ($input: CreateIntentInput!) { createIntent(input: $input) { intent { name messages { ${everythingOf('IntentMessage', ['IntentMessage.other'])} } } } }`,
        {
          input: { project: 'demo', displayName: `new ${kind}`, messages: [{ [kind]: messageKinds[kind] }] },
        },
      )
      expect(errors).toEqual([])
      expect(saidIn(data.createIntent.intent.messages)).toEqual([{ [kind]: saidIn(messageKinds[kind]) }])
    },
  )

  test('changes the named fields of an intent, one of them to its default, and its training phrases survive', async () => {
    const name = sampleAgents.intents.order
    const phrases = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Intent { displayName priority trainingPhrases { parts { text alias } } } } }`
    const r = [{ __typename: 'Intent', name }]
    const before = (await ask(phrases, { r })).data._entities[0]
    expect(before.trainingPhrases.length).toBeGreaterThan(2)
    const { errors } = await ask(
      'mutation ($input: UpdateIntentInput!) { updateIntent(input: $input) { intent { displayName } } }',
      { input: { name, displayName: 'pizza.new', updateMask: ['displayName', 'priority'] } },
    )
    expect(errors).toEqual([])
    expect((await ask(phrases, { r })).data._entities[0]).toEqual({
      ...before,
      displayName: 'pizza.new',
      priority: 500_000,
    })
  })

  test('changes and clears the named fields of the agent, and leaves the others', async () => {
    const { data, errors } = await ask(
      `mutation { setAgent(input: { project: "demo", displayName: "Other", timeZone: null, updateMask: ["displayName", "description"] }) {
         agent { displayName description timeZone supportedLanguageCodes } } }`,
    )
    expect(errors).toEqual([])
    expect(data.setAgent.agent).toEqual({
      displayName: 'Other',
      description: null,
      timeZone: 'Europe/Berlin',
      supportedLanguageCodes: ['de', 'fr'],
    })
  })

  test('creates an agent if there was none, and deletes it', async () => {
    const created = await ask(
      `mutation { setAgent(input: { project: "fresh", displayName: "Fresh", defaultLanguageCode: "en", timeZone: "Asia/Tokyo" }) {
         agent { displayName intents { nodes { displayName } } } } }`,
    )
    expect(created.errors).toEqual([])
    expect(created.data.setAgent.agent.intents.nodes.length).toBeGreaterThan(0)
    const deleted = await ask('mutation { deleteAgent(input: { project: "fresh" }) { project } }')
    expect(deleted.errors).toEqual([])
    const again = await ask('mutation { deleteAgent(input: { project: "fresh" }) { project } }')
    expect(faults(again.errors)).toEqual(['deleteAgent: NOT_FOUND'])
    expect(again.errors[0]?.message).not.toContain('fresh')
  })

  test('gets a specific fault for a second intent of the same name', async () => {
    const { errors } = await ask(
      'mutation { createIntent(input: { project: "demo", displayName: "goodbye" }) { intent { id } } }',
    )
    expect(faults(errors)).toEqual(['createIntent: BAD_USER_INPUT'])
    expect(errors[0]?.message).toMatch(/already exists/)
    expect(errors[0]?.message).not.toMatch(/Exception|com\.google/)
  })

  test('deletes an intent with all that follows it', async () => {
    const { order, orderYes, orderYesMore } = sampleAgents.intents
    const { errors } = await ask(
      `mutation { deleteIntent(input: { name: "${order}" }) { deletedIntentId agent { displayName } } }`,
    )
    expect(errors).toEqual([])
    const { data } = await ask(
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Intent { displayName } } }',
      { r: [order, orderYes, orderYesMore].map((name) => ({ __typename: 'Intent', name })) },
    )
    expect(data._entities).toEqual([null, null, null])
  })

  test('exports the agent and imports it again', async () => {
    const exported = await ask(
      'mutation { exportAgent(input: { project: "demo" }) { agentContent operation { name done error { code } } } }',
    )
    expect(exported.errors).toEqual([])
    const { agentContent, operation } = exported.data.exportAgent
    const poll = await ask('query ($name: ID!) { agentOperation(name: $name) { name done } }', {
      name: operation.name,
    })
    expect(poll.data.agentOperation).toEqual({ name: operation.name, done: true })
    await ask(`mutation { deleteIntent(input: { name: "${sampleAgents.intents.goodbye}" }) { name } }`)
    const imported = await ask(
      `mutation ($content: String!) { importAgent(input: { project: "demo", agentContent: $content }) {
         operation { done error { code } } agent { intents(first: 1000) { nodes { displayName } } } } }`,
      { content: agentContent },
    )
    expect(imported.errors).toEqual([])
    const names = imported.data.importAgent.agent.intents.nodes.map(
      (node: { displayName: string }) => node.displayName,
    )
    expect(names).toContain('goodbye')
  })

  test('leads a conversation, with what was said before', async () => {
    const first = await ask(detect, said('I want 2 pizzas with ham'))
    expect(first.errors).toEqual([])
    expect(first.data.detectIntent.queryResult).toMatchObject({
      action: 'pizza.order',
      allRequiredParamsPresent: true,
      intent: { name: sampleAgents.intents.order, displayName: 'pizza.order', isFallback: false },
    })
    expect(first.data.detectIntent.queryResult.parameters).toMatchObject({ topping: 'ham' })
    const contexts = first.data.detectIntent.queryResult.outputContexts
    expect(contexts.map((context: { contextId: string }) => context.contextId)).toContain('pizza-followup')
    const second = await ask(detect, said('yes'))
    expect(second.data.detectIntent.queryResult.intent.name).toBe(sampleAgents.intents.orderYes)
  })

  test('forgets what was said when its contexts are deleted', async () => {
    await ask(detect, said('I want 2 pizzas with ham'))
    const { errors } = await ask(
      'mutation { deleteContexts(input: { project: "demo", session: "s" }) { session } }',
    )
    expect(errors).toEqual([])
    const { data } = await ask(detect, said('yes'))
    expect(data.detectIntent.queryResult.intent.name).not.toBe(sampleAgents.intents.orderYes)
  })

  test('takes a context by only its id', async () => {
    const { data, errors } = await ask(
      detect,
      said('yes', {
        queryParams: { contexts: [{ name: 'pizza-followup', lifespanCount: 2, parameters: { count: 3 } }] },
      }),
    )
    expect(errors).toEqual([])
    expect(data.detectIntent.queryResult.intent.name).toBe(sampleAgents.intents.orderYes)
  })

  test("gives the answer and the webhook's status if the webhook fails", async () => {
    const { data, errors } = await ask(detect, said('what do tiles cost'))
    expect(errors).toEqual([])
    expect(data.detectIntent.webhookStatus.code).not.toBe(0)
    expect(data.detectIntent.queryResult.intent.name).toBe(sampleAgents.intents.stock)
    expect(data.detectIntent.queryResult.fulfillmentText).not.toBeNull()
  })

  test('hears and speaks', async () => {
    const audio = speak('I want 2 pizzas with ham', 16_000).toString('base64')
    const { data, errors } = await ask(detect, {
      input: {
        project: 'demo',
        session: 's',
        queryInput: {
          audioConfig: {
            audioEncoding: 'AUDIO_ENCODING_LINEAR_16',
            sampleRateHertz: 16_000,
            languageCode: 'en',
          },
        },
        inputAudio: audio,
        outputAudioConfig: { audioEncoding: 'OUTPUT_AUDIO_ENCODING_LINEAR_16', sampleRateHertz: 16_000 },
      },
    })
    expect(errors).toEqual([])
    expect(data.detectIntent.queryResult.intent.name).toBe(sampleAgents.intents.order)
    expect(data.detectIntent.queryResult.speechRecognitionConfidence).toBeGreaterThan(0)
    expect(Buffer.from(data.detectIntent.outputAudio, 'base64').subarray(0, 4).toString()).toBe('RIFF')
    expect(data.detectIntent.outputAudioConfig.audioEncoding).toBe('OUTPUT_AUDIO_ENCODING_LINEAR_16')
  })

  test('refuses an environment that does not exist', async () => {
    const { errors } = await ask(detect, said('hello', { environment: 'nowhere' }))
    expect(faults(errors)).toEqual(['detectIntent: NOT_FOUND'])
  })

  test('walks all intents by 37, each once, and finds a hundred of them by name in one call', async () => {
    const names: string[] = []
    let after: string | null = null
    do {
      const { data, errors } = await ask(
        `query ($after: String) { agent(project: "demo") { intents(first: 37, after: $after) {
           nodes { name } pageInfo { hasNextPage endCursor } } } }`,
        { after },
      )
      expect(errors).toEqual([])
      const { nodes, pageInfo } = data.agent.intents
      names.push(...nodes.map((node: { name: string }) => node.name))
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(new Set(names).size).toBe(sampleAgents.intentCount)
    expect(sandbox.calls('agents.intents.list').length).toBe(Math.ceil(sampleAgents.intentCount / 37))
    sandbox.reset()
    const r = names
      .filter((_, n) => n % 2 === 0)
      .slice(0, 100)
      .map((name) => ({ __typename: 'Intent', name }))
    const { data } = await ask(
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Intent { name displayName } } }',
      { r },
    )
    expect(data._entities.map((intent: { name: string }) => intent.name)).toEqual(r.map(({ name }) => name))
    expect(sandbox.journal.length).toBe(1)
  })
})
