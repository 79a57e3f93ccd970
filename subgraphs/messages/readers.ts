/**
 * Reads the service's JSON through the SDL, in either of its two vocabularies. A field of the graph is read from
 * its name in snake_case, unless the table below lists other spellings. The first one that is present counts.
 *
 * Every object is read together with its response (`ResponseObject`), because authors, media, polls and places are
 * in the `includes` of the response, and what could not be shown is in its `errors`.
 */
import type { DocumentNode, TypeNode } from 'graphql'
import { isObject, type Json, malformed, tableOf } from '../kit/json.ts'
import { type ReadableField, type Readers, readersOf } from '../kit/readers.ts'
import type { ServiceResponse } from './response.ts'

export interface ResponseObject {
  readonly json: Json
  readonly response: ServiceResponse
}

const spellings = tableOf<readonly string[]>({
  'Message.editHistoryMessageIds': ['edit_history_tweet_ids', 'edit_history_post_ids'],
  'Message.referencedMessages': ['referenced_tweets', 'referenced_posts'],
  'Message.note': ['note_tweet', 'note_post'],
  'MessagePublicMetrics.repostCount': ['retweet_count', 'repost_count'],
  'MessagePrivateMetrics.repostCount': ['retweet_count', 'repost_count'],
  'MessageAttachments.mediaSourceMessageIds': [
    'media_source_tweet_id',
    'media_source_post_id',
    'media_source_tweet',
  ],
  'MessageUser.pinnedMessageId': ['pinned_tweet_id', 'pinned_post_id'],
  'MessageUser.mostRecentMessageId': ['most_recent_tweet_id', 'most_recent_post_id'],
  'MessageUserPublicMetrics.messageCount': ['tweet_count', 'post_count'],
  'MessageUserAffiliation.userIds': ['user_id', 'user_ids'],
  'MessagePoll.pollId': ['id'],
  'MessagePlace.placeId': ['id'],
  'MessageTopic.topicId': ['id'],
  'ReferencedMessage.messageId': ['id'],
})

/** Enum values whose name in the graph is not the service's name in capitals. */
const values = tableOf({ 'WithheldScope.tweet': 'MESSAGE', 'WithheldScope.post': 'MESSAGE' })

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function constantCase(value: string): string {
  return value.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

/** The keys under which the service may give a field. */
export function spellingsOf(type: string, field: string): readonly string[] {
  return spellings[`${type}.${field}`] ?? [snakeCase(field)]
}

const alternatives = new Map(Object.values(spellings).flatMap((keys = []) => keys.map((key) => [key, keys])))

/** The keys under which the service may give what it gives under this one. */
export function alternativesOf(key: string): readonly string[] {
  return alternatives.get(key) ?? [key]
}

export function jsonReaders(document: DocumentNode): Readers<ResponseObject> {
  return readersOf<ResponseObject>(document, (field) => {
    const keys = spellingsOf(field.parent, field.name)
    const convert = conversionOf(field.type, field)
    return ({ json, response }) =>
      convert(
        keys.map((key) => json[key]).find((value) => value !== undefined),
        response,
      )
  })
}

type Conversion = (value: unknown, response: ServiceResponse) => unknown

function conversionOf(type: TypeNode, field: ReadableField): Conversion {
  if (type.kind === 'NonNullType') return conversionOf(type.type, field)
  if (type.kind === 'ListType') {
    const item = conversionOf(type.type, field)
    return (value, response) => {
      if (Array.isArray(value)) return value.map((element) => item(element, response))
      // If a list is expected, a single value becomes a list of one, and a missing value an empty list.
      return value === undefined || value === null ? [] : [item(value, response)]
    }
  }
  const name = type.name.value
  const known = field.enums.get(name)
  if (known !== undefined) {
    return (value) => {
      if (value === undefined || value === null) return null
      const constant = typeof value === 'string' ? (values[`${name}.${value}`] ?? constantCase(value)) : ''
      return known.includes(constant) ? constant : 'UNRECOGNIZED'
    }
  }
  if (field.objects.has(name)) {
    return (value, response) =>
      isObject(value) ? ({ json: value, response } satisfies ResponseObject) : null
  }
  if (name === 'Int') return int32From
  return (value) => value ?? null
}

function int32From(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && (value | 0) === value) return value
  throw malformed(
    'messages',
    'The short-message service sent something other than a whole number of 32 bits.',
  )
}
