/**
 * What stands behind the types of the graph: a JSON object of the service together with the answer that it
 * came in, and for messages and users the id. Pure.
 */
import type { Connection } from '../kit/connection/index.ts'
import { type Answer, emptyAnswer } from './answer.ts'
import type { Json } from './json.ts'
import type { Part } from './wire.ts'

export type { Part } from './wire.ts'

export interface MessageModel extends Part {
  readonly messageId: string
}

export interface UserModel extends Part {
  readonly userId: string
}

export interface LikedModel {
  readonly liked: boolean
  readonly messageId: string
}

export type UserConnectionModel = Connection<UserModel>

const nothing: Json = {}

/** A message of which nothing is known but its id, because nothing else is selected. */
export function unreadMessage(messageId: string): MessageModel {
  return { messageId, json: nothing, answer: emptyAnswer }
}

/** A user of whom nothing is known but the id, because nothing else is selected. */
export function unreadUser(userId: string): UserModel {
  return { userId, json: nothing, answer: emptyAnswer }
}

export function userFrom(userId: string, json: Json, answer: Answer): UserModel {
  return { userId, json, answer }
}

/** Decimal digits without leading zeros and signs, up to 19 of them: past 2^53, so never a number. */
export function isServiceId(id: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(id)
}
