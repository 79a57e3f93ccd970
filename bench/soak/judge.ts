/**
 * Whether a response is acceptable: every value is the expected one, or null below an error that honestly says why,
 * with a code of a service's failure, its service and the path. Anything else is wrong.
 */

export interface AnswerError {
  readonly message?: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string; readonly service?: string; readonly outcome?: string }
}

export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly AnswerError[]
}

/** Undefined if it is acceptable. */
export type Complaint = string | undefined

/** The codes that a failing service may cause. */
export const honestCodes: ReadonlySet<string> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_BAD_RESPONSE',
  'RATE_LIMITED',
])

const services: ReadonlySet<string> = new Set(['videos', 'agents', 'messages', 'metrics'])

type Path = readonly (string | number)[]

/** Whether one of the errors is at this place or below it. */
const excused = (errors: readonly AnswerError[], place: Path): boolean =>
  errors.some(({ path }) => path !== undefined && place.every((step, i) => path[i] === step))

function compare(expected: unknown, given: unknown, errors: readonly AnswerError[], place: Path): Complaint {
  if (given === null && expected !== null && excused(errors, place)) return undefined
  if (typeof expected !== 'object' || expected === null || typeof given !== 'object' || given === null) {
    return Object.is(expected, given)
      ? undefined
      : `${place.join('.')} is ${JSON.stringify(given)} and not ${JSON.stringify(expected)}`
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(given)])
  for (const key of keys) {
    const step = Array.isArray(expected) ? Number(key) : key
    const [one, other] = [(expected as never)[key], (given as never)[key]]
    const complaint = compare(one, other, errors, [...place, step])
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Whether there is no value at the path. An error beside a value would be wrong. */
function isEmptyAt(data: unknown, path: Path): boolean {
  let value = data
  for (const step of path) {
    if (value === null || value === undefined) return true
    value = (value as Record<string | number, unknown>)[step]
  }
  return value === null || value === undefined
}

export function judge(expected: unknown, { data, errors = [] }: Answer): Complaint {
  for (const error of errors) {
    const { path, extensions: { code = '', service = '' } = {} } = error
    if (!honestCodes.has(code)) return `an error has the code ${code}: ${error.message}`
    if (!services.has(service)) return `an error names the service ${service}`
    if (path === undefined || path.length === 0) return `an error has no path: ${error.message}`
    if (!isEmptyAt(data, path)) return `there is an error at ${path.join('.')}, and a value`
  }
  return compare(expected, data, errors, [])
}
