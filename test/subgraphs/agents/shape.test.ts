/**
 * The schema against the service's interface, as the stand-in writes it down on its own: every field of every
 * message has its place in the inputs and in the answers, and every enum has its values.
 */
import { type GraphQLNamedType, getNamedType, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { enumDefinitions, messageDefinitions } from '../../../sandbox/agents/index.ts'
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'

const { schema } = createAgentsSubgraph({ baseUrl: 'http://127.0.0.1:1', credential: { kind: 'none' } })

interface Field {
  readonly name: string
  readonly type: string
}

function paragraphs(text: string): [name: string, rest: string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

const messages = new Map(
  paragraphs(messageDefinitions).map(([name, rest]): [string, Field[]] => [
    name,
    rest
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const [field = '', type = ''] = pair.trim().split(' ')
        return { name: field, type: type.replace('[]', '') }
      }),
  ]),
)
const enums = new Map(paragraphs(enumDefinitions).map(([name, rest]) => [name, rest.split(' ')]))

/** What the graph says in another way. */
const instead: Readonly<Record<string, string>> = {
  'SetAgentInput.parent': 'project',
  'CreateIntentInput.name': 'displayName',
  'ExportAgentInput.parent': 'project',
  'ImportAgentInput.parent': 'project',
}
/** What only the service sets. */
const outputOnly = new Set(['rootFollowupIntentName', 'followupIntentInfo'])

/** The fields of `message` that `type` has no place for, and enums that differ; all the way down. */
function lacks(message: string, type: GraphQLNamedType, seen = new Set<string>()): string[] {
  const key = `${message} ${type.name}`
  if (seen.has(key)) return []
  seen.add(key)
  if (!isObjectType(type) && !isInputObjectType(type)) return [`${type.name} is no object`]
  return (messages.get(message) ?? []).flatMap(({ name, type: fieldType }) => {
    const at = `${type.name}.${name}`
    if (isInputObjectType(type) && outputOnly.has(name)) return []
    const field = type.getFields()[instead[at] ?? name]
    if (field === undefined) return [`${at} is missing`]
    const named = getNamedType(field.type)
    const values = enums.get(fieldType)
    if (values !== undefined) {
      const known = isEnumType(named) ? named.getValues().map((value) => value.name) : []
      const own = known.filter((value) => value !== 'UNRECOGNIZED')
      return own.join(' ') === values.join(' ') ? [] : [`${at}: ${own.join(' ')} is not ${values.join(' ')}`]
    }
    // An empty message, such as the action of sharing a location, is any object.
    return messages.get(fieldType)?.length ? lacks(fieldType, named, seen) : []
  })
}

const named = (name: string): GraphQLNamedType => {
  const type = schema.getType(name)
  if (type === undefined || type === null) throw new Error(`There is no type ${name}`)
  return type
}

describe('the schema', () => {
  test.for([
    ['Agent', 'Agent'],
    ['Agent', 'SetAgentInput'],
    ['Intent', 'Intent'],
    ['Intent', 'CreateIntentInput'],
    ['ExportAgentRequest', 'ExportAgentInput'],
    ['ImportAgentRequest', 'ImportAgentInput'],
    ['DetectIntentRequest', 'DetectIntentInput'],
    ['OutputAudioConfig', 'OutputAudioConfig'],
    ['Message', 'IntentMessage'],
    ['Context', 'AgentContext'],
  ] as const)('has a place for all of %s in %s', ([message, type]) => {
    expect(messages.get(message)?.length).toBeGreaterThan(0)
    expect(lacks(message, named(type))).toEqual([])
  })

  test('lets an update name all that a creation can, but the parent', () => {
    const fieldsOf = (name: string): string[] => {
      const type = named(name)
      return isInputObjectType(type) ? Object.keys(type.getFields()) : []
    }
    const missing = fieldsOf('CreateIntentInput').filter(
      (field) => !fieldsOf('UpdateIntentInput').includes(field),
    )
    expect(missing).toEqual(['project', 'parentFollowupIntentName'])
  })
})
