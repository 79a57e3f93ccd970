/** Users and messages as the stand-in stores them, with names of the older vocabulary, and how others change them. */

export type Json = { readonly [key: string]: unknown }
export interface User extends Json {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly protected: boolean
}
export interface Message extends Json {
  readonly id: string
  readonly text: string
  readonly author_id: string
}
export interface SampleData {
  readonly users: Map<string, User>
  readonly messages: Map<string, Message>
  readonly media: ReadonlyMap<string, Json>
  readonly polls: ReadonlyMap<string, Json>
  readonly places: ReadonlyMap<string, Json>
  /** User ids by message, the newest like first, including protected users. */
  readonly likers: Map<string, readonly string[]>
}

/**
 * `{ messageId, fields }` sets fields, `{ messageId, like }` adds a user who likes the message, and `{
 * deleteMessage }` removes one.
 */
export function changeMessages(data: SampleData, change: Json): void {
  const { messageId, fields, like, deleteMessage } = change
  if (typeof deleteMessage === 'string') {
    if (!data.messages.delete(deleteMessage)) throw new Error('there is no such message')
    return
  }
  const id = String(messageId)
  const message = data.messages.get(id)
  if (message === undefined) throw new Error('there is no such message')
  if (typeof fields === 'object' && fields !== null) data.messages.set(id, { ...message, ...fields })
  else if (typeof like === 'string') {
    const others = (data.likers.get(id) ?? []).filter((user) => user !== like)
    data.likers.set(id, [like, ...others])
  } else throw new Error('expected fields, like or deleteMessage')
}
