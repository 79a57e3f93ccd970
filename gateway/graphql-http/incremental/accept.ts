/**
 * The format of incremental responses that a client accepts, by its `Accept` header. `deferSpec=20220824` is Apollo's
 * format of 2022, `incrementalSpec=v0.2` the current one with `pending` and `completed`; `multipart/mixed` alone, or
 * `deferSpec=relay`, is the flat one that Relay reads. Undefined: it accepts none, or prefers the whole response, for
 * example by a higher quality of JSON.
 */
import { LRUCache } from 'lru-cache'

export type Dialect = 'v0.2' | '20220824' | 'relay'

export interface PiecesType {
  readonly transport: 'multipart' | 'sse'
  readonly dialect: Dialect
}

const known = new LRUCache<string, { readonly type: PiecesType | undefined }>({ max: 500 })

export function acceptedPieces(accept: string | undefined): PiecesType | undefined {
  // Most clients name neither format.
  if (accept === undefined || !(accept.includes('multipart/mixed') || accept.includes('text/event-stream')))
    return undefined
  let found = known.get(accept)
  if (found === undefined) {
    found = { type: read(accept) }
    known.set(accept, found)
  }
  return found.type
}

function read(accept: string): PiecesType | undefined {
  let best: (PiecesType & { readonly quality: number }) | undefined
  let whole = 0
  for (const range of accept.split(',')) {
    const [name, ...rest] = range.split(';').map((part) => part.trim().toLowerCase())
    const isWhole = name !== undefined && wholeTypes.has(name)
    if (!isWhole && name !== 'multipart/mixed' && name !== 'text/event-stream') continue
    const parameters = new Map(rest.map((text) => pairOf(text)))
    const quality = Number(parameters.get('q') ?? 1)
    if (isWhole) {
      if (quality > whole) whole = quality
      continue
    }
    // This format is only for subscriptions.
    if (!(quality > 0) || parameters.has('subscriptionspec')) continue
    const dialect = dialectOf(parameters, name === 'text/event-stream')
    if (dialect === undefined || (best !== undefined && best.quality >= quality)) continue
    best = { transport: name === 'multipart/mixed' ? 'multipart' : 'sse', dialect, quality }
  }
  return best === undefined || best.quality < whole
    ? undefined
    : { transport: best.transport, dialect: best.dialect }
}

const wholeTypes: ReadonlySet<string> = new Set(['application/graphql-response+json', 'application/json'])

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).replaceAll('"', '')]
}

function dialectOf(parameters: ReadonlyMap<string, string>, isStream: boolean): Dialect | undefined {
  const incremental = parameters.get('incrementalspec')
  if (incremental !== undefined) return incremental === 'v0.2' ? 'v0.2' : undefined
  const defer = parameters.get('deferspec')
  if (defer === '20220824') return '20220824'
  if (defer !== undefined) return defer === 'relay' ? 'relay' : undefined
  // Server-sent events have the current format; multipart without a parameter is what Relay's network layers send.
  return isStream ? 'v0.2' : 'relay'
}
