/** The fields of a request's line in the log. No value of a variable, no document, and no credential is among them. */
import { isCredential } from '../headers/index.ts'
import type { RequestState } from './request-state.ts'

/** What a line is made of. */
export interface Reported {
  readonly id: string
  readonly state: RequestState
  readonly status: number
  readonly milliseconds: number
  header(name: string): string | undefined
  readonly method: string | undefined
  readonly peer: (() => string | undefined) | undefined
}

/** Left out of the line if it is undefined. */
type Field = (reported: Reported) => unknown

export const accessFields = {
  request: ({ id }) => id,
  trace_id: ({ state }) => state.traceId,
  operation: ({ state }) => state.operation?.name,
  type: ({ state }) => state.operation?.definition.operation,
  hash: ({ state }) => state.operation?.hash,
  status: ({ status }) => status,
  ms: ({ milliseconds }) => Math.round(milliseconds * 10) / 10,
  codes: ({ state }) => (state.codes.length === 0 ? undefined : state.codes),
  calls: ({ state }) => (state.calls.length === 0 ? undefined : state.calls.length),
  units: ({ state }) =>
    state.calls.length === 0 ? undefined : state.calls.reduce((sum, { units }) => sum + units, 0),
  client: ({ state }) => state.client?.name,
  client_version: ({ state }) => state.client?.version,
  subject: ({ state }) => state.identity?.subject,
  issuer: ({ state }) => textOf(state.identity?.claims.iss),
  peer: ({ peer }) => peer?.(),
  method: ({ method }) => method,
  user_agent: ({ header }) => header('user-agent')?.slice(0, longestHeader),
} as const satisfies Readonly<Record<string, Field>>

export type AccessField = keyof typeof accessFields

/** What stands in a line unless the configuration says. */
export const usualFields: readonly AccessField[] = [
  ...([
    'request',
    'trace_id',
    'operation',
    'type',
    'hash',
    'status',
    'ms',
    'codes',
    'calls',
    'units',
  ] as const),
  ...(['client', 'client_version'] as const),
]

/** Whether the value of a header may stand in a log. */
export const isLoggable = (header: string): boolean =>
  !isCredential(header.toLowerCase()) && !/token|secret|password|key|session/i.test(header)

const longestHeader = 500
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export interface AccessLog {
  /** Undefined: the usual ones. */
  readonly fields?: readonly AccessField[] | undefined
  /** Headers of the caller besides, each as `header_NAME`. */
  readonly headers?: readonly string[] | undefined
}

/** Makes the line of a request. */
export function createAccessLine({ fields = usualFields, headers = [] }: AccessLog): Field {
  const readers = fields.map((name): readonly [string, Field] => [name, accessFields[name]])
  for (const name of headers.filter(isLoggable)) {
    const lower = name.toLowerCase()
    readers.push([`header_${lower}`, ({ header }) => header(lower)?.slice(0, longestHeader)])
  }
  return (reported) => {
    const line: Record<string, unknown> = {}
    for (const [name, read] of readers) {
      const value = read(reported)
      if (value !== undefined) line[name] = value
    }
    return line
  }
}
