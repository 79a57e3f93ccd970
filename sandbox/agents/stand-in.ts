/** The routes of the conversational agent service: credentials, quota, parameters and bodies of each operation. */

import { callerFrom } from '../caller.ts'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { createConversations, type SessionPath } from './conversation/index.ts'
import { answerOf, invalidArgument, StatusError } from './errors.ts'
import { type IntentView, printIntent } from './intent-form.ts'
import { createIntent, deleteIntent, intentOf, listIntents, patchIntent } from './intents.ts'
import { bodyOf, checkNoBody, checkParameters, maskOf, parameter, wholeNumber } from './parameters.ts'
import { type AgentStore, createAgentStore } from './store.ts'

export interface AgentsStandInOptions {
  readonly now?: () => number
  /** Whether a call without a token is refused. */
  readonly requireAuth?: boolean
  /** How many reads, and how many writes, of agents and intents are allowed per minute; unlimited by default. */
  readonly requestsPerMinute?: number | undefined
}

/** Every method requires one of these. */
export const agentsScopes = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/dialogflow',
] as const

const root = '/v2beta1/projects/:project'
const session = `${root}/agent/environments/:environment/users/:user/sessions/:session`
const agent = `${root}/agent`
const view = ['languageCode', 'intentView']
type Kind = 'read' | 'write' | 'detect'

export function createAgentsStandIn(options: AgentsStandInOptions = {}): StandIn {
  return new AgentsStandIn(options)
}

class AgentsStandIn implements StandIn {
  readonly #now
  readonly #requireAuth
  readonly #requestsPerMinute
  /** Undefined until it is used. */
  #made: AgentStore | undefined
  readonly #conversations
  readonly #used = new Map<string, number>()
  readonly service: string
  readonly routes: readonly Route[]

  constructor(options: AgentsStandInOptions = {}) {
    const { now = Date.now, requireAuth = false, requestsPerMinute } = options
    this.#now = now
    this.#requireAuth = requireAuth
    this.#requestsPerMinute = requestsPerMinute
    this.#conversations = createConversations(this.#now)
    this.service = 'agents'
    this.routes = [...this.#agentRoutes(), ...this.#intentRoutes(), ...this.#sessionRoutes()]
  }

  get #store(): AgentStore {
    this.#made ??= createAgentStore()
    return this.#made
  }

  change(what: Readonly<Record<string, unknown>>): void {
    this.#store.change(what)
  }

  reset(): void {
    this.#made = undefined
    this.#conversations.reset()
    this.#used.clear()
  }

