/** The routes of the conversational agent service: credentials, quota, parameters and bodies of each operation. */
import { callerFrom } from '../caller.ts'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { createConversations, type SessionPath } from './conversation/index.ts'
import { answerOf, check, StatusError } from './errors.ts'
import {
  createIntent,
  deleteIntent,
  type IntentView,
  intentOf,
  listIntents,
  patchIntent,
  printIntent,
} from './intents.ts'
import { bodyOf, checkNoBody, checkParameters, parameter, wholeNumber } from './parameters.ts'
import { AgentStore } from './store.ts'

export interface AgentsStandInOptions {
  readonly now?: () => number
  /** Whether a call without a token is refused. */
  readonly requireAuth?: boolean
  /** How many reads, and how many writes, of agents and intents are allowed per minute; unlimited by default. */
  readonly requestsPerMinute?: number | undefined
}

/** Every method requires one of these. */
const agentsScopes = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/dialogflow',
] as const

const root = '/v2beta1/projects/:project'
const session = `${root}/agent/environments/:environment/users/:user/sessions/:session`
const agent = `${root}/agent`
const intents = `${agent}/intents`
const intent = `${intents}/:intent`
const view = ['languageCode', 'intentView'] as const
type Kind = 'read' | 'write' | 'detect'

/** The method, the path and the kind of each operation, and the query parameters that it accepts. */
const operations = {
  getAgent: ['GET', agent, 'read'],
  setAgent: ['POST', agent, 'write', 'updateMask'],
  deleteAgent: ['DELETE', agent, 'write'],
  export: ['POST', `${agent}:export`, 'read'],
  import: ['POST', `${agent}:import`, 'write'],
  'operations.get': ['GET', `${root}/operations/:operation`, 'read'],
  'intents.list': ['GET', intents, 'read', 'pageSize', 'pageToken', ...view],
  'intents.create': ['POST', intents, 'write', ...view],
  'intents.get': ['GET', intent, 'read', ...view],
  'intents.patch': ['PATCH', intent, 'write', 'updateMask', ...view],
  'intents.delete': ['DELETE', intent, 'write'],
  detectIntent: ['POST', `${session}:detectIntent`, 'detect'],
  deleteContexts: ['DELETE', `${session}/contexts`, 'detect'],
} as const satisfies Readonly<
  Record<string, readonly [method: string, path: string, kind: Kind, ...parameters: string[]]>
>
type Operation = keyof typeof operations

/** The body of the response. `project` is the one in the path. */
type Handle = (request: StandInRequest, project: string) => object

export class AgentsStandIn implements StandIn {
  readonly service = 'agents'
  readonly routes: readonly Route[]
  readonly #options: AgentsStandInOptions
  readonly #now: () => number
  /** Undefined until it is used. */
  #made: AgentStore | undefined
  readonly #conversations
  readonly #used = new Map<string, number>()

  constructor(options: AgentsStandInOptions = {}) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#conversations = createConversations(this.#now)
    this.routes = (Object.keys(operations) as Operation[]).map((operation) => this.#route(operation))
  }

