/** Reads what an answer tells beside its data: an explanation, or which scopes were missing. Pure. */
export interface Call {
  readonly service: string
  readonly operation: string
  readonly calls: number
  readonly units: number
  readonly asksFor: readonly string[]
}

export interface Refusal {
  readonly message: string
  /** The scopes of which one more would open it; empty where it is not a matter of scopes alone. */
  readonly missing: readonly string[]
}

export interface Explanation {
  readonly units: number
  /** By service. */
  readonly calls: Readonly<Record<string, number>>
  readonly operations: readonly Call[]
  /** Alternatives of scopes, one list a field that asks for any. */
  readonly required: readonly (readonly (readonly string[])[])[]
  readonly refused: readonly Refusal[]
  readonly plan: string
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

export function explanationIn(answer: unknown): Explanation | undefined {
  const extensions = isObject(answer) ? answer.extensions : undefined
  const explain = isObject(extensions) ? extensions.explain : undefined
  if (!isObject(explain)) return undefined
  const scopes = isObject(explain.scopes) ? explain.scopes : {}
  const refused = Array.isArray(scopes.refused) ? scopes.refused.filter(isObject) : []
  return {
    units: typeof explain.units === 'number' ? explain.units : 0,
    calls: isObject(explain.calls) ? (explain.calls as Record<string, number>) : {},
    operations: Array.isArray(explain.operations) ? (explain.operations as Call[]) : [],
    required: Array.isArray(scopes.required) ? (scopes.required as string[][][]) : [],
    refused: refused.map(({ message, missing }) => ({ message: String(message), missing: textsOf(missing) })),
    plan: typeof explain.plan === 'string' ? explain.plan : '',
  }
}

/** What an answer's errors say was refused for want of scopes. */
export function refusalsIn(answer: unknown): Refusal[] {
  const errors = isObject(answer) && Array.isArray(answer.errors) ? answer.errors.filter(isObject) : []
  return errors.flatMap(({ message, extensions }) => {
    if (!isObject(extensions) || extensions.code !== 'UNAUTHORIZED_FIELD_OR_TYPE') return []
    const authorization = isObject(extensions.authorization) ? extensions.authorization : {}
    return [{ message: String(message), missing: textsOf(authorization.missing) }]
  })
}

/** An answer's errors in words. */
export function faultsIn(answer: unknown): string[] {
  const errors = isObject(answer) && Array.isArray(answer.errors) ? answer.errors.filter(isObject) : []
  return errors.length === 0
    ? ['The gateway explained nothing.']
    : errors.map(({ message }) => String(message))
}

export const missingScopes = (refusals: readonly Refusal[]): string[] => [
  ...new Set(refusals.flatMap(({ missing }) => missing)),
]
