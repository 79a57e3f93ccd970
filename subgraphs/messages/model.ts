/**
 * What stands behind the types of the graph: a JSON object of the service together with the response that it
 * came in, and for messages and users the id. Pure.
 */

import type { Json } from '../kit/json.ts'
import type { Connection, ContinuedConnection } from '../kit/pagination/index.ts'
import type { ResponseObject } from './readers.ts'
import { emptyResponse, type ServiceResponse } from './response.ts'

export type { ResponseObject } from './readers.ts'

export interface MessageModel extends ResponseObject {
  readonly messageId: string
}

export interface UserModel extends ResponseObject {
  readonly userId: string
}

export interface LikedModel {
  readonly liked: boolean
  readonly messageId: string
}

export type UserConnectionModel = Connection<UserModel> | ContinuedConnection<UserModel>

/** A user who likes a message now. */
export interface LikeAddedModel {
  readonly user: UserModel
  readonly gap: boolean
  readonly after: string
}

const nothing: Json = {}

/** A message of which nothing is known but its id, because nothing else is selected. */
export function unreadMessage(messageId: string): MessageModel {
  return { messageId, json: nothing, response: emptyResponse }
}

/** A user of whom nothing is known but the id, because nothing else is selected. */
export function unreadUser(userId: string): UserModel {
  return { userId, json: nothing, response: emptyResponse }
}

export function userFrom(userId: string, json: Json, response: ServiceResponse): UserModel {
  return { userId, json, response }
}

const largestId = String(2n ** 63n - 1n)

/**
 * Decimal digits without leading zeros and signs, up to 2^63 - 1: past 2^53, so never a number. The service refuses a
 * whole call for a larger one.
 */
export function isServiceId(id: string): boolean {
  if (!/^[1-9][0-9]{0,18}$/.test(id)) return false
  // Of texts of one length the order is that of the numbers.
  return id.length < largestId.length || id <= largestId
}
