/** The agents subgraph over the stand-in that keeps the service's rules. */
import { getNamedType, isLeafType, isObjectType } from 'graphql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { messageKinds, sampleAgents, synthesizeSpeech } from '../../../sandbox/agents/index.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import { run } from '../../support/subgraph.ts'

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

  test('hears and speaks', async () => {
    const audio = synthesizeSpeech('I want 2 pizzas with ham', 16_000).toString('base64')
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
})