  get #store(): AgentStore {
    this.#made ??= new AgentStore()
    return this.#made
  }

  change(what: Readonly<Record<string, unknown>>): void {
    this.#store.change(what)
  }

  #checkCaller({ headers }: StandInRequest): void {
    const { requireAuth = false } = this.#options
    const caller = callerFrom(headers, requireAuth)
    if (caller.isAnonymous && requireAuth) {
      throw new StatusError(
        'UNAUTHENTICATED',
        'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
        [errorInfo('CREDENTIALS_MISSING')],
      )
    }
    if (!agentsScopes.some((scope) => caller.has(scope))) {
      throw new StatusError('PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [
        errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
      ])
    }
  }

  #checkQuota(kind: Kind): void {
    const { requestsPerMinute } = this.#options
    if (requestsPerMinute === undefined || kind === 'detect') return
    const key = `${kind} ${Math.floor(this.#now() / 60_000)}`
    const count = (this.#used.get(key) ?? 0) + 1
    this.#used.set(key, count)
    if (count > requestsPerMinute) {
      throw new StatusError(
        'RESOURCE_EXHAUSTED',
        `Quota exceeded for quota metric 'Design-time ${kind} requests' and limit 'Design-time ${kind} requests per minute' of service 'dialogflow.googleapis.com'.`,
        [errorInfo('RATE_LIMIT_EXCEEDED')],
      )
    }
  }

  #route(operation: Operation): Route {
    const [method, path, kind, ...parameters] = operations[operation]
    const handle = this.#handlers[operation]
    const handler = (request: StandInRequest): StandInAnswer => {
      try {
        this.#checkCaller(request)
        this.#checkQuota(kind)
        checkParameters(request.query, parameters)
        return { status: 200, body: handle(request, request.params.project ?? '') }
      } catch (cause) {
        if (cause instanceof StatusError) return answerOf(cause)
        throw cause
      }
    }
    return { method, path, operation: `agents.${operation}`, handler }
  }

  readonly #handlers: Readonly<Record<Operation, Handle>> = {
    getAgent: (_, project) => this.#store.getAgent(project),
    setAgent: (request, project) => {
      request.recordWrite(project)
      return this.#store.setAgent(project, bodyOf(request), parameter(request.query, 'updateMask'))
    },
    deleteAgent: (request, project) => {
      checkNoBody(request)
      this.#store.deleteAgent(project)
      request.recordWrite(project)
      return {}
    },
    export: (request, project) => this.#store.exportAgent(project, bodyOf(request)),
    import: (request, project) => {
      const answer = this.#store.importAgent(project, bodyOf(request))
      request.recordWrite(project)
      return answer
    },
    'operations.get': ({ params }, project) => this.#store.operationOf(project, params.operation ?? ''),
    'intents.list': ({ query }, project) => {
      const stored = this.#store.projectOf(project)
      const size = wholeNumber(query, 'pageSize')
      return listIntents(stored, this.#viewOf(project, query), size, parameter(query, 'pageToken'))
    },
    'intents.create': (request, project) => {
      const stored = this.#store.projectOf(project)
      const created = createIntent(stored, bodyOf(request), this.#viewOf(project, request.query))
      request.recordWrite(String(created.name))
      return created
    },
    'intents.get': ({ params, query }, project) => {
      const stored = this.#store.projectOf(project)
      return printIntent(stored, intentOf(stored, params.intent ?? ''), this.#viewOf(project, query))
    },
    'intents.patch': (request, project) => {
      const { params, query } = request
      const stored = this.#store.projectOf(project)
      const before = intentOf(stored, params.intent ?? '')
      const mask = parameter(query, 'updateMask')
      const patched = patchIntent(stored, before, bodyOf(request), mask, this.#viewOf(project, query))
      request.recordWrite(String(patched.name))
      return patched
    },
    'intents.delete': (request, project) => {
      checkNoBody(request)
      const stored = this.#store.projectOf(project)
      const deleted = intentOf(stored, request.params.intent ?? '')
      deleteIntent(stored, deleted)
      request.recordWrite(deleted.name)
      return {}
    },
    detectIntent: (request) => {
      const path = sessionPath(request)
      const answer = this.#conversations.detect(this.#store.projectOf(path.project), path, bodyOf(request))
      request.recordWrite(path.session)
      return answer
    },
    deleteContexts: (request) => {
      const path = sessionPath(request)
      checkNoBody(request)
      this.#store.projectOf(path.project)
      this.#conversations.deleteContexts(path)
      request.recordWrite(path.session)
      return {}
    },
  }

  #viewOf(project: string, query: URLSearchParams): IntentView {
    const wanted = parameter(query, 'intentView')
    check(
      ['', 'INTENT_VIEW_UNSPECIFIED', 'INTENT_VIEW_FULL', '0', '1'].includes(wanted),
      `Invalid value at 'intent_view' (type.googleapis.com/google.cloud.dialogflow.v2beta1.IntentView), "${wanted}"`,
      'intent_view',
    )
    const isFull = wanted === 'INTENT_VIEW_FULL' || wanted === '1'
    return this.#store.viewFrom(project, parameter(query, 'languageCode'), isFull)
  }
}

function errorInfo(reason: string): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
    metadata: { service: 'dialogflow.googleapis.com' },
  }
}

function sessionPath({ params }: StandInRequest): SessionPath {
  const { project = '', environment = '', user = '', session: id = '' } = params
  return { project, environment, user, session: id }
}
