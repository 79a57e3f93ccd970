/**
 * The endpoints of the short-message service, one function each: path, parameters, body and result. Nothing here
 * knows GraphQL. Only reads may be repeated.
 */
import { tesseraError } from '../../shared/errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'
import { inPlaces, isObject, type Json, textOf, wellFormed } from '../kit/json.ts'
import { callOf, fillPath } from '../kit/operation.ts'
import type { PageTokens } from '../kit/pagination/index.ts'
import { type RateLimit, rateLimitFrom } from '../kit/polling/index.ts'
import type { Upstream, UpstreamResponse } from '../kit/rest-client/index.ts'
import { problemsFrom } from './failure.ts'
import { operations } from './operations.ts'
import { parametersOf, type RequestedFields, type Vocabulary } from './requested-fields.ts'
import { responseFrom, type ServiceResponse } from './response.ts'

export interface LookupResponse {
  readonly byId: ReadonlyMap<string, Json>
  /** Whether one of the messages is malformed. */
  readonly hasOdd: boolean
  readonly response: ServiceResponse
}

export interface UserPage {
  readonly users: readonly Json[]
  /** How many users are malformed. */
  readonly odd: number
  readonly response: ServiceResponse
  readonly next: string | undefined
  readonly previous: string | undefined
}

/** The result of a poll: the JSON, and what is left of the rate limit. */
export interface PolledJson {
  readonly json: Json
  /** The objects of the response in order, with undefined at the place of a malformed one. */
  readonly data: readonly (Json | undefined)[]
  readonly limit: RateLimit | undefined
}

export interface MessagesClient {
  /** What is known of the service's page tokens. */
  readonly tokens: PageTokens
  /** Looks up at most `operations.lookup.maxIds` ids, each once. */
  lookup(
    ids: readonly string[],
    requested: RequestedFields,
    request: SubgraphRequest,
  ): Promise<LookupResponse>
  likingUsers(
    messageId: string,
    page: { readonly size: number; readonly token: string | undefined; readonly requested: RequestedFields },
    request: SubgraphRequest,
  ): Promise<UserPage>
  /** Like `lookup`, past the cache. */
  pollMessages(
    ids: readonly string[],
    requested: RequestedFields,
    request: SubgraphRequest,
  ): Promise<PolledJson>
  /** The newest users who like a message, past the cache. */
  pollLikes(
    messageId: string,
    token: string | undefined,
    requested: RequestedFields,
    request: SubgraphRequest,
  ): Promise<PolledJson>
  /** Returns whether the user likes the message now. */
  like(userId: string, messageId: string, request: SubgraphRequest): Promise<boolean>
  /** Returns whether the user likes the message now. */
  unlike(userId: string, messageId: string, request: SubgraphRequest): Promise<boolean>
}

function hasId(item: unknown): item is Json {
  return isObject(item) && textOf(item.id) !== undefined
}

export function createMessagesClient(upstream: Upstream, vocabulary: Vocabulary): MessagesClient {
  const queryOf = memoByObject((requested: RequestedFields): string =>
    parametersOf(requested, vocabulary)
      .map(([name, values]) => `&${name}=${values.join(',')}`)
      .join(''),
  )

  function objectOf({ status, body }: UpstreamResponse<unknown>): Json {
    if (isObject(body)) return body
    throw tesseraError(
      'UPSTREAM_BAD_RESPONSE',
      'The short-message service returned something other than an object.',
      { service: upstream.service, upstream: { status } },
    )
  }

  /** The error if `data` is neither a list nor missing. The service leaves it out if the list is empty. */
  function noList(status: number): Error {
    return tesseraError(
      'UPSTREAM_BAD_RESPONSE',
      'The short-message service returned something other than a list.',
      {
        service: upstream.service,
        upstream: { status },
      },
    )
  }

  function listOf(json: Json, status: number) {
    const found = wellFormed(json.data ?? [], hasId)
    if (found !== undefined) return found
    throw noList(status)
  }

  const lookupCall = (ids: readonly string[], requested: RequestedFields): UpstreamCall =>
    callOf(operations.lookup, `${operations.lookup.path}?ids=${ids.join(',')}${queryOf(requested)}`)

  function likesCall(
    messageId: string,
    { size, token }: { readonly size: number; readonly token: string | undefined },
    requested: RequestedFields,
  ): UpstreamCall {
    const page = token === undefined ? '' : `&pagination_token=${encodeURIComponent(token)}`
    const path = fillPath(operations.likingUsers, { message: messageId })
    return callOf(operations.likingUsers, `${path}?max_results=${size}${page}${queryOf(requested)}`)
  }

  /** Whether the user likes the message, from the response to a change. */
  function likedFrom(response: UpstreamResponse<unknown>): boolean {
    const { data } = objectOf(response)
    if (isObject(data) && typeof data.liked === 'boolean') return data.liked
    throw tesseraError(
      'UPSTREAM_BAD_RESPONSE',
      'The short-message service did not say whether it is liked.',
      { service: upstream.service, upstream: { status: response.status } },
    )
  }

  async function poll(call: UpstreamCall, request: SubgraphRequest): Promise<PolledJson> {
    const response = await upstream.send<unknown>({ ...call, cacheable: false }, request)
    const json = objectOf(response)
    const data = inPlaces(json.data ?? [], hasId)
    if (data === undefined) throw noList(response.status)
    return { json, data, limit: rateLimitFrom(response.headers) }
  }

  return {
    tokens: { boundToSize: false },

    pollMessages: (ids, requested, request) => poll(lookupCall(ids, requested), request),
    pollLikes: (messageId, token, requested, request) =>
      poll(
        likesCall(messageId, { size: operations.likingUsers.pages.maxPageSize, token }, requested),
        request,
      ),

    async lookup(ids, requested, request) {
      const response = await upstream.send<unknown>(lookupCall(ids, requested), request)
      const json = objectOf(response)
      const { items, odd } = listOf(json, response.status)
      const byId = new Map(items.map((message) => [String(message.id), message]))
      return { byId, hasOdd: odd > 0, response: responseFrom(json.includes, problemsFrom(json.errors)) }
    },

    async likingUsers(messageId, { size, token, requested }, request) {
      const response = await upstream.send<unknown>(likesCall(messageId, { size, token }, requested), request)
      const json = objectOf(response)
      const meta = isObject(json.meta) ? json.meta : {}
      const { items, odd } = listOf(json, response.status)
      return {
        users: items,
        odd,
        response: responseFrom(json.includes, problemsFrom(json.errors)),
        next: textOf(meta.next_token),
        previous: textOf(meta.previous_token),
      }
    },

    async like(userId, messageId, request) {
      const response = await upstream.send<unknown>(
        callOf(operations.like, fillPath(operations.like, { user: userId }), {
          body: JSON.stringify({ tweet_id: messageId }),
        }),
        request,
      )
      return likedFrom(response)
    },

    async unlike(userId, messageId, request) {
      const path = fillPath(operations.unlike, { user: userId, message: messageId })
      return likedFrom(await upstream.send<unknown>(callOf(operations.unlike, path), request))
    },
  }
}
