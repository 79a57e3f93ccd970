/**
 * The endpoints of the conversational agent service, one function each: path, parameters, body and what
 * comes back. Nothing here knows GraphQL. Only reads may be repeated.
 */
import { tesseraError } from '../lib/errors.ts'
import type { SubgraphRequest } from '../lib/request.ts'
import type { Upstream, UpstreamCall } from '../lib/upstream.ts'
import { pathOf, projectName, type SessionName, sessionName } from './names.ts'
import type { Json } from './proto3.ts'

export interface IntentView {
  /** Whether training phrases are read, which the service leaves out otherwise. */
  readonly full: boolean
  /** Undefined: the agent's own language. */
  readonly languageCode: string | undefined
}

export interface IntentPage {
  readonly items: readonly Json[]
  readonly next: string | undefined
}

export interface AgentsClient {
  /** Undefined where the project has no agent. */
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
  /** Undefined where there is no such operation (any more). */
  getOperation(name: string, request: SubgraphRequest): Promise<Json | undefined>
}

/** The most intents that the service gives in a page. */
export const maxIntents = 1000

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
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
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Json
    throw tesseraError(
      'UPSTREAM_BAD_RESPONSE',
      'The agents service answered something other than an object.',
      {
        service: upstream.service,
        upstream: { status },
      },
    )
  }

  /** A read of one thing; undefined where the service says that there is none. */
  async function found(call: UpstreamCall, request: SubgraphRequest): Promise<Json | undefined> {
    const { status, body } = await upstream.send<unknown>({ ...call, accept: [404] }, request)
    const json =
      typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : undefined
    if (status === 404) {
      // Only the service's own "not found": a wrong base URL must not look like an empty project.
      if ((json?.error as Json | undefined)?.status === 'NOT_FOUND') return undefined
    } else if (json !== undefined) return json
    throw tesseraError(
      'UPSTREAM_BAD_RESPONSE',
      'The agents service answered something other than it promises.',
      {
        service: upstream.service,
        upstream: { status },
      },
    )
  }

  const agentPath = (project: string): string => pathOf(`${projectName(project)}/agent`)
  const write = { method: 'POST', safe: false } as const

  return {
    getAgent: (project, request) =>
      found(
        {
          operation: 'agents.getAgent',
          method: 'GET',
          path: agentPath(project),
          safe: true,
          cacheable: true,
        },
        request,
      ),
    setAgent: (project, body, mask, request) =>
      object(
        {
          ...write,
          operation: 'agents.setAgent',
          path: `${agentPath(project)}?updateMask=${mask.map(encodeURIComponent).join(',')}`,
          body: JSON.stringify(body),
        },
        request,
      ),
    async deleteAgent(project, request) {
      await upstream.send(
        { operation: 'agents.deleteAgent', method: 'DELETE', path: agentPath(project), safe: false },
        request,
      )
    },
    exportAgent: (project, body, request) =>
      object(
        {
          ...write,
          operation: 'agents.export',
          path: `${agentPath(project)}:export`,
          body: JSON.stringify(body),
        },
        request,
      ),
    importAgent: (project, body, request) =>
      object(
        {
          ...write,
          operation: 'agents.import',
          path: `${agentPath(project)}:import`,
          body: JSON.stringify(body),
        },
        request,
      ),
    async listIntents(project, page, request) {
      const json = await object(
        {
          operation: 'agents.intents.list',
          method: 'GET',
          path: `${agentPath(project)}/intents${query({
            pageSize: String(page.size),
            pageToken: page.token,
            ...viewParameters(page),
          })}`,
          safe: true,
          cacheable: true,
        },
        request,
      )
      // An empty list is an answer without `intents`; the last page has no token, or an empty one.
      const token = json.nextPageToken
      return {
        items: Array.isArray(json.intents) ? (json.intents as Json[]) : [],
        next: typeof token === 'string' && token !== '' ? token : undefined,
      }
    },
    createIntent: (project, body, view, request) =>
      object(
        {
          ...write,
          operation: 'agents.intents.create',
          path: `${agentPath(project)}/intents${query(viewParameters(view))}`,
          body: JSON.stringify(body),
        },
        request,
      ),
    patchIntent: (name, body, options, request) =>
      object(
        {
          operation: 'agents.intents.patch',
          method: 'PATCH',
          path:
            `${pathOf(name)}?updateMask=${options.mask.map(encodeURIComponent).join(',')}` +
            query(viewParameters(options)).replace('?', '&'),
          body: JSON.stringify(body),
          safe: false,
        },
        request,
      ),
    async deleteIntent(name, request) {
      await upstream.send(
        { operation: 'agents.intents.delete', method: 'DELETE', path: pathOf(name), safe: false },
        request,
      )
    },
    detectIntent: (session, body, request) =>
      object(
        {
          ...write,
          operation: 'agents.detectIntent',
          path: `${pathOf(sessionName(session))}:detectIntent`,
          body: JSON.stringify(body),
        },
        request,
      ),
    async deleteContexts(session, request) {
      await upstream.send(
        {
          operation: 'agents.deleteContexts',
          method: 'DELETE',
          path: `${pathOf(sessionName(session))}/contexts`,
          safe: false,
        },
        request,
      )
    },
    getOperation: (name, request) =>
      found({ operation: 'agents.operations.get', method: 'GET', path: pathOf(name), safe: true }, request),
  }
}
