/**
 * The endpoints of the conversational agent service, one function each: path, parameters, body and result. Nothing
 * here knows GraphQL. Only reads may be repeated.
 */
import { tesseraError } from '../../shared/errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { ServiceOperation } from '../../shared/service-calls.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { isObject, type Json, wellFormed } from '../kit/json.ts'
import { callOf, fillPath } from '../kit/operation.ts'
import type { PageTokens } from '../kit/pagination/index.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import { operations } from './operations.ts'
import { projectName, type SessionName, sessionName } from './resource-names.ts'

export interface IntentView {
  /** Whether training phrases are read, which the service leaves out by default. */
  readonly full: boolean
  /** If it is undefined, the service uses the agent's own language. */
  readonly languageCode: string | undefined
}

export interface IntentPage {
  readonly items: readonly Json[]
  /** How many intents have no name. */
  readonly odd: number
  readonly next: string | undefined
}

export interface AgentsClient {
  /** What is known of the service's page tokens. */
  readonly tokens: PageTokens
  /** Undefined if the project has no agent. */
  getAgent(project: string, request: SubgraphRequest): Promise<Json | undefined>
  setAgent(project: string, body: Json, mask: readonly string[], request: SubgraphRequest): Promise<Json>
  deleteAgent(project: string, request: SubgraphRequest): Promise<void>
  exportAgent(project: string, body: Json, request: SubgraphRequest): Promise<Json>
  importAgent(project: string, body: Json, request: SubgraphRequest): Promise<Json>
  listIntents(
    project: string,
    page: { readonly size: number; readonly token: string | undefined } & IntentView,
    request: SubgraphRequest,
  ): Promise<IntentPage>
  createIntent(project: string, body: Json, view: IntentView, request: SubgraphRequest): Promise<Json>
  patchIntent(
    name: string,
    body: Json,
    options: IntentView & { readonly mask: readonly string[] },
    request: SubgraphRequest,
  ): Promise<Json>
  deleteIntent(name: string, request: SubgraphRequest): Promise<void>
  detectIntent(session: SessionName, body: Json, request: SubgraphRequest): Promise<Json>
  deleteContexts(session: SessionName, request: SubgraphRequest): Promise<void>
  /** Undefined if the operation does not exist, or not any more. */
  getOperation(name: string, request: SubgraphRequest): Promise<Json | undefined>
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function hasName(intent: unknown): intent is Json {
  return isObject(intent) && typeof intent.name === 'string' && intent.name !== ''
}

function viewParameters(view: IntentView): Record<string, string | undefined> {
  return {
    languageCode: view.languageCode,
    intentView: view.full ? 'INTENT_VIEW_FULL' : undefined,
  }
}

export function createAgentsClient(upstream: Upstream): AgentsClient {
  async function object(call: UpstreamCall, request: SubgraphRequest): Promise<Json> {
    const { status, body } = await upstream.send<unknown>(call, request)
    if (isObject(body)) return body
    throw tesseraError(
      'UPSTREAM_BAD_RESPONSE',
      'The agents service returned something other than an object.',
      {
        service: upstream.service,
        upstream: { status },
      },
    )
  }

  /** Reads one object. The result is undefined if the service says that it does not exist. */
  async function found(call: UpstreamCall, request: SubgraphRequest): Promise<Json | undefined> {
    const { status, body } = await upstream.send<unknown>({ ...call, accept: [404] }, request)
    const json = isObject(body) ? body : undefined
    if (status === 404) {
      // Only the service's own "not found" counts, so that a wrong base URL does not look like an empty project.
      if ((json?.error as Json | undefined)?.status === 'NOT_FOUND') return undefined
    } else if (json !== undefined) return json
    throw tesseraError('UPSTREAM_BAD_RESPONSE', 'The agents service returned a malformed response.', {
      service: upstream.service,
      upstream: { status },
    })
  }

  const ofProject = (operation: ServiceOperation, project: string): string =>
    fillPath(operation, { project: projectName(project) })

  /** A write that returns an object. */
  const write = (
    operation: ServiceOperation,
    path: string,
    body: Json,
    request: SubgraphRequest,
  ): Promise<Json> => object(callOf(operation, path, { body: JSON.stringify(body) }), request)

  /** A write that returns nothing. */
  async function done(operation: ServiceOperation, path: string, request: SubgraphRequest): Promise<void> {
    await upstream.send(callOf(operation, path), request)
  }

  const maskOf = (mask: readonly string[]): string => `updateMask=${mask.map(encodeURIComponent).join(',')}`

  return {
    tokens: { boundToSize: false },
    getAgent: (project, request) =>
      found(callOf(operations.getAgent, ofProject(operations.getAgent, project)), request),
    setAgent: (project, body, mask, request) =>
      write(operations.setAgent, `${ofProject(operations.setAgent, project)}?${maskOf(mask)}`, body, request),
    deleteAgent: (project, request) =>
      done(operations.deleteAgent, ofProject(operations.deleteAgent, project), request),
    exportAgent: (project, body, request) =>
      write(operations.exportAgent, ofProject(operations.exportAgent, project), body, request),
    importAgent: (project, body, request) =>
      write(operations.importAgent, ofProject(operations.importAgent, project), body, request),
    async listIntents(project, page, request) {
      const parameters = query({
        pageSize: String(page.size),
        pageToken: page.token,
        ...viewParameters(page),
      })
      const path = `${ofProject(operations.listIntents, project)}${parameters}`
      const json = await object(callOf(operations.listIntents, path), request)
      // The service leaves out `intents` if the list is empty. The last page has no token, or an empty one.
      const token = json.nextPageToken
      return {
        ...(wellFormed(json.intents, hasName) ?? { items: [], odd: 0 }),
        next: typeof token === 'string' && token !== '' ? token : undefined,
      }
    },
    createIntent: (project, body, view, request) =>
      write(
        operations.createIntent,
        `${ofProject(operations.createIntent, project)}${query(viewParameters(view))}`,
        body,
        request,
      ),
    patchIntent(intent, body, options, request) {
      const parameters = query(viewParameters(options)).replace('?', '&')
      const path = `${fillPath(operations.patchIntent, { intent })}?${maskOf(options.mask)}${parameters}`
      return write(operations.patchIntent, path, body, request)
    },
    deleteIntent: (intent, request) =>
      done(operations.deleteIntent, fillPath(operations.deleteIntent, { intent }), request),
    detectIntent: (session, body, request) =>
      write(
        operations.detectIntent,
        fillPath(operations.detectIntent, { session: sessionName(session) }),
        body,
        request,
      ),
    deleteContexts: (session, request) =>
      done(
        operations.deleteContexts,
        fillPath(operations.deleteContexts, { session: sessionName(session) }),
        request,
      ),
    getOperation: (operation, request) =>
      found(callOf(operations.getOperation, fillPath(operations.getOperation, { operation })), request),
  }
}
