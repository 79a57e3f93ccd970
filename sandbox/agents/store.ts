/**
 * The data of the agent service: one agent for each project with its intents, the Cloud Storage objects to which
 * agents are exported, and operations. Knows nothing of HTTP.
 */
import { randomUUID } from 'node:crypto'
import { exportArchive, importArchive } from './agent-archive.ts'
import { checkAgent, checkUri } from './check.ts'
import { check, notFound, type StatusName, statusMessage } from './errors.ts'
import { type IntentView, putIntent } from './intents.ts'
import { languageOf, type Project } from './project.ts'
import { applyMask, type Json, pathsFrom, printMessage, readMessage } from './proto.ts'
import { starterIntents } from './sample-intents.ts'
import { stableId } from './sample-names.ts'
import { createSampleAgent, createSampleIntents } from './samples.ts'

export class AgentStore {
  readonly #projects = new Map<string, Project>()
  readonly #operations = new Map<string, { readonly pending: Json; readonly done: Json }>()
  /** Whether new operations run until a change finishes them. */
  #lasting = false
  readonly #bucket = new Map<string, Buffer>()

  constructor() {
    const demo = this.#createProject('demo', createSampleAgent())
    putSamples(demo, createSampleIntents())
  }

  getAgent(id: string): Json {
    return printMessage('Agent', this.projectOf(id).agent)
  }

  deleteAgent(id: string): void {
    this.projectOf(id)
    this.#projects.delete(id)
  }

  operationOf(id: string, operationId: string): Json {
    const found = this.#operations.get(`projects/${id}/operations/${operationId}`)
    if (found === undefined) throw notFound(`Operation '${operationId}' not found.`)
    return found.pending
  }

  /** After `{ operationsLast: true }`, new operations run until `{ progress }` or `{ finish }` names one. */
  change({ operationsLast, progress, finish, percent }: Json): void {
    if (typeof operationsLast === 'boolean') {
      this.#lasting = operationsLast
      return
    }
    const name = String(finish ?? progress)
    const found = this.#operations.get(name)
    if (found === undefined)
      throw new Error('expected operationsLast, or the name of an operation in progress or finish')
    const progressed = { ...found.pending, metadata: metadataOf({ percent }) }
    const pending = finish === undefined ? progressed : found.done
    this.#operations.set(name, { ...found, pending })
  }

  /** The language of the agent that a code means: the same, its root, or the default for an empty code. */
  viewFrom(id: string, languageCode: string, full: boolean): IntentView {
    const { agent } = this.projectOf(id)
    if (languageCode === '') return { full, languageCode: String(agent.defaultLanguageCode) }
    return { full, languageCode: languageOf(agent, languageCode) }
  }

  projectOf(id: string): Project {
    const project = this.#projects.get(id)
    if (project === undefined) throw notFound(`No DesignTimeAgent found for project '${id}'.`)
    return project
  }

  setAgent(id: string, body: unknown, mask: string): Json {
    const given = readMessage('Agent', body, 'agent')
    const parent = `projects/${id}`
    const { parent: wanted = parent } = given
    check(
      wanted === parent,
      `The agent's parent '${String(wanted)}' is not '${parent}' of the path.`,
      'agent.parent',
    )
    const paths = pathsFrom('Agent', mask)
    const known = this.#projects.get(id)
    const agent =
      known === undefined || paths.length === 0
        ? { ...given, parent }
        : { ...applyMask(known.agent, given, paths), parent }
    checkAgent(agent, known?.agent)
    if (known === undefined) {
      const project = this.#createProject(id, agent)
      putSamples(project, starterIntents)
    } else known.agent = agent
    return printMessage('Agent', agent)
  }

  exportAgent(id: string, body: unknown): Json {
    const project = this.projectOf(id)
    const { agentUri } = readMessage('ExportAgentRequest', body ?? {})
    const uri = String(agentUri ?? '')
    if (uri !== '') checkUri(uri)
    const archive = exportArchive(project)
    if (uri !== '') this.#bucket.set(uri, archive)
    return this.#addOperation(project, true, {
      response: {
        '@type': 'type.googleapis.com/google.cloud.dialogflow.v2beta1.ExportAgentResponse',
        ...(uri === '' ? { agentContent: archive.toString('base64') } : { agentUri: uri }),
      },
    })
  }

  importAgent(id: string, body: unknown): Json {
    const project = this.projectOf(id)
    const { agentUri, agentContent } = readMessage('ImportAgentRequest', body ?? {})
    const isGiven = agentUri !== undefined || agentContent !== undefined
    check(isGiven, 'One of agent_uri and agent_content must be given.', 'agent')
    let archive: Buffer | undefined = Buffer.from(String(agentContent), 'base64')
    if (typeof agentUri === 'string') {
      checkUri(agentUri)
      archive = this.#bucket.get(agentUri)
      if (archive === undefined)
        return this.#addFailure(project, 'NOT_FOUND', `There is no object '${agentUri}'.`)
    }
    const fault = importArchive(project, archive)
    if (fault !== undefined) return this.#addFailure(project, 'INVALID_ARGUMENT', fault)
    return this.#addOperation(project, false, {
      response: { '@type': 'type.googleapis.com/google.protobuf.Empty', value: {} },
    })
  }

  #createProject(id: string, agent: Json): Project {
    const project: Project = { id, agent, intents: new Map(), nextOrder: 1 }
    this.#projects.set(id, project)
    return project
  }

  #addFailure(project: Project, status: StatusName, message: string): Json {
    return this.#addOperation(project, false, { error: statusMessage(status, message) })
  }

  /** Stores a finished operation. The response shows that at once, or only when it is read. */
  #addOperation(project: Project, showsOutcome: boolean, outcome: Json): Json {
    const name = `projects/${project.id}/operations/${randomUUID()}`
    const pending: Json = { name, metadata: metadataOf({}) }
    const done: Json = { ...pending, done: true, ...outcome }
    this.#operations.set(name, { pending: this.#lasting ? pending : done, done })
    return showsOutcome && !this.#lasting ? done : pending
  }
}

function putSamples(project: Project, intents: readonly Json[]): void {
  for (const intent of intents) putIntent(project, intent, stableId(String(intent.displayName)))
}

function metadataOf(value: Json): Json {
  return { '@type': 'type.googleapis.com/google.protobuf.Struct', value }
}
