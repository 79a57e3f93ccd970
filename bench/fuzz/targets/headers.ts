/** Headers of requests and responses. */

import { namesTag } from '../../../gateway/graphql-http/caching-headers.ts'
import { acceptedIncrementalType } from '../../../gateway/graphql-http/incremental/index.ts'
import { acceptable, isJsonContent, namesHtml } from '../../../gateway/graphql-http/negotiation.ts'
import { compileForwarding, createResponseHeaders, type HeaderRules } from '../../../gateway/headers/index.ts'
import { idempotencyKeysOf } from '../../../gateway/pipeline/idempotency/keys.ts'
import { freshnessOf } from '../../../gateway/response-cache/freshness.ts'
import { tagsOfHeader } from '../../../gateway/response-cache/tags.ts'
import { createHostCheck, createOwnAddress } from '../../../gateway/server/host-check.ts'
import { acceptedEventType } from '../../../gateway/subscriptions/accepted-event-type.ts'
import { clientOf } from '../../../gateway/telemetry/clients.ts'
import { codingOf, decodeNow } from '../../../shared/http/codings.ts'
import { decodeRequest } from '../../../shared/http/decoders.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import { createSigner, createVerifier, signatureHeader } from '../../../shared/http/signature.ts'
import { callerContext, traceOfRequest } from '../../../shared/http/trace-context.ts'
import { maxAgeMs, rateLimitIntervalMs } from '../../../subgraphs/kit/polling/interval-headers.ts'
import { climbs, isPath, readBaseUrl, redirectedPath } from '../../../subgraphs/kit/rest-client/address.ts'
import { linesOf } from '../pieces.ts'
import { Broken, same, targetsOf } from '../target.ts'
import { isTyped } from '../typed.ts'

const now = Date.UTC(2026, 10, 20)
const secret = 'a secret of both sides'
const signed = { method: 'POST', path: '/graphql', audience: 'videos', body: '{"query":"{ a }"}' }
const signature = createSigner(secret)({ ...signed, header: () => undefined }, now)

/** Headers, one per line, as Node passes them: it has refused invalid names and values. */
function headersOf(input: Buffer): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of input.toString('latin1').split('\n')) {
    const [, name, value = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
    if (name !== undefined) headers[name.toLowerCase()] = value
  }
  return headers
}

const isAmount = (value: number | undefined): boolean => value === undefined || value >= 0

