/** The client program of a request, as it names itself: for logs, traces, metrics and the rate limits of clients. */

export interface Client {
  readonly name: string
  readonly version: string | undefined
}

/** The headers by which clients name themselves; the first one that a request has counts. */
export const clientNames = ['apollographql-client-name', 'graphql-client-name'] as const
const versions = ['apollographql-client-version', 'graphql-client-version'] as const

/** Undefined if it gives no name. A value that is no plain text is left out. */
export function clientOf(sent: { header(name: string): string | undefined }): Client | undefined {
  const name = plain(sent.header(clientNames[0]) ?? sent.header(clientNames[1]))
  if (name === undefined) return undefined
  return { name, version: plain(sent.header(versions[0]) ?? sent.header(versions[1])) }
}

export function plain(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\x20-\x7e]{1,100}$/.test(text) ? text : undefined
}
