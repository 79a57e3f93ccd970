/** Messages from the leader of a topic to the other processes: news, or the end of the subscriptions. */
import type { GraphQLError } from 'graphql'
import { isErrorCode, tesseraError } from '../../../shared/errors.ts'

export type TopicMessage<News> = { readonly news: News } | { readonly end: 'done' | ErrorText }

interface ErrorText {
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

export function endMessage(reason: 'done' | Error): TopicMessage<never> {
  if (reason === 'done') return { end: reason }
  const { extensions = {} } = reason as Partial<GraphQLError>
  return { end: { message: reason.message, extensions } }
}

export function reasonFrom(end: 'done' | ErrorText): 'done' | Error {
  if (end === 'done') return end
  const { code, ...rest } = end.extensions
  return isErrorCode(code)
    ? tesseraError(code, end.message, { extensions: rest })
    : tesseraError('INTERNAL_SERVER_ERROR', 'The subscription has failed.')
}
