/**
 * The stand-in of the conversational agent service: the eleven operations, the operations resource and reading one
 * intent. As strict as proto3 JSON: unknown fields, unknown mask paths and unknown query parameters are refused.
 */
import { createConversations, type SessionPath } from './agents/detect.ts'
import { answerOf, invalidArgument, StatusError } from './agents/status.ts'
import { createAgentStore, type IntentView } from './agents/store.ts'
import { callerFrom, type Route, type StandIn, type StandInAnswer, type StandInRequest } from './stand-in.ts'

export { messageKinds, sampleAgents, sampleIntentName } from './agents/samples.ts'
export { hear, speak } from './agents/wave.ts'

export interface AgentsStandInOptions {
  readonly now?: () => number
  /** Whether a call without a token is refused. */
  readonly requireAuth?: boolean
  /** Reads and writes of agents and intents that a minute allows, each; without it there is no end. */
  readonly requestsPerMinute?: number | undefined
}

/** One of these opens every method. */
export const agentsScopes = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/dialogflow',
] as const

/** What every method of the service takes beside its own parameters. */
const globalParameters = new Set([
  '$.xgafv',
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
  'upload_protocol',
  'uploadType',
])
const root = '/v2beta1/projects/:project'
const session = `${root}/agent/environments/:environment/users/:user/sessions/:session`
type Kind = 'read' | 'write' | 'detect'

