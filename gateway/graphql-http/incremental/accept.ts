/**
 * The format of incremental responses that a client accepts, by its `Accept` header. `deferSpec=20220824` is Apollo's
 * format of 2022, `incrementalSpec=v0.2` the current one with `pending` and `completed`; `multipart/mixed` alone, or
 * `deferSpec=relay`, is the flat one that Relay reads. Undefined: it accepts none, or prefers the whole response, for
 * example by a higher quality of JSON.
 */
import { type MediaRange, preferredIn, readOnce } from '../media-ranges.ts'

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
  const whole = preferredIn(accept, ({ name }) => wholeTypes.has(name) || undefined)?.quality ?? 0
  const best = preferredIn(accept, typeOf)
  return best === undefined || best.quality < whole ? undefined : best.found
})

const wholeTypes: ReadonlySet<string> = new Set(['application/graphql-response+json', 'application/json'])

function typeOf({ name, parameters }: MediaRange): IncrementalType | undefined {
  const isStream = name === 'text/event-stream'
  // Parts for subscriptions have a format of their own.
  if ((name !== 'multipart/mixed' && !isStream) || parameters.has('subscriptionspec')) return undefined
  const dialect = dialectOf(parameters, isStream)
  return dialect && { transport: isStream ? 'sse' : 'multipart', dialect }
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
