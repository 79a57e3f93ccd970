/** Reads query parameters as strictly as the service: unknown ones, bounds, parts, page tokens. */
import { hash } from 'node:crypto'
import { commonParameters } from '../common-parameters.ts'
import type { StandInRequest } from '../stand-in.ts'
import { refuse } from './errors.ts'
import type { Paging } from './model.ts'

export function checkParameters(request: StandInRequest, known: readonly string[]): void {
  for (const name of request.query.keys()) {
    if (commonParameters.has(name) || known.includes(name)) continue
    refuse(400, 'unexpectedParameter', `The request specifies an unexpected parameter: ${name}.`, {
      domain: 'parameter',
      location: name,
    })
  }
}

export function readParts(request: StandInRequest, known: readonly string[]): string[] {
  const parts = request.list('part')
  if (parts.length === 0) refuse(400, 'required', 'Required parameter: part', { location: 'part' })
  for (const part of parts) {
    if (!known.includes(part)) refuse(400, 'unknownPart', part, { domain: 'part', location: 'part' })
  }
  return parts
}

/** The filter of the request, which must have exactly one. */
export function readFilter(request: StandInRequest, filters: readonly string[]): string {
  const given = filters.filter((name) => request.query.has(name))
  const [only] = given
  if (only === undefined) {
    refuse(400, 'missingRequiredParameter', `No filter selected. Expected one of: ${filters.join(', ')}`, {
      domain: 'parameter',
      location: 'parameters.',
    })
  }
  if (given.length > 1) {
    refuse(
      400,
      'incompatibleParameters',
      `Incompatible parameters specified in the request: ${given.join(', ')}`,
      { domain: 'parameter', location: 'parameters.' },
    )
  }
  return only
}

export function readSize(request: StandInRequest, bounds: { most: number; usual: number }): number {
  const text = request.query.get('maxResults')
  if (text === null) return bounds.usual
  const size = Number(text)
  if (!/^\d+$/.test(text) || size < 1 || size > bounds.most) {
    refuse(
      400,
      'invalidParameter',
      `Invalid value '${text}'. Values must be within the range: [1, ${bounds.most}]`,
      { location: 'maxResults' },
    )
  }
  return size
}

/** Tokens have their numbers. */
const ways = ['from', 'passed', 'before'] as const

/** The start or the end of a page. A token is valid only for its own list. */
interface PagePosition {
  readonly offset: number
  /**
   * What the token leads to: the page from there, the page from there after an empty one was returned, or the page
   * before it.
   */
  readonly way: (typeof ways)[number]
}

function writeToken(list: string, position: PagePosition): string {
  const text = `${position.offset}.${ways.indexOf(position.way)}`
  return Buffer.from(`${text}.${hash('sha256', `${list} ${text}`, 'base64url').slice(0, 8)}`).toString(
    'base64url',
  )
}

export function readToken(request: StandInRequest, list: string): PagePosition {
  const given = request.query.get('pageToken')
  if (given === null) return { offset: 0, way: 'from' }
  const [offset = '', way = ''] = Buffer.from(given, 'base64url').toString('utf8').split('.')
  const position: PagePosition = { offset: Number(offset), way: ways[Number(way)] ?? 'from' }
  if (!/^\d+$/.test(offset) || writeToken(list, position) !== given) {
    refuse(400, 'invalidPageToken', 'The request specifies an invalid page token.', {
      domain: 'parameter',
      location: 'pageToken',
    })
  }
  return position
}

export function pageOf<T>(
  items: readonly T[],
  list: string,
  { offset: given, way }: PagePosition,
  size: number,
  paging: Paging,
): { readonly page: readonly T[]; readonly next: string | undefined; readonly previous: string | undefined } {
  const offset = way === 'before' ? Math.max(0, given - size) : given
  if (paging === 'gappy' && offset > 0 && way === 'from' && offset < items.length) {
    return { page: [], next: writeToken(list, { offset, way: 'passed' }), previous: undefined }
  }
  const length = paging === 'gappy' ? Math.max(1, Math.ceil(size / 2)) : size
  const end = way === 'before' ? given : offset + length
  return {
    page: items.slice(offset, end),
    next: end < items.length ? writeToken(list, { offset: end, way: 'from' }) : undefined,
    previous: offset > 0 ? writeToken(list, { offset, way: 'before' }) : undefined,
  }
}