export function createAgentsStandIn(options: AgentsStandInOptions = {}): StandIn {
  const { now = Date.now, requireAuth = false, requestsPerMinute } = options
  const store = createAgentStore()
  const conversations = createConversations(now)
  const used = new Map<string, number>()

  function checkCaller({ headers }: StandInRequest): void {
    const caller = callerFrom(headers, requireAuth)
    if (caller.anonymous && requireAuth) {
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

  function checkQuota(kind: Kind): void {
    if (requestsPerMinute === undefined || kind === 'detect') return
    const key = `${kind} ${Math.floor(now() / 60_000)}`
    const count = (used.get(key) ?? 0) + 1
    used.set(key, count)
    if (count > requestsPerMinute) {
      throw new StatusError(
        'RESOURCE_EXHAUSTED',
        `Quota exceeded for quota metric 'Design-time ${kind} requests' and limit 'Design-time ${kind} requests per minute' of service 'dialogflow.googleapis.com'.`,
        [errorInfo('RATE_LIMIT_EXCEEDED')],
      )
    }
  }

  function route(
    method: string,
    path: string,
    operation: string,
    kind: Kind,
    parameters: readonly string[],
    handle: (request: StandInRequest) => object,
  ): Route {
    const handler = (request: StandInRequest): StandInAnswer => {
      try {
        checkCaller(request)
        checkQuota(kind)
        checkParameters(request.query, parameters)
        return { status: 200, body: handle(request) }
      } catch (cause) {
        if (cause instanceof StatusError) return answerOf(cause)
        throw cause
      }
    }
    return { method, path, operation: `agents.${operation}`, handler }
  }

  const agent = `${root}/agent`
  const view = ['languageCode', 'intentView']
  return {
    service: 'agents',
    routes: [
      route('GET', agent, 'getAgent', 'read', [], ({ params }) => store.getAgent(params.project ?? '')),
      route('POST', agent, 'setAgent', 'write', ['updateMask'], (request) => {
        const { params, query } = request
        request.wrote(params.project ?? '')
        return store.setAgent(params.project ?? '', bodyOf(request), maskOf(query))
      }),
      route('DELETE', agent, 'deleteAgent', 'write', [], (request) => {
        checkNoBody(request)
        store.deleteAgent(request.params.project ?? '')
        request.wrote(request.params.project ?? '')
        return {}
      }),
      route('POST', `${agent}:export`, 'export', 'read', [], (request) =>
        store.exportAgent(request.params.project ?? '', bodyOf(request)),
      ),
      route('POST', `${agent}:import`, 'import', 'write', [], (request) => {
        const answer = store.importAgent(request.params.project ?? '', bodyOf(request))
        request.wrote(request.params.project ?? '')
        return answer
      }),
      route('GET', `${root}/operations/:operation`, 'operations.get', 'read', [], ({ params }) =>
        store.operationOf(params.project ?? '', params.operation ?? ''),
      ),
      route(
        'GET',
        `${agent}/intents`,
        'intents.list',
        'read',
        ['pageSize', 'pageToken', ...view],
        ({ params, query }) =>
          store.listIntents(
            params.project ?? '',
            viewOf(params.project ?? '', query),
            wholeNumber(query, 'pageSize'),
            parameter(query, 'pageToken'),
          ),
      ),
      route('POST', `${agent}/intents`, 'intents.create', 'write', view, (request) => {
        const { params, query } = request
        const project = params.project ?? ''
        const intent = store.createIntent(project, bodyOf(request), viewOf(project, query))
        request.wrote(String(intent.name))
        return intent
      }),
      route('GET', `${agent}/intents/:intent`, 'intents.get', 'read', view, ({ params, query }) =>
        store.getIntent(params.project ?? '', params.intent ?? '', viewOf(params.project ?? '', query)),
      ),
      route(
        'PATCH',
        `${agent}/intents/:intent`,
        'intents.patch',
        'write',
        ['updateMask', ...view],
        (request) => {
          const { params, query } = request
          const project = params.project ?? ''
          const intent = store.patchIntent(
            project,
            params.intent ?? '',
            bodyOf(request),
            maskOf(query),
            viewOf(project, query),
          )
          request.wrote(String(intent.name))
          return intent
        },
      ),
      route('DELETE', `${agent}/intents/:intent`, 'intents.delete', 'write', [], (request) => {
        const { project = '', intent = '' } = request.params
        checkNoBody(request)
        store.deleteIntent(project, intent)
        request.wrote(`projects/${project}/agent/intents/${intent}`)
        return {}
      }),
      route('POST', `${session}:detectIntent`, 'detectIntent', 'detect', [], (request) => {
        const path = sessionPath(request)
        const answer = conversations.detect(store.projectOf(path.project), path, bodyOf(request))
        request.wrote(path.session)
        return answer
      }),
      route('DELETE', `${session}/contexts`, 'deleteContexts', 'detect', [], (request) => {
        const path = sessionPath(request)
        checkNoBody(request)
        store.projectOf(path.project)
        conversations.deleteContexts(path)
        request.wrote(path.session)
        return {}
      }),
    ],
    reset() {
      store.reset()
      conversations.reset()
      used.clear()
    },
  }

  function viewOf(project: string, query: URLSearchParams): IntentView {
    const wanted = parameter(query, 'intentView')
    if (!['', 'INTENT_VIEW_UNSPECIFIED', 'INTENT_VIEW_FULL', '0', '1'].includes(wanted)) {
      throw invalidArgument(
        `Invalid value at 'intent_view' (type.googleapis.com/google.cloud.dialogflow.v2beta1.IntentView), "${wanted}"`,
        'intent_view',
      )
    }
    const isFull = wanted === 'INTENT_VIEW_FULL' || wanted === '1'
    return store.viewFrom(project, parameter(query, 'languageCode'), isFull)
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

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A parameter may be spelt in either way; repeated, the last one counts. */
function parameter(query: URLSearchParams, name: string): string {
  return query.getAll(name).at(-1) ?? query.getAll(snakeCase(name)).at(-1) ?? ''
}

function checkParameters(query: URLSearchParams, own: readonly string[]): void {
  const known = new Set([...globalParameters, ...own, ...own.map(snakeCase)])
  for (const name of query.keys()) {
    if (known.has(name)) continue
    throw invalidArgument(
      `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
      name,
    )
  }
}

function maskOf(query: URLSearchParams): string {
  return parameter(query, 'updateMask')
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = parameter(query, name)
  if (text === '') return undefined
  const value = Number(text)
  if (!/^-?[0-9]+$/.test(text) || (value | 0) !== value) {
    throw invalidArgument(`Invalid value at '${snakeCase(name)}' (TYPE_INT32), "${text}"`, snakeCase(name))
  }
  return value
}

/** The JSON of the body; an empty one is an empty message. */
function bodyOf(request: StandInRequest): unknown {
  if (request.body.trim() === '') return {}
  const value = request.json()
  if (value === undefined)
    throw invalidArgument('Invalid JSON payload received. Parsing terminated before end of input.')
  return value
}

function checkNoBody(request: StandInRequest): void {
  const body = bodyOf(request)
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (!isEmpty) throw invalidArgument('Request body must be empty for this method.')
}
