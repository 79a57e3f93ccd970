/** The errors of an answer for a model. Equal errors are listed once, with their number and what to do about them. */
import type { GraphQLError } from 'graphql'
import type { ErrorCode } from '../../../shared/errors.ts'
import { writeLeaf } from './write-data.ts'

const mostErrors = 20
const longestMessage = 500

const cures: Readonly<Partial<Record<ErrorCode, string>>> = {
  GRAPHQL_PARSE_FAILED: 'Mend the syntax of the document.',
  GRAPHQL_VALIDATION_FAILED: 'Look the field up with describe_schema and mend the document.',
  BAD_USER_INPUT: 'Mend the variable or argument that the message names.',
  BAD_REQUEST: 'Mend the call as the message says.',
  OPERATION_TOO_LARGE: 'Ask for less: fewer fields, less depth, smaller lists.',
  RESPONSE_TOO_LARGE: 'Ask for less: a smaller `first`, fewer fields.',
  PERSISTED_QUERY_ONLY: 'Use one of the tools that are listed.',
  UNAUTHENTICATED: 'The user has to sign in.',
  UNAUTHORIZED_FIELD_OR_TYPE: 'Leave the field out, or have the user grant the scopes.',
  FORBIDDEN: 'The service refuses this to this user: do not try again.',
  NOT_FOUND: 'Check the id.',
  CONFLICT: 'Read the object again, then decide.',
  RATE_LIMITED: 'Wait as long as `retryAfter` says.',
  QUOTA_EXCEEDED: 'The units of the day are gone: see budget(). What costs nothing still works.',
  COST_ESTIMATED_TOO_EXPENSIVE: 'Ask for less: explain_operation tells the price before.',
  OUTCOME_UNKNOWN: 'It is unknown whether the change was made: read before anything is repeated.',
  OUTCOME_NOT_KEPT: 'The change was made already: do not repeat it.',
  UPSTREAM_TIMEOUT: 'Try once more, or ask for less.',
  UPSTREAM_UNAVAILABLE: 'The service is away: try later.',
  SERVICE_BUSY: 'Wait as long as `retryAfter` says.',
}

const unknownOutcome =
  'It is UNKNOWN whether the change was made. With a confirmation, call again with the same one: it finds out and never does it twice. Without, read first.'

/** The errors as a list in JSON, of at most that many bytes; empty if there are none. At least the first is in it. */
export function errorsWithin(errors: readonly GraphQLError[], bytes: number): string {
  const groups = Map.groupBy(errors, ({ message, extensions }) => `${codeOf(extensions)} ${message}`)
  const [first, ...others] = [...groups.values()].slice(0, mostErrors).flatMap(toldOf)
  if (first === undefined) return ''
  const most = bytes - '[]'.length
  const whole = writeLeaf(first)
  let text = Buffer.byteLength(whole) > most ? beginningOf(first, most) : whole
  for (const other of others) {
    const longer = `${text},${writeLeaf(other)}`
    if (Buffer.byteLength(longer) > most) break
    text = longer
  }
  return `[${text}]`
}

function beginningOf({ code, message }: ReturnType<typeof toldOf>[number], bytes: number): string {
  for (let length = message.length; ; length = Math.floor(length / 2)) {
    const text = writeLeaf({ code: code.slice(0, 50), message: `${message.slice(0, length)}…` })
    if (length === 0 || Buffer.byteLength(text) <= bytes) return text
  }
}

const codeOf = ({ code }: GraphQLError['extensions']): string => String(code ?? 'INTERNAL_SERVER_ERROR')

/** What is told of equal errors, with the place of the first. */
function toldOf([first, ...others]: readonly GraphQLError[]) {
  if (first === undefined) return []
  const { message, path, extensions } = first
  const code = codeOf(extensions)
  const { retryAfter, quota } = extensions
  const missing = (extensions.authorization as { readonly missing?: unknown } | undefined)?.missing
  const cure = extensions.outcome === 'unknown' ? unknownOutcome : cures[code as ErrorCode]
  return [
    {
      code,
      message: message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message,
      ...(path === undefined ? {} : { path: path.join('.') }),
      ...(missing === undefined ? {} : { scopes: missing }),
      ...(typeof retryAfter === 'number' ? { retryAfter } : {}),
      ...(quota === undefined ? {} : { quota }),
      ...(cure === undefined ? {} : { cure }),
      ...(others.length === 0 ? {} : { times: others.length + 1 }),
    },
  ]
}
