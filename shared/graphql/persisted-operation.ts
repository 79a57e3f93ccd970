/**
 * Automatic persisted operations: names documents by their SHA-256, and reads such names and the responses to unknown
 * ones. Clients and routers send them to us, and we send them to subgraphs.
 */
import { hash } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../errors.ts'
import type { HttpResult } from '../http/dispatch-request.ts'

export function hashOf(document: string): string {
  return hash('sha256', document, 'hex')
}

/** The extensions, as JSON, that name the document of an operation. */
export function extensionsNaming(document: string): string {
  return JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(document) } })
}

/** The hash that an operation names, in lower case. Undefined if it names none. Throws if it is malformed. */
export function hashIn(extensions: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const persisted = extensions?.persistedQuery
  if (persisted === undefined || persisted === null) return undefined
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown }
  if (version !== 1 || typeof sha256Hash !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256Hash)) {
    throw tesseraError(
      'BAD_REQUEST',
      '`extensions.persistedQuery` must be { version: 1, sha256Hash: <64 hexadecimal digits> }.',
    )
  }
  return sha256Hash.toLowerCase()
}

/** Clients look for these messages, for the codes, or for both. */
const messages = {
  PERSISTED_QUERY_NOT_FOUND: 'PersistedQueryNotFound',
  PERSISTED_QUERY_NOT_SUPPORTED: 'PersistedQueryNotSupported',
} as const
type Code = keyof typeof messages

export const unknownHash = (): GraphQLError =>
  tesseraError('PERSISTED_QUERY_NOT_FOUND', messages.PERSISTED_QUERY_NOT_FOUND)
export const hashesNotTaken = (): GraphQLError =>
  tesseraError('PERSISTED_QUERY_NOT_SUPPORTED', messages.PERSISTED_QUERY_NOT_SUPPORTED)

/** Beginnings of the codes and messages. Most responses contain neither and are not parsed. */
const beginnings = ['PERSISTED_QUERY_NOT_', 'PersistedQueryNot']
/** Refusals are shorter than this. */
const longestRefusal = 2000

/** Why a server rejected a hash, if its response contains nothing else: then it has executed nothing. */
export function refusalOfHash({ loss, body }: HttpResult): Code | undefined {
  if (loss !== undefined || body.length > longestRefusal) return undefined
  if (!beginnings.some((each) => body.includes(each))) return undefined
  try {
    const { data, errors } = JSON.parse(body.toString()) as { data?: unknown; errors?: unknown }
    if (data != null || !Array.isArray(errors) || errors.length !== 1) return undefined
    const [error] = errors as readonly ({ message?: unknown; extensions?: { code?: unknown } } | null)[]
    return (Object.keys(messages) as Code[]).find(
      (code) => error?.extensions?.code === code || error?.message === messages[code],
    )
  } catch {
    return undefined
  }
}
