/** Changes to messages that no call makes: other people like and delete, and counts change. */
import type { Json, SampleData } from './model.ts'

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
