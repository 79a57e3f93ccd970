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
