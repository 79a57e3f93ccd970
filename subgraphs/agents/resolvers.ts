/**
 * Maps the graph to the service: root fields, references, and fields that cost a call or take arguments. Every
 * other field is read from the service's JSON through the SDL (readers.ts).
 */

import type { DocumentNode, GraphQLResolveInfo } from 'graphql'
import { keyOfReference, toGlobalId } from '../../shared/graphql/global-id.ts'
import { type Json, malformed, textOf } from '../kit/json.ts'
import { connect, type Page } from '../kit/pagination/index.ts'
import { withReaders } from '../kit/readers.ts'
import { nodesOf, type Selection, selectionOf } from '../kit/selection.ts'
import { publicMessage } from '../kit/service-message.ts'
import { writeOnce } from '../kit/write-once.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'
import type { Context } from './context.ts'
import { findIntent, isIntent } from './earlier-attempt.ts'
import { isNotFound, isOwnNotFound, statusNameOf } from './failure.ts'
import { createInputTypes, type InputTypes, updateMaskOf } from './input/index.ts'
import { type InputScope, languageForm, messageKinds } from './input/input-rules.ts'
import { subscriptions } from './live.ts'
import { type AgentModel, type IntentModel, responseOf } from './model.ts'
import { agentIds, intentIds, operations } from './operations.ts'
import { jsonReaders } from './readers.ts'
import {
  checkIntentName,
  checkOperationName,
  checkProject,
  checkSession,
  isProject,
  lastSegment,
  projectName,
  projectOfIntent,
  sessionName,
} from './resource-names.ts'
import type { Resolvers } from './types.generated.ts'

const controls = {
  agent: new Set(['project', 'updateMask']),
  newIntent: new Set(['project', 'languageCode']),
  intent: new Set(['name', 'languageCode', 'updateMask']),
  session: new Set(['project', 'environment', 'user', 'session', 'outputAudioConfigMask']),
}

/** The keys of a response for which this graph has a field. */
const knownKinds: ReadonlySet<string> = new Set(['platform', ...messageKinds])

/**
 * An agent of which only ids are selected costs no call, and is never null. Any other is null if it does not exist.
 */
async function agentOf(project: string, selection: Selection, context: Context): Promise<AgentModel | null> {
  if (!selection.hasBeside(agentIds)) return { project }
  const json = await context.readAgent(project)
  return json === undefined ? null : { project, json }
}

async function intentOf(name: string, selection: Selection, context: Context): Promise<IntentModel | null> {
  if (!selection.hasBeside(intentIds)) return { name }
  const view = { full: selection.has('trainingPhrases'), languageCode: undefined }
  const json = await context.readIntent(name, view)
  return json === null ? null : { name, json }
}

function intentFrom(json: Json): IntentModel {
  const name = textOf(json.name)
  if (name !== undefined) return { name, json }
  throw malformed('agents', 'The agents service sent an intent without a name.')
}

function checkLanguage(languageCode: string | null | undefined, at: string): string | undefined {
  if (languageCode === null || languageCode === undefined) return undefined
  if (languageForm.test(languageCode)) return languageCode
  throw wrongArgument(at, `must be a BCP 47 tag, such as \`en\` or \`pt-BR\`.`)
}

function intentScope(project: string): InputScope {
  return { project, session: `${projectName(project)}/agent/sessions/-`, ofIntent: true }
}

function selectsPhrases(info: GraphQLResolveInfo): boolean {
  return selectionOf(info).below('intent').has('trainingPhrases')
}

const queryResolvers: NonNullable<Resolvers['Query']> = {
  async agent(_, args, context) {
    const project = checkProject(args.project, 'project')
    const json = await context.readAgent(project)
    return json === undefined ? null : { project, json }
  },
  async intent(_, args, context, info) {
    const { name } = args
    checkIntentName(name, 'name')
    const languageCode = checkLanguage(args.languageCode, 'languageCode')
    const view = { full: selectionOf(info).has('trainingPhrases'), languageCode }
    const json = await context.readIntent(name, view)
    return json === null ? null : { name, json }
  },
  async agentOperation(_, { name }, context) {
    checkOperationName(name, 'name')
    return (await context.client.getOperation(name, context.request)) ?? null
  },
}

type Mutations = NonNullable<Resolvers['Mutation']>

