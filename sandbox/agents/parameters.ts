/** Reads query parameters and bodies of the agent service. */
import { commonParameters } from '../common-parameters.ts'
import type { StandInRequest } from '../stand-in.ts'
import { invalidArgument } from './errors.ts'

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A parameter in camelCase or snake_case. If it is repeated, the last one counts. */
export function parameter(query: URLSearchParams, name: string): string {
  return query.getAll(name).at(-1) ?? query.getAll(snakeCase(name)).at(-1) ?? ''
}

export function checkParameters(query: URLSearchParams, own: readonly string[]): void {
  const known = new Set([...commonParameters, ...own, ...own.map(snakeCase)])
  for (const name of query.keys()) {
    if (known.has(name)) continue
    throw invalidArgument(
      `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
      name,
    )
  }
}

/** An integer; zero if the parameter is missing. */
export function wholeNumber(query: URLSearchParams, name: string): number {
  const text = parameter(query, name)
  if (text === '') return 0
  const value = Number(text)
  if (!/^-?[0-9]+$/.test(text) || (value | 0) !== value) {
    throw invalidArgument(`Invalid value at '${snakeCase(name)}' (TYPE_INT32), "${text}"`, snakeCase(name))
  }
  return value
}

/** The JSON of the body. An empty body is an empty message. */
export function bodyOf(request: StandInRequest): unknown {
  if (request.body.trim() === '') return {}
  const value = request.json()
  if (value === undefined)
    throw invalidArgument('Invalid JSON payload received. Parsing terminated before end of input.')
  return value
}

export function checkNoBody(request: StandInRequest): void {
  const body = bodyOf(request)
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  if (!isEmpty) throw invalidArgument('Request body must be empty for this method.')
}
