/**
 * The objects behind the types of the graph: a JSON object of the service with the response that contains it, and
 * an id for messages and users. The forms of ids are here, too.
 */

import type { Json } from '../kit/json.ts'
import type { Connection, StreamedConnection } from '../kit/pagination/index.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'
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

export type UserConnectionModel = Connection<UserModel> | StreamedConnection<UserModel>

export interface LikeAddedModel {
  readonly user: UserModel
  readonly gap: boolean
  readonly after: string
}

const nothing: Json = {}

/** A message that was not read, because only its id is selected. */
export function unreadMessage(messageId: string): MessageModel {
  return { messageId, json: nothing, response: emptyResponse }
}

/** A user who was not read, because only the id is selected. */
export function unreadUser(userId: string): UserModel {
  return { userId, json: nothing, response: emptyResponse }
}

export function userFrom(userId: string, json: Json, response: ServiceResponse): UserModel {
  return { userId, json, response }
}

const largestId = String(2n ** 63n - 1n)

/**
 * Whether it is decimal digits without leading zeros and signs, up to 2^63 - 1. It stays a string, because numbers
 * lose digits past 2^53. The service refuses a whole call for a larger id.
 */
export function isServiceId(id: string): boolean {
  if (!/^[1-9][0-9]{0,18}$/.test(id)) return false
  // Strings of digits with equal length sort like the numbers.
  return id.length < largestId.length || id <= largestId
}

export const idForm = 'a whole number from 1 to 9223372036854775807, in decimal digits without leading zeros'

export function checkId(id: string, at: string): string {
  if (isServiceId(id)) return id
  throw wrongArgument(at, `must be ${idForm}.`)
}