function agentMutations(
  inputs: InputTypes,
): Pick<Mutations, 'setAgent' | 'deleteAgent' | 'exportAgent' | 'importAgent'> {
  return {
    async setAgent(_, { input }, context) {
      const project = checkProject(input.project, 'input.project')
      const mask = updateMaskOf(inputs, 'SetAgentInput', input, controls.agent)
      const fields = inputs.write('SetAgentInput', input, 'input', intentScope(project), controls.agent)
      const body = { parent: projectName(project), ...fields }
      const json = await context.client.setAgent(project, body, mask, context.request)
      context.forget()
      return { agent: { project, json } }
    },
    async deleteAgent(_, { input }, context) {
      const project = checkProject(input.project, 'input.project')
      const { client, request } = context
      await writeOnce(request, {
        service: 'agents',
        async write() {
          await client.deleteAgent(project, request)
          return true
        },
        // A proxy that knows no route to the service answers 404 as well, and has deleted nothing.
        findOut: async () =>
          (await client.getAgent(project, request, isOwnNotFound)) === undefined ? true : undefined,
      })
      context.forget()
      return { deletedAgentId: toGlobalId('Agent', project), project }
    },
    async exportAgent(_, { input }, context) {
      const project = checkProject(input.project, 'input.project')
      const body = inputs.write('ExportAgentInput', input, 'input', intentScope(project), controls.agent)
      return { operation: await context.client.exportAgent(project, body, context.request) }
    },
    async importAgent(_, { input }, context) {
      const project = checkProject(input.project, 'input.project')
      const body = inputs.write('ImportAgentInput', input, 'input', intentScope(project), controls.agent)
      const { client, request } = context
      // If the response was lost, so was the operation's name, and the service offers no list of operations.
      const operation = await writeOnce(request, {
        service: 'agents',
        write: () => client.importAgent(project, body, request),
      })
      context.forget()
      return { operation, project }
    },
  }
}

function intentMutations(
  inputs: InputTypes,
): Pick<Mutations, 'createIntent' | 'updateIntent' | 'deleteIntent'> {
  return {
    async createIntent(_, { input }, context, info) {
      const project = checkProject(input.project, 'input.project')
      const languageCode = checkLanguage(input.languageCode, 'input.languageCode')
      const body = inputs.write('CreateIntentInput', input, 'input', intentScope(project), controls.newIntent)
      const view = { full: selectsPhrases(info), languageCode }
      const { client, request } = context
      const json = await writeOnce(request, {
        service: 'agents',
        write: () => client.createIntent(project, body, view, request),
        findOut: () => findIntent(client, project, body, view, request),
      })
      context.forget()
      return { intent: intentFrom(json) }
    },
    async updateIntent(_, { input }, context, info) {
      const { name } = input
      const project = checkIntentName(name, 'input.name')
      const languageCode = checkLanguage(input.languageCode, 'input.languageCode')
      const mask = updateMaskOf(inputs, 'UpdateIntentInput', input, controls.intent)
      const fields = inputs.write('UpdateIntentInput', input, 'input', intentScope(project), controls.intent)
      const view = { full: selectsPhrases(info), languageCode, mask }
      const json = await context.client.patchIntent(name, { name, ...fields }, view, context.request)
      context.forget()
      return { intent: intentFrom({ ...json, name: json.name ?? name }) }
    },
    async deleteIntent(_, { input: { name } }, context) {
      const project = checkIntentName(name, 'input.name')
      const { client, request } = context
      await writeOnce(request, {
        service: 'agents',
        async write() {
          await client.deleteIntent(name, request)
          return true
        },
        findOut: async () => ((await isIntent(client, name, request)) ? undefined : true),
      })
      context.forget()
      return { name, project }
    },
  }
}

function sessionMutations(inputs: InputTypes): Pick<Mutations, 'detectIntent' | 'deleteContexts'> {
  return {
    async detectIntent(_, { input }, context) {
      const session = checkSession(input, 'input')
      const scope = { project: session.project, session: sessionName(session), ofIntent: false }
      const body = inputs.write('DetectIntentInput', input, 'input', scope, controls.session)
      const mask = input.outputAudioConfigMask
      const paths = mask
        ? inputs.checkMask('OutputAudioConfigInput', [mask], 'input.outputAudioConfigMask')
        : undefined
      const masked = paths === undefined ? body : { ...body, outputAudioConfigMask: paths.join(',') }
      const { client, request } = context
      // Detecting an intent advances the conversation, and nothing shows afterwards what was said.
      return writeOnce(request, {
        service: 'agents',
        write: () => client.detectIntent(session, masked, request),
      })
    },
    async deleteContexts(_, { input }, context) {
      const session = checkSession(input, 'input')
      await context.client.deleteContexts(session, context.request)
      return { session: sessionName(session) }
    },
  }
}

