/**
 * What the conversational agent service keeps: an agent a project with its intents, and operations. All rules about
 * what may be stored are here; nothing here knows HTTP.
 */
import { randomUUID } from 'node:crypto'
import { checkAgent, checkIntent, checkUri } from './check.ts'
import {
  followupsOf,
  languageOf,
  lowerContext,
  type Project,
  rootOf,
  type Spoken,
  type StoredIntent,
} from './project.ts'
import { applyMask, type Json, pathsFrom, printMessage, readMessage } from './proto.ts'
import { createSampleAgent, createSampleIntents, stableId, starterIntents } from './samples.ts'
import { invalidArgument, notFound, StatusError, type StatusName, statusMessage } from './status.ts'
import { readZip, writeZip } from './zip.ts'

export interface IntentView {
  readonly full: boolean
  readonly languageCode: string
}

const maxIntents = 2000
const maxPageSize = 1000
const defaultPageSize = 100
const outputOnly = new Set(['name', 'rootFollowupIntentName', 'followupIntentInfo'])
const spokenFields = ['trainingPhrases', 'messages']

export type AgentStore = ReturnType<typeof createAgentStore>

export function createAgentStore() {
  const projects = new Map<string, Project>()
  const operations = new Map<string, Json>()
  const bucket = new Map<string, Buffer>()

  function reset(): void {
    projects.clear()
    operations.clear()
    bucket.clear()
    const demo = createProject('demo', createSampleAgent())
    for (const intent of createSampleIntents()) put(demo, intent, stableId(String(intent.displayName)))
  }

  function createProject(id: string, agent: Json): Project {
    const project: Project = { id, agent, intents: new Map(), nextOrder: 1 }
    projects.set(id, project)
    return project
  }

  function projectOf(id: string): Project {
    const project = projects.get(id)
    if (project === undefined) throw notFound(`No DesignTimeAgent found for project '${id}'.`)
    return project
  }

  /** Stores an intent that was checked; of several languages when it was exported with them. */
  function put(project: Project, intent: Json, id: string): StoredIntent {
    const name = `projects/${project.id}/agent/intents/${id}`
    const language = String(project.agent.defaultLanguageCode)
    const stored = withPhraseNames({
      name,
      order: project.nextOrder++,
      common: named(
        Object.fromEntries(Object.entries(intent).filter(([key]) => !spokenFields.includes(key))),
      ),
      spoken: new Map([[language, spokenOf(intent)]]),
    })
    project.intents.set(name, stored)
    return stored
  }

  function setAgent(id: string, body: unknown, mask: string): Json {
    const given = readMessage('Agent', body, 'agent')
    const parent = `projects/${id}`
    if (given.parent !== undefined && given.parent !== parent) {
      throw invalidArgument(
        `The agent's parent '${String(given.parent)}' is not '${parent}' of the path.`,
        'agent.parent',
      )
    }
    const paths = pathsFrom('Agent', mask)
    const known = projects.get(id)
    const agent =
      known === undefined || paths.length === 0
        ? { ...given, parent }
        : { ...applyMask(known.agent, given, paths), parent }
    checkAgent(agent, known?.agent)
    if (known === undefined) {
      const project = createProject(id, agent)
      for (const intent of starterIntents) put(project, intent, stableId(String(intent.displayName)))
    } else known.agent = agent
    return printMessage('Agent', agent)
  }

  function deleteAgent(id: string): void {
    projectOf(id)
    projects.delete(id)
  }

  function listIntents(id: string, view: IntentView, size: number | undefined, token: string): Json {
    const project = projectOf(id)
    if (size !== undefined && size < 0) throw invalidArgument('page_size must not be negative.', 'page_size')
    const pageSize = Math.min(size === undefined || size === 0 ? defaultPageSize : size, maxPageSize)
    const after = token === '' ? 0 : orderFrom(token, id)
    const rest = [...project.intents.values()].filter(({ order }) => order > after)
    const page = rest.slice(0, pageSize)
    const last = page.at(-1)
    return {
      ...(page.length === 0 ? {} : { intents: page.map((intent) => printIntent(project, intent, view)) }),
      ...(last === undefined || rest.length <= pageSize ? {} : { nextPageToken: pageToken(last.order, id) }),
    }
  }

  function intentOf(id: string, intentId: string): { project: Project; intent: StoredIntent } {
    const project = projectOf(id)
    const name = `projects/${id}/agent/intents/${intentId}`
    const intent = project.intents.get(name)
    if (intent === undefined)
      throw notFound(`Intent with id '${intentId}' not found among intents in environment ''.`)
    return { project, intent }
  }

  function createIntent(id: string, body: unknown, view: IntentView): Json {
    const project = projectOf(id)
    const given = readMessage('Intent', body, 'intent')
    if (typeof given.name === 'string' && given.name !== '') {
      throw invalidArgument('Intent name must be empty when an intent is created.', 'intent.name')
    }
    if (project.intents.size >= maxIntents) {
      throw new StatusError(
        'FAILED_PRECONDITION',
        `The agent has ${maxIntents} intents, the most that it may have.`,
      )
    }
    checkIntent(project, given, undefined)
    const intent = put(project, withoutOutputOnly(given), randomUUID())
    const stored = inLanguage(project, intent, spokenOf(given), view)
    return printIntent(project, stored, view)
  }

  function inLanguage(
    project: Project,
    intent: StoredIntent,
    spoken: Spoken,
    view: IntentView,
  ): StoredIntent {
    const languages = new Map(intent.spoken)
    if (view.languageCode !== project.agent.defaultLanguageCode) {
      languages.set(String(project.agent.defaultLanguageCode), {})
    }
    languages.set(view.languageCode, spoken)
    const stored = withPhraseNames({ ...intent, spoken: languages })
    project.intents.set(stored.name, stored)
    return stored
  }

  function patchIntent(id: string, intentId: string, body: unknown, mask: string, view: IntentView): Json {
    const { project, intent } = intentOf(id, intentId)
    const given = readMessage('Intent', body, 'intent')
    if (given.name !== undefined && given.name !== '' && given.name !== intent.name) {
      throw invalidArgument(
        `The intent's name '${String(given.name)}' is not the name in the path.`,
        'intent.name',
      )
    }
    const paths = pathsFrom('Intent', mask).filter(([first = '']) => !outputOnly.has(first))
    const before: Json = { ...intent.common, ...intent.spoken.get(view.languageCode) }
    // No mask means all fields, and what the body does not have is cleared: training phrases too.
    const isWhole = mask.trim() === ''
    const changed = withoutOutputOnly(
      isWhole
        ? { parentFollowupIntentName: before.parentFollowupIntentName ?? '', ...given }
        : applyMask(before, given, paths),
    )
    checkIntent(project, changed, intent.name)
    const common = Object.fromEntries(Object.entries(changed).filter(([key]) => !spokenFields.includes(key)))
    const languages = new Map(intent.spoken).set(view.languageCode, spokenOf(changed))
    const stored = withPhraseNames({ ...intent, common: named(common), spoken: languages })
    project.intents.set(intent.name, stored)
    return printIntent(project, stored, view)
  }

  function deleteIntent(id: string, intentId: string): void {
    const { project, intent } = intentOf(id, intentId)
    for (const { name } of [intent, ...followupsOf(project, intent.name)]) project.intents.delete(name)
  }

  function exportAgent(id: string, body: unknown): Json {
    const project = projectOf(id)
    const given = readMessage('ExportAgentRequest', body ?? {})
    const uri = typeof given.agentUri === 'string' && given.agentUri !== '' ? given.agentUri : undefined
    if (uri !== undefined) checkUri(uri)
    const archive = archiveOf(project)
    if (uri !== undefined) bucket.set(uri, archive)
    return operation(project, true, {
      response: {
        '@type': 'type.googleapis.com/google.cloud.dialogflow.v2beta1.ExportAgentResponse',
        ...(uri === undefined ? { agentContent: archive.toString('base64') } : { agentUri: uri }),
      },
    })
  }

  function importAgent(id: string, body: unknown): Json {
    const project = projectOf(id)
    const given = readMessage('ImportAgentRequest', body ?? {})
    const { agentUri, agentContent } = given
    if (agentUri === undefined && agentContent === undefined) {
      throw invalidArgument('One of agent_uri and agent_content must be given.', 'agent')
    }
    if (typeof agentUri === 'string') {
      checkUri(agentUri)
      const archive = bucket.get(agentUri)
      return archive === undefined
        ? failed(project, 'NOT_FOUND', `There is no object '${agentUri}'.`)
        : importArchive(project, archive)
    }
    return importArchive(project, Buffer.from(String(agentContent), 'base64'))
  }

  function failed(project: Project, status: StatusName, message: string): Json {
    return operation(project, false, { error: statusMessage(status, message) })
  }

  function importArchive(project: Project, archive: Buffer): Json {
    const entries = readZip(archive)
    if (entries === undefined) throw invalidArgument('agent_content is not a ZIP archive.', 'agent_content')
    try {
      for (const { name, content } of entries) {
        const file = /^intents\/([^/]+)\.json$/.exec(name)
        if (file !== null) importIntent(project, JSON.parse(content.toString('utf8')))
      }
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : 'the archive cannot be read'
      return failed(project, 'INVALID_ARGUMENT', message)
    }
    return operation(project, false, {
      response: { '@type': 'type.googleapis.com/google.protobuf.Empty', value: {} },
    })
  }

  /** Adds an intent; one of the same name is replaced and keeps its id. */
  function importIntent(project: Project, value: unknown): void {
    const given = withoutOutputOnly(readMessage('Intent', value, 'intent'))
    const { parentFollowupIntentName: _, ...independent } = given
    const same = [...project.intents.values()].find(({ common }) => common.displayName === given.displayName)
    const inputContextNames = movedContexts(given.inputContextNames, project)
    const outputContexts = (given.outputContexts as Json[] | undefined)?.map((context) => ({
      ...context,
      name: movedContexts([context.name], project)?.[0] ?? '',
    }))
    const intent: Json = {
      ...independent,
      ...(inputContextNames === undefined ? {} : { inputContextNames }),
      ...(outputContexts === undefined ? {} : { outputContexts }),
    }
    checkIntent(project, intent, same?.name)
    if (same === undefined) {
      put(project, intent, randomUUID())
      return
    }
    const kept = put(project, intent, same.name.slice(same.name.lastIndexOf('/') + 1))
    const parent = same.common.parentFollowupIntentName
    const common = parent === undefined ? kept.common : { ...kept.common, parentFollowupIntentName: parent }
    project.intents.set(same.name, { ...kept, order: same.order, common })
  }

  function operation(project: Project, isDoneAtOnce: boolean, outcome: Json): Json {
    const name = `projects/${project.id}/operations/${randomUUID()}`
    const pending: Json = {
      name,
      metadata: { '@type': 'type.googleapis.com/google.protobuf.Struct', value: {} },
    }
    const done: Json = { ...pending, done: true, ...outcome }
    operations.set(name, done)
    return isDoneAtOnce ? done : pending
  }

  function operationOf(id: string, operationId: string): Json {
    const found = operations.get(`projects/${id}/operations/${operationId}`)
    if (found === undefined) throw notFound(`Operation '${operationId}' not found.`)
    return found
  }

  /** Which of the agent's languages is meant: the exact one, its root, or the default for none. */
  function viewFrom(id: string, languageCode: string, full: boolean): IntentView {
    const { agent } = projectOf(id)
    if (languageCode === '') return { full, languageCode: String(agent.defaultLanguageCode) }
    return { full, languageCode: languageOf(agent, languageCode) }
  }

  reset()
  return {
    reset,
    projectOf,
    getAgent: (id: string): Json => printMessage('Agent', projectOf(id).agent),
    setAgent,
    deleteAgent,
    listIntents,
    getIntent(id: string, intentId: string, view: IntentView): Json {
      const { project, intent } = intentOf(id, intentId)
      return printIntent(project, intent, view)
    },
    createIntent,
    patchIntent,
    deleteIntent,
    exportAgent,
    importAgent,
    operationOf,
    viewFrom,
  }
}

