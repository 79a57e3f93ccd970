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
const view = ['languageCode', 'intentView']
type Kind = 'read' | 'write' | 'detect'

/** The operation of a route, and the parameters that it accepts. */
interface Called {
  readonly operation: string
  readonly kind: Kind
  /** The names of query parameters that it accepts; none by default. */
  readonly parameters?: readonly string[]
}

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
    this.routes = [...this.#agentRoutes(), ...this.#intentRoutes(), ...this.#sessionRoutes()]
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

  #route(
    method: string,
    path: string,
    { operation, kind, parameters = [] }: Called,
    handle: (request: StandInRequest, project: string) => object,
  ): Route {
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

  #agentRoutes(): Route[] {
    return [
      this.#route('GET', agent, { operation: 'getAgent', kind: 'read' }, (_, project) =>
        this.#store.getAgent(project),
      ),
      this.#route(
        'POST',
        agent,
        { operation: 'setAgent', kind: 'write', parameters: ['updateMask'] },
        (request, project) => {
          request.recordWrite(project)
          return this.#store.setAgent(project, bodyOf(request), parameter(request.query, 'updateMask'))
        },
      ),
      this.#route('DELETE', agent, { operation: 'deleteAgent', kind: 'write' }, (request, project) => {
        checkNoBody(request)
        this.#store.deleteAgent(project)
        request.recordWrite(project)
        return {}
      }),
      this.#route('POST', `${agent}:export`, { operation: 'export', kind: 'read' }, (request, project) =>
        this.#store.exportAgent(project, bodyOf(request)),
      ),
      this.#route('POST', `${agent}:import`, { operation: 'import', kind: 'write' }, (request, project) => {
        const answer = this.#store.importAgent(project, bodyOf(request))
        request.recordWrite(project)
        return answer
      }),
      this.#route(
        'GET',
        `${root}/operations/:operation`,
        { operation: 'operations.get', kind: 'read' },
        ({ params }, project) => this.#store.operationOf(project, params.operation ?? ''),
      ),
    ]
  }

  #intentRoutes(): Route[] {
    const intents = `${agent}/intents`
    const one = `${intents}/:intent`
    const paging = ['pageSize', 'pageToken']
    return [
      this.#route(
        'GET',
        intents,
        { operation: 'intents.list', kind: 'read', parameters: [...paging, ...view] },
        ({ query }, project) =>
          listIntents(
            this.#store.projectOf(project),
            this.#viewOf(project, query),
            wholeNumber(query, 'pageSize'),
            parameter(query, 'pageToken'),
          ),
      ),
      this.#route(
        'POST',
        intents,
        { operation: 'intents.create', kind: 'write', parameters: view },
        (request, project) => {
          const stored = this.#store.projectOf(project)
          const intent = createIntent(stored, bodyOf(request), this.#viewOf(project, request.query))
          request.recordWrite(String(intent.name))
          return intent
        },
      ),
      this.#route(
        'GET',
        one,
        { operation: 'intents.get', kind: 'read', parameters: view },
        ({ params, query }, project) => {
          const stored = this.#store.projectOf(project)
          return printIntent(stored, intentOf(stored, params.intent ?? ''), this.#viewOf(project, query))
        },
      ),
      this.#route(
        'PATCH',
        one,
        { operation: 'intents.patch', kind: 'write', parameters: ['updateMask', ...view] },
        (request, project) => {
          const { params, query } = request
          const stored = this.#store.projectOf(project)
          const before = intentOf(stored, params.intent ?? '')
          const body = bodyOf(request)
          const intent = patchIntent(
            stored,
            before,
            body,
            parameter(query, 'updateMask'),
            this.#viewOf(project, query),
          )
          request.recordWrite(String(intent.name))
          return intent
        },
      ),
      this.#route('DELETE', one, { operation: 'intents.delete', kind: 'write' }, (request, project) => {
        const { intent = '' } = request.params
        checkNoBody(request)
        const stored = this.#store.projectOf(project)
        deleteIntent(stored, intentOf(stored, intent))
        request.recordWrite(`projects/${project}/agent/intents/${intent}`)
        return {}
      }),
    ]
  }

  #sessionRoutes(): Route[] {
    return [
      this.#route(
        'POST',
        `${session}:detectIntent`,
        { operation: 'detectIntent', kind: 'detect' },
        (request) => {
          const path = sessionPath(request)
          const answer = this.#conversations.detect(
            this.#store.projectOf(path.project),
            path,
            bodyOf(request),
          )
          request.recordWrite(path.session)
          return answer
        },
      ),
      this.#route(
        'DELETE',
        `${session}/contexts`,
        { operation: 'deleteContexts', kind: 'detect' },
        (request) => {
          const path = sessionPath(request)
          checkNoBody(request)
          this.#store.projectOf(path.project)
          this.#conversations.deleteContexts(path)
          request.recordWrite(path.session)
          return {}
        },
      ),
    ]
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
