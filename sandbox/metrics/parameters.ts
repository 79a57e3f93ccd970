/** Reads the parameters of the metrics service, with the error messages of Prometheus. */
import { BadData } from './errors.ts'
import { durationFrom, timestampFrom } from './number.ts'

export function malformed(name: string, cause: string): never {
  throw new BadData(`invalid parameter "${name}": ${cause}`)
}

export function timestamp(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name) ?? ''
  if (text === '') return undefined
  const problem = `cannot parse ${JSON.stringify(text)} to a valid timestamp`
  return (
    timestampFrom(text) ??
    malformed(name, name === 'time' ? `Invalid time value for 'time': ${problem}` : problem)
  )
}

export function duration(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name) ?? ''
  if (text === '') return undefined
  return durationFrom(text) ?? malformed(name, `cannot parse ${JSON.stringify(text)} to a valid duration`)
}

export function wholeNumber(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name) ?? ''
  if (text === '') return undefined
  if (/^-[0-9]+$/.test(text)) malformed(name, `${name} must be non-negative`)
  const value = Number(text)
  if (!/^\+?[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    malformed(name, `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`)
  }
  return value
}

const maxSteps = 11_000

/** The range of a range query, in milliseconds. */
export function timeRangeFrom(parameters: URLSearchParams) {
  const start = timestamp(parameters, 'start') ?? malformed('start', 'cannot parse "" to a valid timestamp')
  const end = timestamp(parameters, 'end') ?? malformed('end', 'cannot parse "" to a valid timestamp')
  if (end < start) malformed('end', 'end timestamp must not be before start time')
  const step = duration(parameters, 'step') ?? malformed('step', 'cannot parse "" to a valid duration')
  // Prometheus counts in whole milliseconds, so a smaller step is zero.
  if (step < 1) {
    malformed(
      'step',
      'zero or negative query resolution step widths are not accepted. Try a positive integer',
    )
  }
  if (Math.trunc((end - start) / step) > maxSteps) {
    throw new BadData(
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
    )
  }
  return { start, end, step: Math.trunc(step) }
}

export function limitFrom(parameters: URLSearchParams): number {
  const limit = wholeNumber(parameters, 'limit') ?? 0
  return limit === 0 ? Number.POSITIVE_INFINITY : limit
}

const trueTexts = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falseTexts = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False', ''])

export function flag(parameters: URLSearchParams, name: string): boolean {
  const text = parameters.get(name) ?? ''
  if (trueTexts.has(text)) return true
  return falseTexts.has(text)
    ? false
    : malformed(name, `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`)
}
