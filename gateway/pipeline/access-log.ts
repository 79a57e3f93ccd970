/** The fields of a request's line in the log. No value of a variable, no document, and no credential is among them. */
import { isCredential } from '../headers/index.ts'
import type { OperationContext } from './operation-context.ts'

interface Reported {
  readonly context: OperationContext
  readonly milliseconds: number
}

/** Left out of the line if it is undefined. */
type Field = (reported: Reported) => unknown

/** The fields of a line if the configuration names none. */
const usualFields = {
  request: ({ context }) => context.id,
  trace_id: ({ context }) => context.traceId,
  operation: ({ context }) => context.operation?.name,
  type: ({ context }) => context.operation?.normalised.kind,
  hash: ({ context }) => context.operation?.hash,
  status: ({ context }) => context.status,
  ms: ({ milliseconds }) => Math.round(milliseconds * 10) / 10,
  codes: ({ context }) => (context.codes.length === 0 ? undefined : context.codes),
  calls: ({ context }) => (context.records.length === 0 ? undefined : context.records.length),
  units: ({ context }) =>
    context.records.length === 0 ? undefined : context.records.reduce((sum, { units }) => sum + units, 0),
  client: ({ context }) => context.client?.name,
  client_version: ({ context }) => context.client?.version,
} as const satisfies Readonly<Record<string, Field>>

export const accessFields = {
  ...usualFields,
  subject: ({ context }) => context.identity?.subject,
  issuer: ({ context }) => textOf(context.identity?.claims.iss),
  peer: ({ context }) => context.address(),
  method: ({ context }) => context.method,
  user_agent: ({ context }) => context.sent.header('user-agent')?.slice(0, longestHeader),
} as const satisfies Readonly<Record<string, Field>>

export type AccessField = keyof typeof accessFields

/** Whether the value of a header may stand in a log. */
export const isLoggable = (header: string): boolean =>
  !isCredential(header.toLowerCase()) && !/token|secret|password|key|session/i.test(header)

const longestHeader = 500
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export interface AccessLogOptions {
  readonly fields?: readonly AccessField[] | undefined
  /** Further headers of the caller, each as `header_NAME`. */
  readonly headers?: readonly string[] | undefined
}

export function createAccessLogLine({
  fields = Object.keys(usualFields) as AccessField[],
  headers = [],
}: AccessLogOptions = {}) {
  const readers = fields.map((name): readonly [string, Field] => [name, accessFields[name]])
  for (const name of headers.filter(isLoggable)) {
    const lower = name.toLowerCase()
    readers.push([`header_${lower}`, ({ context }) => context.sent.header(lower)?.slice(0, longestHeader)])
  }
  return (reported: Reported): Record<string, unknown> => {
    const line: Record<string, unknown> = {}
    for (const [name, read] of readers) {
      const value = read(reported)
      if (value !== undefined) line[name] = value
    }
    return line
  }
}
