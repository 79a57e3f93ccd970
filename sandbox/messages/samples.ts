/**
 * The sample data of the message service: a dozen users, the accounts that like their messages, and 121 messages
 * with everything that a message can have. They are generated, and always the same.
 */
import { entitiesOf } from './entities.ts'
import type { Json, Message, SampleData, User } from './model.ts'
import { media, places, polls } from './sample-attachments.ts'
import { messageIdOf, sampleMessages } from './sample-ids.ts'
import { messageFrom, openAuthorOf, particulars, texts } from './sample-messages.ts'
import { createUsers, personAt } from './sample-users.ts'

const messageCount = 120

let made: SampleData | undefined

/**
 * Each call returns its own data. The users and messages in them are shared, because nothing changes them in place.
 */
export function createSampleData(): SampleData {
  made ??= makeSampleData()
  return {
    ...made,
    users: new Map(made.users),
    messages: new Map(made.messages),
    likers: new Map(made.likers),
  }
}

function makeSampleData(): SampleData {
  const allUsers = createUsers()
  const users = new Map(allUsers.map((user) => [user.id, user]))
  const idByName = new Map(allUsers.map(({ username, id }) => [username, id]))
  const messages = new Map<string, Message>()
  const likers = new Map<string, readonly string[]>()
  const put = (index: number, id: string, author: string, text: string, fields: Json): void => {
    const note = fields.note_tweet as { text: string } | undefined
    const entities = entitiesOf(text, idByName)
    const note_tweet = note && { ...note, entities: entitiesOf(note.text, idByName) }
    messages.set(id, messageFrom(index, id, author, text, { entities, ...fields, note_tweet }))
    likers.set(id, likersOf(index, id, allUsers))
  }
  for (let index = 0; index < messageCount; index++) {
    const id = messageIdOf(index)
    const { text = texts[index % texts.length] ?? '', author, fields = {} } = particulars[id] ?? {}
    put(index, id, author ?? openAuthorOf(index), text, fields)
  }
  put(messageCount, sampleMessages.shortId, '12', 'just setting up my tiles', {
    created_at: '2006-03-21T20:50:14.000Z',
  })
  return {
    users,
    messages,
    likers,
    media: new Map(media.map((item) => [String(item.media_key), item])),
    polls: new Map(polls.map((item) => [String(item.id), item])),
    places: new Map(places.map((item) => [String(item.id), item])),
  }
}

function likersOf(index: number, id: string, users: readonly User[]): string[] {
  if (id === sampleMessages.unliked) return []
  const count = id === sampleMessages.popular ? 250 : index % 5
  return users.slice(1, 1 + count).map((user) => user.id)
}

const syntheticId = /^77[0-9]{17}$/

/** A message for benchmarks, which is computed from its id. */
export function syntheticMessage(id: string): Message | undefined {
  if (!syntheticId.test(id)) return undefined
  const index = Number(BigInt(id) % 1000n)
  const author = personAt(index % 9)
  return messageFrom(index, id, author, `Message ${id} of a benchmark, with enough text to weigh something.`)
}