export const targets = targetsOf(import.meta.url, [
  {
    name: 'accept',
    covers: [
      ...['gateway/graphql-http/negotiation.ts', 'gateway/graphql-http/incremental/accept.ts'],
      'gateway/graphql-http/media-ranges.ts',
      'gateway/subscriptions/accepted-event-type.ts',
    ],
    seeds: [
      'application/graphql-response+json;charset=utf-8, application/json;q=0.9, */*;q=0.1',
      'multipart/mixed;deferSpec=20220824, application/json',
      'multipart/mixed;subscriptionSpec="1.0";q=0.5,text/event-stream;q=1',
      'text/html,application/xhtml+xml;q=0.9',
      'application/json; charset="utf-8"',
    ],
    run(input) {
      const header = input.toString('latin1')
      acceptable(header)
      namesHtml(header)
      isJsonContent(header)
      acceptedIncrementalType(header)
      acceptedEventType(header)
    },
  },
  {
    name: 'idempotency-key',
    covers: ['gateway/pipeline/idempotency/keys.ts'],
    seeds: [
      '"8e03978e-40d5-43dd-bc93-6894a57f9324"\n',
      'bare\n"bare"',
      '"a\\"b\\\\"\n{"like":"k1","insert":"k2"}',
    ],
    allows: isTyped,
    run(input) {
      const [header, extension = ''] = linesOf(input)
      for (const known of [
        readable(() => idempotencyKeysOf(header, undefined)),
        readable(() => idempotencyKeysOf(undefined, jsonOr(extension))),
        readable(() => idempotencyKeysOf(header, jsonOr(extension))),
      ])
        for (const key of typeof known === 'string' ? [known] : (known?.values() ?? []))
          if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw new Broken('a key that is none')
    },
  },
  {
    name: 'trace-context',
    covers: ['shared/http/trace-context.ts', 'gateway/telemetry/clients.ts'],
    seeds: [
      'traceparent:00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\ntracestate:a=b\ngraphql-client-name:app',
    ],
    run(input) {
      const headers = headersOf(input)
      const header = (name: string): string | undefined => headers[name]
      callerContext(headers.traceparent)
      traceOfRequest({ header } as never)
      clientOf({ header })
    },
  },
  {
    name: 'host',
    covers: ['gateway/server/host-check.ts', 'gateway/graphql-http/caching-headers.ts'],
    seeds: ['localhost:4000', '[::1]:4000', 'graph.example.com', 'W/"abc", "def"', '*'],
    run(input) {
      const host = input.toString('latin1')
      const isOwn = createHostCheck(['graph.example.com'])(host)
      const options = {
        publicUrl: undefined,
        names: ['graph.example.com'],
        listening: () => 'http://127.0.0.1:4000',
      }
      const address = createOwnAddress(options)(host)
      if (!URL.canParse(address)) throw new Broken('no address')
      if (!isOwn && address !== 'http://127.0.0.1:4000') throw new Broken('the address of somebody else')
      namesTag(host, 'W/"abc"')
    },
  },
  {
    name: 'freshness',
    covers: [
      'gateway/response-cache/freshness.ts',
      'gateway/response-cache/tags.ts',
      'subgraphs/kit/polling/interval-headers.ts',
    ],
    seeds: [
      'cache-control: public, max-age=60, stale-while-revalidate="30"\nvary: Accept, X-A\netag: "a"',
      'cache-control: private, no-cache="set-cookie", s-maxage=0\nexpires: Fri, 20 Nov 2026 00:00:00 GMT',
      'expires: Friday, 20-Nov-26 00:01:00 GMT\ndate: Fri Nov 20 00:00:00 2026\nage: 5',
      'cache-tag: sale, product-1\nx-rate-limit-remaining: 5\nx-rate-limit-reset: 1795206067',
    ],
    run(input) {
      const headers = headersOf(input)
      const fresh = freshnessOf(headers, now)
      if (fresh !== undefined) {
        const { freshMs, ageMs, revalidateMs, errorMs } = fresh
        if (![freshMs, ageMs, revalidateMs, errorMs].every(isAmount))
          throw new Broken('a time that is none', fresh)
      }
      tagsOfHeader(headers['cache-tag'])
      if (!isAmount(maxAgeMs(headers)) || !isAmount(rateLimitIntervalMs(headers, 0.5, now)))
        throw new Broken('an interval that is none')
    },
  },
  {
    name: 'retry-after',
    covers: ['shared/http/retry.ts'],
    seeds: ['120', 'Fri, 20 Nov 2026 00:01:00 GMT', '2026-11-20T00:00:00Z'],
    run(input) {
      const seconds = retryAfterSeconds({ 'retry-after': input.toString('latin1') }, now)
      if (!isAmount(seconds)) throw new Broken('a time that is none', seconds)
    },
  },
  {
    name: 'signature',
    covers: ['shared/http/signature.ts', 'shared/http/replay-window.ts'],
    seeds: [signature, 't=1,n=aaaaaaaaaaaaaaaa.1,v2=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    words: [signature],
    run(input) {
      const text = input.toString('latin1')
      const verify = createVerifier(secret, { now: () => now })
      const header = (name: string): string | undefined => (name === signatureHeader ? text : undefined)
      const isGood = verify({ ...signed, header })
      if (isGood && text !== signature) throw new Broken('another signature is taken')
      if (verify({ ...signed, header })) throw new Broken('taken twice')
      verify({ ...signed, header: (name) => (name === 'router-authorization' ? text : undefined) })
    },
  },
  {
    name: 'forwarding',
    covers: ['gateway/headers'],
    seeds: [
      'accept-language: de\ncookie: a=b\nconnection: x-a, close\nx-a: 1\nset-cookie: c=d\nx-videos-authorization: k',
    ],
    run(input) {
      const headers = headersOf(input)
      const rules: HeaderRules = {
        request: [
          { propagate: { matching: 'x-*' } },
          { propagate: { named: 'accept-language', rename: 'x-lang' } },
        ],
        answer: [{ propagate: { named: 'x-a', algorithm: 'append' } }],
      }
      const sent = compileForwarding('videos', rules, undefined)?.headersFor({
        header: (name) => headers[name],
        headerNames: () => Object.keys(headers),
        identity: undefined,
      })
      for (const [name, value] of Object.entries(sent ?? {}))
        if (/[\r\n\0]/.test(value) || !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
          throw new Broken('a header that cannot be sent', name)
      const answers = createResponseHeaders(rules, {})
      const request = {}
      answers?.noteFor('videos')?.(request, headers)
      for (const part of answers?.headFor(request) ?? [])
        if (/[\r\n\0]/.test(part)) throw new Broken('a header that cannot be sent')
    },
  },
  {
    name: 'address',
    covers: ['subgraphs/kit/rest-client/address.ts'],
    seeds: [
      'http://127.0.0.1:9090/prometheus/',
      'https://user:pass@host/?a#b',
      '/a/%2e%2e/b',
      '//other/x',
      '../up?x=1',
    ],
    run(input) {
      const text = input.toString('utf8')
      const path = redirectedPath('http://127.0.0.1:9090', '/api/v1/query', text)
      if (path !== undefined && new URL(`http://127.0.0.1:9090${path}`).origin !== 'http://127.0.0.1:9090')
        throw new Broken('a redirect that leads away')
      if (isPath(text) && !climbs(text)) {
        const [plain = ''] = text.split('?', 1)
        const { origin, pathname } = new URL(`http://127.0.0.1:9090/base${plain}`)
        if (origin !== 'http://127.0.0.1:9090' || !pathname.startsWith('/base/'))
          throw new Broken('a path that climbs', pathname)
      }
      try {
        const { origin, prefix } = readBaseUrl(text, 'videos')
        same(new URL(`${origin}${prefix}/x`).origin, origin, 'the origin')
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('the base URL of videos')) throw error
      }
    },
  },
  {
    name: 'codings',
    covers: ['shared/http/codings.ts'],
    seeds: [
      Buffer.concat([
        Buffer.from('gzip\n'),
        Buffer.from('H4sIAAAAAAAAA6tWKkktLlGyUlIqSCwpUbJSqgUAoVtGZhYAAAA=', 'base64'),
      ]),
      Buffer.concat([Buffer.from('br\n'), Buffer.from('CwaAeyJhIjoxfQM=', 'base64')]),
      Buffer.concat([Buffer.from('zstd\n'), Buffer.from('KLUv/SAHOQAAeyJhIjoxfQ==', 'base64')]),
    ],
    allows: (error) => error instanceof Error && ('code' in error || error.message.includes('window')),
    async run(input) {
      const end = input.indexOf(10)
      const coding = codingOf(input.toString('latin1', 0, Math.max(0, end)))
      if (coding === undefined || coding === null) return
      const body = input.subarray(end + 1)
      const late = await decodeRequest(body, coding, { maxBytes: 10_000 })
      if (Buffer.isBuffer(late) && late.length > 10_000) throw new Broken('more than the bound')
      if (decodeNow(body, coding, 10_000).length > 10_000) throw new Broken('more than the bound')
    },
  },
])

/** Undefined if it is refused. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!isTyped(error)) throw error
    return undefined
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