function pageToken(order: number, project: string): string {
  return Buffer.from(`${order}/${project}`).toString('base64url')
}

function orderFrom(token: string, project: string): number {
  const [, order, of] = /^([0-9]+)\/(.+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (order === undefined || of !== project || pageToken(Number(order), project) !== token) {
    throw invalidArgument('Invalid page token.', 'page_token')
  }
  return Number(order)
}

function spokenOf(intent: Json): Spoken {
  const { trainingPhrases, messages } = intent
  return {
    ...(trainingPhrases === undefined ? {} : { trainingPhrases }),
    ...(messages === undefined ? {} : { messages }),
  }
}

/** Ids that the service gives to phrases and parameters that have none. */
function withPhraseNames(intent: StoredIntent): StoredIntent {
  const spoken = new Map(
    [...intent.spoken].map(([language, one]): [string, Spoken] => {
      const phrases = one.trainingPhrases as Json[] | undefined
      return [language, phrases === undefined ? one : { ...one, trainingPhrases: phrases.map(withName) }]
    }),
  )
  return { ...intent, spoken }
}

function withName(item: Json): Json {
  return item.name === undefined || item.name === '' ? { ...item, name: randomUUID() } : item
}

/** Parameters get ids; context names are lower case from their last segment on. */
function named(common: Json): Json {
  const { parameters, outputContexts, inputContextNames } = common
  return {
    ...common,
    ...(parameters === undefined ? {} : { parameters: (parameters as Json[]).map(withName) }),
    ...(inputContextNames === undefined
      ? {}
      : { inputContextNames: (inputContextNames as string[]).map(lowerContext) }),
    ...(outputContexts === undefined
      ? {}
      : {
          outputContexts: (outputContexts as Json[]).map((context) => ({
            ...context,
            name: lowerContext(String(context.name)),
          })),
        }),
  }
}

function movedContexts(names: unknown, { id }: Project): string[] | undefined {
  return (names as string[] | undefined)?.map((name) => name.replace(/^projects\/[^/]+\//, `projects/${id}/`))
}

function withoutOutputOnly(intent: Json): Json {
  return Object.fromEntries(Object.entries(intent).filter(([key]) => !outputOnly.has(key)))
}

export function printIntent(
  project: Project,
  intent: StoredIntent,
  { full, languageCode }: IntentView,
): Json {
  const parent = intent.common.parentFollowupIntentName
  const followups = followupsOf(project, intent.name).map(({ name, common }) => ({
    followupIntentName: name,
    parentFollowupIntentName: common.parentFollowupIntentName,
  }))
  const { trainingPhrases = [], messages = [] } = intent.spoken.get(languageCode) ?? {}
  return printMessage('Intent', {
    ...intent.common,
    name: intent.name,
    priority:
      intent.common.priority === undefined || intent.common.priority === 0 ? 500_000 : intent.common.priority,
    messages,
    followupIntentInfo: followups,
    ...(full ? { trainingPhrases } : {}),
    ...(parent === undefined || parent === ''
      ? {}
      : { rootFollowupIntentName: rootOf(project, intent.name) }),
  })
}

/** What an export holds: `agent.json`, `package.json` and a file an intent, in the order of the list. */
function archiveOf(project: Project): Buffer {
  const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  const view = { full: true, languageCode: String(project.agent.defaultLanguageCode) }
  return writeZip([
    { name: 'package.json', content: json({ version: '1.0.0' }) },
    { name: 'agent.json', content: json(printMessage('Agent', project.agent)) },
    ...[...project.intents.values()].map((intent) => ({
      name: `intents/${String(intent.common.displayName).replaceAll(/[/\\]/g, '_')}.json`,
      content: json(printIntent(project, intent, view)),
    })),
  ])
}