const agentResolvers: NonNullable<Resolvers['Agent']> = {
  async __resolveReference(reference, context, info) {
    const key = keyOfReference(reference, 'Agent', 'project', isProject)
    return agentOf(key, selectionOf(info, 'Agent'), context)
  },
  id: ({ project }) => toGlobalId('Agent', project),
  project: ({ project }) => project,
  parent: ({ project }) => projectName(project),
  async intents({ project }, args, context, info) {
    const languageCode = checkLanguage(args.languageCode, 'languageCode')
    const full = nodesOf(selectionOf(info)).some((node) => node.has('trainingPhrases'))
    try {
      const source = {
        list: `agents/${project}/intents/${languageCode ?? ''}`,
        service: 'agents',
        keyOf: ({ name }: IntentModel) => name,
        pages: operations.listIntents.pages,
        tokens: context.client.tokens,
        async fetch(token: string | undefined, size: number): Promise<Page<IntentModel>> {
          const page = await context.intentPage(project, { size, token, full, languageCode })
          return { items: page.items.map(intentFrom), malformedCount: page.malformedCount, next: page.next }
        },
      }
      return await connect(args, source, info, context)
    } catch (error) {
      if (isNotFound(error)) return null
      throw error
    }
  },
}

const intentResolvers: NonNullable<Resolvers['Intent']> = {
  async __resolveReference(reference, context, info) {
    const key = keyOfReference(reference, 'Intent', 'name', (name) => projectOfIntent(name) !== undefined)
    return intentOf(key, selectionOf(info, 'Intent'), context)
  },
  id: ({ name }) => toGlobalId('Intent', name),
  name: ({ name }) => name,
  agent({ name }, _, context, info) {
    const project = projectOfIntent(name)
    return project === undefined ? null : agentOf(project, selectionOf(info), context)
  },
}

const intentMessageResolvers: NonNullable<Resolvers['IntentMessage']> = {
  other(message) {
    const unknown = Object.entries(message).filter(([key]) => !knownKinds.has(key))
    return unknown.length === 0 ? null : Object.fromEntries(unknown)
  },
}

export function createResolvers(document: DocumentNode): Resolvers {
  const inputs = createInputTypes(document)

  const explicit: Resolvers = {
    Query: queryResolvers,
    Subscription: subscriptions,
    Mutation: { ...agentMutations(inputs), ...intentMutations(inputs), ...sessionMutations(inputs) },
    Agent: agentResolvers,
    Intent: intentResolvers,
    MatchedIntent: {
      intent: ({ name }, _, context, info) =>
        typeof name === 'string' ? intentOf(name, selectionOf(info), context) : null,
    },
    AgentContext: {
      contextId: ({ name }) => (typeof name === 'string' ? lastSegment(name) : ''),
    },
    IntentMessage: intentMessageResolvers,
    ExportAgentPayload: {
      operation: ({ operation }) => operation,
      agentUri: ({ operation }) => textOf(responseOf(operation).agentUri) ?? null,
      agentContent: ({ operation }) => textOf(responseOf(operation).agentContent) ?? null,
    },
    ImportAgentPayload: {
      operation: ({ operation }) => operation,
      agent: ({ project }, _, context, info) => agentOf(project, selectionOf(info), context),
    },
    DeleteIntentPayload: {
      deletedIntentId: ({ name }) => toGlobalId('Intent', name),
      name: ({ name }) => name,
      agent: ({ project }, _, context, info) => agentOf(project, selectionOf(info), context),
    },
    AgentStatus: {
      status: ({ code }) => statusNameOf(code ?? 0),
      message: ({ message }) => textOf(publicMessage(message)) ?? null,
    },
  }
  // Agents and intents are models with a name and the service's JSON; everything else is that JSON.
  return withReaders(explicit, jsonReaders(document), ownTypes, (type, _, read) =>
    type === 'Agent' || type === 'Intent' ? ({ json }: AgentModel | IntentModel) => read(json ?? {}) : read,
  )
}

/** Types whose resolvers return our own plain objects instead of the service's JSON. */
const ownTypes: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'PageInfo',
  'IntentConnection',
  'IntentEdge',
  'SetAgentPayload',
  'DeleteAgentPayload',
  'ExportAgentPayload',
  'ImportAgentPayload',
  'CreateIntentPayload',
  'UpdateIntentPayload',
  'DeleteIntentPayload',
  'DeleteContextsPayload',
])
