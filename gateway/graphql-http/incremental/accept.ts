/**
 * The format of incremental responses that a client accepts, by its `Accept` header. `deferSpec=20220824` is Apollo's
 * format of 2022, `incrementalSpec=v0.2` the current one with `pending` and `completed`; `multipart/mixed` alone, or
 * `deferSpec=relay`, is the flat one that Relay reads. Undefined: it accepts none, or prefers the whole response, for
 * example by a higher quality of JSON.
 */
import { mediaRangesIn, readOnce } from '../media-ranges.ts'

export type Dialect = 'v0.2' | '20220824' | 'relay'

export interface IncrementalType {
  readonly transport: 'multipart' | 'sse'
  readonly dialect: Dialect
}

export function acceptedIncrementalType(accept: string | undefined): IncrementalType | undefined {
  // Most clients name neither format.
  if (accept === undefined || !/multipart\/mixed|text\/event-stream/i.test(accept)) return undefined
  return preferred(accept)
}

const preferred = readOnce((accept): IncrementalType | undefined => {
  let best: (IncrementalType & { readonly quality: number }) | undefined
  let whole = 0
  for (const { name, parameters, quality } of mediaRangesIn(accept)) {
    if (wholeTypes.has(name)) whole = Math.max(whole, quality)
    if (name !== 'multipart/mixed' && name !== 'text/event-stream') continue
    // This format is only for subscriptions.
    if (parameters.has('subscriptionspec')) continue
    const dialect = dialectOf(parameters, name === 'text/event-stream')
    if (dialect === undefined || (best !== undefined && best.quality >= quality)) continue
    best = { transport: name === 'multipart/mixed' ? 'multipart' : 'sse', dialect, quality }
  }
  return best === undefined || best.quality < whole
    ? undefined
    : { transport: best.transport, dialect: best.dialect }
})

const wholeTypes: ReadonlySet<string> = new Set(['application/graphql-response+json', 'application/json'])

function dialectOf(parameters: ReadonlyMap<string, string>, isStream: boolean): Dialect | undefined {
  const incremental = parameters.get('incrementalspec')
  if (incremental !== undefined) return incremental === 'v0.2' ? 'v0.2' : undefined
  const defer = parameters.get('deferspec')
  if (defer === '20220824') return '20220824'
  if (defer !== undefined) return defer === 'relay' ? 'relay' : undefined
  // Server-sent events have the current format; multipart without a parameter is what Relay's network layers send.
  return isStream ? 'v0.2' : 'relay'
}
