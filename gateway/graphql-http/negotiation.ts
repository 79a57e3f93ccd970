/**
 * GraphQL over HTTP by the specification: the media type of the response, and the parameters of a request. Pure; the
 * gateway and the server of a single subgraph both use it.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { type ErrorBehavior, errorBehaviors, isErrorBehavior } from '../../shared/graphql/error-behavior.ts'
import { parseWhole } from '../../shared/json/exact-number.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import type { MediaType, OperationParams } from '../pipeline/operation-request.ts'
import type { HttpRequest } from './http-operation.ts'
import { mediaRangesIn, readOnce } from './media-ranges.ts'

const answered: readonly MediaType[] = ['application/graphql-response+json', 'application/json']

/**
 * The media type of the response; undefined if the client accepts none that we have. Without a header, or with only a
 * wildcard, it is `application/json`, as current clients expect.
 */
export function acceptable(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === '' || accept === '*/*') return 'application/json'
  return negotiated(accept)
}

/** Whether HTML is requested by name, as browsers do; command-line clients send a wildcard. */
export function namesHtml(accept: string | undefined): boolean {
  return /(^|,)\s*text\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept ?? '')
}

const negotiated = readOnce((accept): MediaType | undefined => {
  let best: { type: MediaType; quality: number; exact: number } | undefined
  for (const { name, parameters, quality } of mediaRangesIn(accept)) {
    const charset = parameters.get('charset')
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') continue
    const exact = name === '*/*' ? 0 : name === 'application/*' ? 1 : 2
    const type = exact < 2 ? 'application/json' : answered.find((candidate) => candidate === name)
    if (type === undefined) continue
    if (best === undefined || quality > best.quality || (quality === best.quality && exact > best.exact)) {
      best = { type, quality, exact }
    }
  }
  return best?.type
})

function badRequest(message: string): GraphQLError {
  return tesseraError('BAD_REQUEST', message)
}

/** Why a body of another content type is refused. */
export const contentTypeMessage = 'The content type must be application/json, in UTF-8.'

/** Checks the shape of one operation's parameters in JSON. */
export function paramsFrom(body: unknown): OperationParams {
  if (Array.isArray(body))
    throw badRequest('Batches are not accepted here. Send a JSON object with a `query`.')
  if (!isObject(body)) throw badRequest('The request body must be a JSON object with a `query`.')
  const { query, operationName, variables, extensions, onError } = body
  if (query !== undefined && query !== null && typeof query !== 'string')
    throw badRequest('`query` must be a string.')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a string.')
  }
  if (variables !== undefined && variables !== null && !isObject(variables)) {
    throw badRequest('`variables` must be an object.')
  }
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) {
    throw badRequest('`extensions` must be an object.')
  }
  const behavior = errorBehaviorFrom(onError)
  if ((query === undefined || query === null || query === '') && extensions?.persistedQuery === undefined) {
    throw badRequest('The request has no `query`.')
  }
  return {
    query: query || undefined,
    operationName: operationName || undefined,
    variables: variables ?? undefined,
    extensions: extensions ?? undefined,
    ...(behavior === undefined ? {} : { onError: behavior }),
  }
}

/** The request parameter `onError`; undefined if it is not given. */
export function errorBehaviorFrom(given: unknown): ErrorBehavior | undefined {
  if (given === undefined || given === null) return undefined
  if (isErrorBehavior(given)) return given
  throw badRequest(`\`onError\` must be one of ${errorBehaviors.join(', ')}.`)
}

function jsonParameter(search: URLSearchParams, name: string, parse: typeof parseWhole): unknown {
  const text = search.get(name)
  if (text === null || text === '') return undefined
  const value = parsedJson(text, parse)
  if (value === undefined) throw badRequest(`The URL's \`${name}\` must be JSON.`)
  return value
}

export function paramsFromUrl(url: string, parse = parseWhole): OperationParams {
  const at = url.indexOf('?')
  const search = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  return paramsFrom({
    query: search.get('query') ?? undefined,
    operationName: search.get('operationName') ?? undefined,
    variables: jsonParameter(search, 'variables', parse),
    extensions: jsonParameter(search, 'extensions', parse),
    onError: search.get('onError') || undefined,
  })
}

/** Whether a content type is JSON in UTF-8. */
export function isJsonContent(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  if (contentType === undefined) return false
  const [name, ...parameters] = contentType.toLowerCase().replaceAll(' ', '').split(';')
  if (name !== 'application/json') return false
  const charset = parameters
    .find((text) => text.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}

/** What a POST request sends: one operation's parameters, or a list of them if batches are accepted. */
export function readPost(
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
  parse = parseWhole,
): unknown {
  if (!isJsonContent(headers['content-type']))
    throw tesseraError('BAD_REQUEST', contentTypeMessage, { status: 415 })
  return readBody(body, parse)
}

/** The JSON of a body, whatever its content type is. */
export function readBody(body: string | Buffer, parse = parseWhole): unknown {
  if (body.length === 0) throw badRequest('The request has no body.')
  const value = parsedJson(body, parse)
  if (value === undefined) throw badRequest('The request body must be JSON.')
  return value
}
