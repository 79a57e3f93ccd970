/**
 * The endpoints of the short-message service, one function each: path, parameters, body and result. Nothing here
 * knows GraphQL. Only reads may be repeated.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { SubgraphRequest } from '../../shared/request.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { inPlaces, isObject, type Json, malformed, objectOf, textOf, wellFormed } from '../kit/json.ts'
import { callOf, fillPath, queryOf } from '../kit/operation.ts'
import type { PageTokens } from '../kit/pagination/index.ts'
import { malformedOutcome, type Upstream, type UpstreamResponse } from '../kit/rest-client/index.ts'
import { problemsFrom, refusedChange } from './failure.ts'
import { operations } from './operations.ts'
import { parametersOf, type RequestedFields, type Vocabulary } from './requested-fields.ts'
import { responseFrom, type ServiceResponse } from './response.ts'

export interface LookupResponse {
  readonly byId: ReadonlyMap<string, Json>
  readonly hasMalformed: boolean
  readonly response: ServiceResponse
}

export interface UserPage {
  readonly users: readonly Json[]
  readonly malformedCount: number
  readonly response: ServiceResponse
  readonly next: string | undefined
  readonly previous: string | undefined
}

/** The result of a poll: the JSON, and the headers with what is left of the rate limit. */
export interface PolledJson {
  readonly json: Json
  /** The objects of the response in order, with undefined at the place of a malformed one. */
  readonly data: readonly (Json | undefined)[]
  readonly headers: IncomingHttpHeaders
}

function hasId(item: unknown): item is Json {
  return isObject(item) && textOf(item.id) !== undefined
}

export interface LikesPage {
  readonly size: number
  readonly token: string | undefined
  readonly requested: RequestedFields
}

export class MessagesClient {
  readonly #upstream: Upstream
  readonly #queryOf: (requested: RequestedFields) => string
  /** What is known of the service's page tokens. */
  readonly tokens: PageTokens = { boundToSize: false }

  constructor(upstream: Upstream, vocabulary: Vocabulary) {
    this.#upstream = upstream
    this.#queryOf = memoByObject((requested) =>
      parametersOf(requested, vocabulary)
        .map(([name, values]) => `&${name}=${values.join(',')}`)
        .join(''),
    )
  }

  /** Looks up at most `operations.lookup.maxIds` ids, each once. */
  async lookup(
    ids: readonly string[],
    requested: RequestedFields,
    request: SubgraphRequest,
  ): Promise<LookupResponse> {
    const { json, items, malformedCount } = await this.#list(this.#lookupCall(ids, requested), request)
    const byId = new Map(items.map((message) => [String(message.id), message]))
    return {
      byId,
      hasMalformed: malformedCount > 0,
      response: responseFrom(json.includes, problemsFrom(json.errors)),
    }
  }

  async likingUsers(messageId: string, page: LikesPage, request: SubgraphRequest): Promise<UserPage> {
    const { json, items, malformedCount } = await this.#list(this.#likesCall(messageId, page), request)
    const meta = objectOf(json.meta)
    return {
      users: items,
      malformedCount,
      response: responseFrom(json.includes, problemsFrom(json.errors)),
      next: textOf(meta.next_token),
      previous: textOf(meta.previous_token),
    }
  }

  /** Like `lookup`, past the cache. */
  pollMessages(
    ids: readonly string[],
    requested: RequestedFields,
    request: SubgraphRequest,
  ): Promise<PolledJson> {
    return this.#poll(this.#lookupCall(ids, requested), request)
  }

  /** The newest users who like a message, past the cache. */
  pollLikes(
    messageId: string,
    token: string | undefined,
    requested: RequestedFields,
    request: SubgraphRequest,
  ): Promise<PolledJson> {
    const size = operations.likingUsers.pages.maxPageSize
    return this.#poll(this.#likesCall(messageId, { size, token, requested }), request)
  }

  /** Returns whether the user likes the message now. */
  async changeLike(
    change: 'like' | 'unlike',
    user: string,
    message: string,
    request: SubgraphRequest,
  ): Promise<boolean> {
    const path = fillPath(operations[change], { user, message })
    const body = change === 'like' ? JSON.stringify({ tweet_id: message }) : undefined
    const response = await this.#upstream.send<unknown>(callOf(operations[change], path, { body }), request)
    const { data, errors } = objectOf(response.body)
    const { liked } = objectOf(data)
    if (typeof liked === 'boolean') return liked
    const refusal = refusedChange(errors)
    if (refusal !== undefined) throw refusal
    const words = 'The short-message service did not say whether it is liked.'
    throw malformedOutcome(this.#upstream.service, words, response.status)
  }

  #unexpected(what: string, status: number): Error {
    return malformed(this.#upstream.service, `The short-message service ${what}.`, status)
  }

  #objectOf({ status, body }: UpstreamResponse<unknown>): Json {
    if (isObject(body)) return body
    throw this.#unexpected('returned something other than an object', status)
  }

  /** The error if `data` is neither a list nor missing. The service leaves it out if the list is empty. */
  #noList(status: number): Error {
    return this.#unexpected('returned something other than a list', status)
  }

  async #list(call: UpstreamCall, request: SubgraphRequest) {
    const response = await this.#upstream.send<unknown>(call, request)
    const json = this.#objectOf(response)
    const found = wellFormed(json.data ?? [], hasId)
    if (found !== undefined) return { json, ...found }
    throw this.#noList(response.status)
  }

  #lookupCall(ids: readonly string[], requested: RequestedFields): UpstreamCall {
    return callOf(
      operations.lookup,
      `${operations.lookup.path}?ids=${ids.join(',')}${this.#queryOf(requested)}`,
    )
  }

  #likesCall(messageId: string, page: LikesPage): UpstreamCall {
    const token = queryOf({ pagination_token: page.token })
    const path = fillPath(operations.likingUsers, { message: messageId })
    return callOf(
      operations.likingUsers,
      `${path}?max_results=${page.size}${token}${this.#queryOf(page.requested)}`,
    )
  }

  async #poll(call: UpstreamCall, request: SubgraphRequest): Promise<PolledJson> {
    const response = await this.#upstream.send<unknown>({ ...call, cacheable: false }, request)
    const json = this.#objectOf(response)
    const data = inPlaces(json.data ?? [], hasId)
    if (data === undefined) throw this.#noList(response.status)
    return { json, data, headers: response.headers }
  }
}
