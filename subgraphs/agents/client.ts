/**
 * The endpoints of the conversational agent service, one function each: path, parameters, body and result. Nothing
 * here knows GraphQL. Only reads may be repeated.
 */
import type { GraphQLError } from 'graphql'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { ServiceOperation } from '../../shared/service-calls.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { isObject, type Json, malformed, textOf, wellFormed } from '../kit/json.ts'
import { callOf, fillPath, queryOf } from '../kit/operation.ts'
import { type PageTokens, visitPages } from '../kit/pagination/index.ts'
import { malformedOutcome, type Upstream } from '../kit/rest-client/index.ts'
import { isNotFound } from './failure.ts'
import { operations } from './operations.ts'
import { projectName, type SessionName, sessionName } from './resource-names.ts'

export interface IntentView {
  /** Whether training phrases are read, which the service leaves out by default. */
  readonly full: boolean
  /** If it is undefined, the service uses the agent's own language. */
  readonly languageCode: string | undefined
}

export interface IntentPageOptions extends IntentView {
  readonly size: number
  readonly token: string | undefined
}

export interface IntentPage {
  readonly items: readonly Json[]
  /** How many intents have no name. */
  readonly malformedCount: number
  readonly next: string | undefined
}

/** An agent has at most 2000 intents, and pages may be shorter than requested. */
const mostIntentPages = 20

function hasName(intent: unknown): intent is Json {
  return isObject(intent) && typeof intent.name === 'string' && intent.name !== ''
}

const viewOf = ({ languageCode, full }: IntentView): string =>
  queryOf({ languageCode, intentView: full ? 'INTENT_VIEW_FULL' : undefined })

export class AgentsClient {
  readonly #upstream: Upstream
  /** What is known of the service's page tokens. */
  readonly tokens: PageTokens = { boundToSize: false }

  constructor(upstream: Upstream) {
    this.#upstream = upstream
  }

  /** Undefined if the project has no agent. `isNone` says which errors mean that. */
  getAgent(project: string, request: SubgraphRequest, isNone = isNotFound): Promise<Json | undefined> {
    return this.#found(operations.getAgent, ofProject(project), request, isNone)
  }

  setAgent(project: string, body: Json, mask: readonly string[], request: SubgraphRequest): Promise<Json> {
    return this.#write(operations.setAgent, ofProject(project), body, request, `?${maskOf(mask)}`)
  }

  deleteAgent(project: string, request: SubgraphRequest): Promise<void> {
    return this.#done(operations.deleteAgent, ofProject(project), request)
  }

  exportAgent(project: string, body: Json, request: SubgraphRequest): Promise<Json> {
    return this.#write(operations.exportAgent, ofProject(project), body, request)
  }

  importAgent(project: string, body: Json, request: SubgraphRequest): Promise<Json> {
    return this.#write(operations.importAgent, ofProject(project), body, request)
  }

  async listIntents(project: string, page: IntentPageOptions, request: SubgraphRequest): Promise<IntentPage> {
    const operation = operations.listIntents
    const parameters = `?pageSize=${page.size}${queryOf({ pageToken: page.token })}${viewOf(page)}`
    const path = fillPath(operation, ofProject(project)) + parameters
    const json = await this.#object(callOf(operation, path), request)
    // The service leaves out `intents` if the list is empty. The last page has no token, or an empty one.
    const found = wellFormed(json.intents ?? [], hasName)
    if (found === undefined)
      throw malformed('agents', 'The agents service returned something other than a list of intents.')
    return { ...found, next: textOf(json.nextPageToken) }
  }

  /**
   * Reads the list in the largest pages until `isLast` returns true for an intent. Returns an error if the list could
   * not be read to its end.
   */
  visitIntents(
    project: string,
    view: IntentView,
    request: SubgraphRequest,
    isLast: (intent: Json) => boolean,
  ): Promise<GraphQLError | undefined> {
    const size = operations.listIntents.pages.maxPageSize
    return visitPages({
      service: 'agents',
      mostPages: mostIntentPages,
      fetch: (token) => this.listIntents(project, { size, token, ...view }, request),
      visit: ({ items }) => items.some(isLast),
    })
  }

  createIntent(project: string, body: Json, view: IntentView, request: SubgraphRequest): Promise<Json> {
    const parameters = viewOf(view).replace('&', '?')
    return this.#write(operations.createIntent, ofProject(project), body, request, parameters)
  }

  patchIntent(
    intent: string,
    body: Json,
    options: IntentView & { readonly mask: readonly string[] },
    request: SubgraphRequest,
  ): Promise<Json> {
    const parameters = `?${maskOf(options.mask)}${viewOf(options)}`
    return this.#write(operations.patchIntent, { intent }, body, request, parameters)
  }

  deleteIntent(intent: string, request: SubgraphRequest): Promise<void> {
    return this.#done(operations.deleteIntent, { intent }, request)
  }

  detectIntent(session: SessionName, body: Json, request: SubgraphRequest): Promise<Json> {
    return this.#write(operations.detectIntent, { session: sessionName(session) }, body, request)
  }

  deleteContexts(session: SessionName, request: SubgraphRequest): Promise<void> {
    return this.#done(operations.deleteContexts, { session: sessionName(session) }, request)
  }

  /** Undefined if the operation does not exist, or not any more. */
  getOperation(operation: string, request: SubgraphRequest): Promise<Json | undefined> {
    return this.#found(operations.getOperation, { operation }, request)
  }

  async #object(call: UpstreamCall, request: SubgraphRequest): Promise<Json> {
    const { status, body } = await this.#upstream.send<unknown>(call, request)
    if (isObject(body)) return body
    const { service } = this.#upstream
    const message = 'The agents service returned something other than an object.'
    throw call.safe ? malformed(service, message, status) : malformedOutcome(service, message, status)
  }

  /** Reads one object. The result is undefined if it does not exist. */
  async #found(
    operation: ServiceOperation,
    of: Names,
    request: SubgraphRequest,
    isNone = isNotFound,
  ): Promise<Json | undefined> {
    try {
      return await this.#object(callOf(operation, fillPath(operation, of)), request)
    } catch (error) {
      if (isNone(error)) return undefined
      throw error
    }
  }

  #write(
    operation: ServiceOperation,
    of: Names,
    body: Json,
    request: SubgraphRequest,
    parameters = '',
  ): Promise<Json> {
    const path = fillPath(operation, of) + parameters
    return this.#object(callOf(operation, path, { body: JSON.stringify(body) }), request)
  }

  async #done(operation: ServiceOperation, of: Names, request: SubgraphRequest): Promise<void> {
    await this.#upstream.send(callOf(operation, fillPath(operation, of)), request)
  }
}

type Names = Readonly<Record<string, string>>

const ofProject = (project: string): Names => ({ project: projectName(project) })

const maskOf = (mask: readonly string[]): string => `updateMask=${mask.map(encodeURIComponent).join(',')}`