  #checkCaller({ headers }: StandInRequest): void {
    const caller = callerFrom(headers, this.#requireAuth)
    if (caller.isAnonymous && this.#requireAuth) {
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
    if (this.#requestsPerMinute === undefined || kind === 'detect') return
    const key = `${kind} ${Math.floor(this.#now() / 60_000)}`
    const count = (this.#used.get(key) ?? 0) + 1
    this.#used.set(key, count)
    if (count > this.#requestsPerMinute) {
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
    operation: string,
    kind: Kind,
    parameters: readonly string[],
    handle: (request: StandInRequest) => object,
  ): Route {
    const handler = (request: StandInRequest): StandInAnswer => {
      try {
        this.#checkCaller(request)
        this.#checkQuota(kind)
        checkParameters(request.query, parameters)
        return { status: 200, body: handle(request) }
      } catch (cause) {
        if (cause instanceof StatusError) return answerOf(cause)
        throw cause
      }
    }
    return { method, path, operation: `agents.${operation}`, handler }
  }

  #agentRoutes(): Route[] {
    return [
      this.#route('GET', agent, 'getAgent', 'read', [], ({ params }) =>
        this.#store.getAgent(params.project ?? ''),
      ),
      this.#route('POST', agent, 'setAgent', 'write', ['updateMask'], (request) => {
        const { params, query } = request
        request.recordWrite(params.project ?? '')
        return this.#store.setAgent(params.project ?? '', bodyOf(request), maskOf(query))
      }),
      this.#route('DELETE', agent, 'deleteAgent', 'write', [], (request) => {
        checkNoBody(request)
        this.#store.deleteAgent(request.params.project ?? '')
        request.recordWrite(request.params.project ?? '')
        return {}
      }),
      this.#route('POST', `${agent}:export`, 'export', 'read', [], (request) =>
        this.#store.exportAgent(request.params.project ?? '', bodyOf(request)),
      ),
      this.#route('POST', `${agent}:import`, 'import', 'write', [], (request) => {
        const answer = this.#store.importAgent(request.params.project ?? '', bodyOf(request))
        request.recordWrite(request.params.project ?? '')
        return answer
      }),
      this.#route('GET', `${root}/operations/:operation`, 'operations.get', 'read', [], ({ params }) =>
        this.#store.operationOf(params.project ?? '', params.operation ?? ''),
      ),
    ]
  }

  #intentRoutes(): Route[] {
    return [
      this.#route(
        'GET',
        `${agent}/intents`,
        'intents.list',
        'read',
        ['pageSize', 'pageToken', ...view],
        ({ params, query }) =>
          listIntents(
            this.#store.projectOf(params.project ?? ''),
            this.#viewOf(params.project ?? '', query),
            wholeNumber(query, 'pageSize'),
            parameter(query, 'pageToken'),
          ),
      ),
      this.#route('POST', `${agent}/intents`, 'intents.create', 'write', view, (request) => {
        const { params, query } = request
        const project = params.project ?? ''
        const intent = createIntent(
          this.#store.projectOf(project),
          bodyOf(request),
          this.#viewOf(project, query),
        )
        request.recordWrite(String(intent.name))
        return intent
      }),
      this.#route('GET', `${agent}/intents/:intent`, 'intents.get', 'read', view, ({ params, query }) =>
        this.#readIntent(params.project ?? '', params.intent ?? '', query),
      ),
      this.#route(
        'PATCH',
        `${agent}/intents/:intent`,
        'intents.patch',
        'write',
        ['updateMask', ...view],
        (request) => {
          const { params, query } = request
          const project = params.project ?? ''
          const stored = this.#store.projectOf(project)
          const intent = patchIntent(
            stored,
            intentOf(stored, params.intent ?? ''),
            bodyOf(request),
            maskOf(query),
            this.#viewOf(project, query),
          )
          request.recordWrite(String(intent.name))
          return intent
        },
      ),
      this.#route('DELETE', `${agent}/intents/:intent`, 'intents.delete', 'write', [], (request) => {
        const { project = '', intent = '' } = request.params
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
      this.#route('POST', `${session}:detectIntent`, 'detectIntent', 'detect', [], (request) => {
        const path = sessionPath(request)
        const answer = this.#conversations.detect(this.#store.projectOf(path.project), path, bodyOf(request))
        request.recordWrite(path.session)
        return answer
      }),
      this.#route('DELETE', `${session}/contexts`, 'deleteContexts', 'detect', [], (request) => {
        const path = sessionPath(request)
        checkNoBody(request)
        this.#store.projectOf(path.project)
        this.#conversations.deleteContexts(path)
        request.recordWrite(path.session)
        return {}
      }),
    ]
  }

  #readIntent(id: string, intentId: string, query: URLSearchParams): object {
    const project = this.#store.projectOf(id)
    return printIntent(project, intentOf(project, intentId), this.#viewOf(id, query))
  }

  #viewOf(project: string, query: URLSearchParams): IntentView {
    const wanted = parameter(query, 'intentView')
    if (!['', 'INTENT_VIEW_UNSPECIFIED', 'INTENT_VIEW_FULL', '0', '1'].includes(wanted)) {
      throw invalidArgument(
        `Invalid value at 'intent_view' (type.googleapis.com/google.cloud.dialogflow.v2beta1.IntentView), "${wanted}"`,
        'intent_view',
      )
    }
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
