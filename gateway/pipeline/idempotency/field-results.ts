/** The results of single root fields: what each says about its change, and how they are combined into one result. */
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { ErrorCode } from '../../../shared/errors.ts'
import { type GrantedOperation, refusalsIn } from '../../auth/granted-operation.ts'
import type { DataForm, Result } from '../operation-request.ts'
import { doneWith, KeptError, type Outcome } from './entry.ts'

export interface FieldResult {
  /** `{"key":…}`; null if a null rose to the root. */
  readonly json: string | null
  readonly errors: readonly GraphQLError[]
  readonly isReplayed: boolean
}

export function fieldResultOf<Data>({ data, errors = [] }: Result<Data>, form: DataForm<Data>): FieldResult {
  return { json: data === undefined || data === null ? null : form.toJson(data), errors, isReplayed: false }
}

export function combinedResult<Data>(
  fieldResults: readonly FieldResult[],
  form: DataForm<Data>,
): Result<Data> {
  const errors = fieldResults.flatMap((fieldResult) => fieldResult.errors)
  const pieces = fieldResults.map(({ json }) => json)
  const data = pieces.includes(null)
    ? null
    : form.fromJson(
        `{${pieces
          .map((piece) => piece?.slice(1, -1))
          .filter(Boolean)
          .join(',')}}`,
      )
  return errors.length === 0 ? { data } : { data, errors }
}

/** What a field's part of the answer says about the change. */
export function outcomeOf(
  field: string,
  { json, errors }: FieldResult,
  /** When it was first attempted. */
  since: number,
  { allowed, refusals }: Pick<GrantedOperation, 'allowed' | 'refusals'>,
): Outcome | undefined {
  const value = json === null ? null : (JSON.parse(json) as Record<string, unknown>)[field]
  // Not executed, because of its condition.
  if (value === undefined && errors.length === 0) return undefined
  // If the field was executed, fields below it are refused, although the path of the error ends at the field's null.
  const isOurs = refusalsIn({ refusals, report: undefined })
  const isBelow = (error: GraphQLError): boolean =>
    (error.path?.length ?? 0) > 1 || (allowed !== null && isOurs(error))
  const isDone = (value !== null && value !== undefined) || errors.every(isBelow)
  if (isDone && json !== null) return doneWith(json, errors, refusedOf({ refusals }))
  if (errors.every(changedNothing)) return undefined
  return { kind: 'unknown', since }
}

/** A digest of what is refused; empty if nothing is. Equal refusals have equal ones in all processes. */
function refusedOf({ refusals }: Pick<GrantedOperation, 'refusals'>): string {
  if (refusals.length === 0) return ''
  const fields = refusals.map(({ field, parentType, below = [] }) => [field, parentType, below])
  return hash('sha256', JSON.stringify(fields), 'base64')
}

/** Whether the caller may see all of an answer that was made for the same caller, perhaps with other rights. */
export function maySee(earlier: Extract<Outcome, { kind: 'done' }>, granted: GrantedOperation): boolean {
  const refused = refusedOf(granted)
  return refused === '' || refused === earlier.refused
}

/** The same part, whose errors say that an earlier attempt may have made the change. */
export function asUnknown(fieldResult: FieldResult): FieldResult {
  const errors = fieldResult.errors.map((error) =>
    (error.path?.length ?? 0) > 1
      ? error
      : new GraphQLError(error.message, {
          originalError: error,
          extensions: { ...error.extensions, outcome: 'unknown' },
          ...(error.path && { path: error.path }),
        }),
  )
  return { ...fieldResult, errors }
}

/** Codes of errors at a root field that say, unless they declare the outcome unknown, that nothing was changed. */
const refusals: ReadonlySet<unknown> = new Set<ErrorCode>([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'CONFLICT',
  'COST_ESTIMATED_TOO_EXPENSIVE',
  'FORBIDDEN',
  'NOT_FOUND',
  'OPERATION_TOO_LARGE',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'SERVICE_BUSY',
  'SERVICE_STOPPING',
  'UNAUTHENTICATED',
  'UNAUTHORIZED_FIELD_OR_TYPE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
])

/** Whether an error says that its root field changed nothing. */
export const changedNothing = (error: GraphQLError): boolean => {
  const { path, extensions } = error
  if (error instanceof KeptError || extensions.outcome === 'unknown') return false
  return (path?.length ?? 0) <= 1 && refusals.has(extensions.code)
}
