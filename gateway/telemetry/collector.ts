/**
 * Sends spans and metrics to a collector, in OTLP over HTTP as JSON. OpenTelemetry writes the content, and our own HTTP
 * client sends it. OpenTelemetry's client keeps each chunk of a response as an object, so a response in chunks of one
 * byte would take hundreds of times its length.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ISerializer } from '@opentelemetry/otlp-transformer'
import { createHttpClient } from '../../shared/http/client.ts'
import { retryAfterSeconds, retryDelayMs } from '../../shared/http/retry.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import type { Logger } from './log.ts'
import type { CollectorSettings } from './settings.ts'
import { version } from './version.ts'

interface CollectorOptions extends Pick<CollectorSettings, 'headers' | 'compression' | 'timeoutMs'> {
  readonly url: string
  /** What the log says when something is lost, and when the collector accepts data again; each once per change. */
  readonly words: { readonly lost: string; readonly back: string }
}

const gzipped = promisify(gzip)

/** Success, as the SDK's exporters report it. */
const success = { code: 0 } as const

/** The most bytes of a response that are read. */
const mostAnswerBytes = 64 * 1024
const mostTries = 5
/** The most requests under way, whatever the timeout: a collector that does not respond would gather them. */
const mostUnderWay = 50
const firstPauseMs = 200
/** Statuses of OTLP after which the same data may be sent again. */
const again: ReadonlySet<number> = new Set([429, 502, 503, 504])

const rejectedWords = 'the collector rejects a part of what is sent, and that part is dropped'

/** The timeout at the end of the process, in milliseconds. */
const closeMs = 3000

/** Sends what is left, at the end of the process. */
export async function closeInTime(provider: { shutdown(): Promise<void> }): Promise<void> {
  const patience = new AbortController()
  const late = delay(closeMs, undefined, { signal: patience.signal }).catch(() => {})
  await Promise.race([provider.shutdown().catch(() => {}), late])
  patience.abort()
}

/** Why data were lost, for the log. */
interface Loss {
  readonly status?: number
  readonly reason?: string
  /** How many spans or data points the collector did not take, of a request that it accepted. */
  readonly rejected?: number
}

/** The part that a collector rejects of what it accepts: `partialSuccess` in its response. */
function rejectedIn(body: Buffer): Loss | undefined {
  const answer = parsedJson(body)
  if (!isObject(answer) || !isObject(answer.partialSuccess)) return undefined
  const { rejectedSpans, rejectedDataPoints, errorMessage = '' } = answer.partialSuccess
  const rejected = Number(rejectedSpans ?? rejectedDataPoints ?? 0)
  return rejected > 0 ? { rejected, reason: String(errorMessage).slice(0, 500) } : undefined
}

export function createCollector<Items>(
  { url, headers, compression, timeoutMs = 5000, words }: CollectorOptions,
  serializer: Pick<ISerializer<Items, unknown>, 'serializeRequest'>,
  log: Logger,
) {
  const { pathname, search } = new URL(url)
  const client = createHttpClient(url, { connections: 2, connectTimeoutMs: timeoutMs })
  const isGzip = compression === 'gzip'
  const sentHeaders = Object.entries({
    ...headers,
    'content-type': 'application/json',
    'user-agent': `tessera/${version}`,
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  }).flat()
  const underWay = new Set<Promise<unknown>>()
  let isAway = false

  /** Resolves to what was lost of it; undefined if the collector took all. */
  async function send(items: Items): Promise<Loss | undefined> {
    const bytes = serializer.serializeRequest(items)
    if (bytes === undefined) return { reason: 'failed' }
    const request = {
      method: 'POST',
      path: pathname + search,
      headers: sentHeaders,
      body: isGzip ? await gzipped(bytes) : bytes,
      maxBytes: mostAnswerBytes,
    } as const
    const deadline = performance.now() + timeoutMs
    for (let repetition = 0; ; repetition++) {
      const { loss, status, headers: answered, body } = await client.send(request, deadline)
      if (status >= 200 && status < 300) return rejectedIn(body)
      const why = loss === undefined ? { status } : { reason: loss }
      if (loss === undefined ? !again.has(status) : loss !== 'connection') return why
      const retryAfter = retryAfterSeconds(answered)
      const pauseMs = retryDelayMs({ repetition, firstMs: firstPauseMs, random: Math.random, retryAfter })
      if (repetition + 1 >= mostTries || performance.now() + pauseMs >= deadline) return why
      await delay(pauseMs, undefined, { ref: false })
    }
  }

  function tell(loss: Loss | undefined): void {
    if (loss !== undefined && !isAway)
      log.warn(loss, loss.rejected === undefined ? words.lost : rejectedWords)
    if (loss === undefined && isAway) log.info(words.back)
    isAway = loss !== undefined
  }

  const forceFlush = async (): Promise<void> => {
    await Promise.all(underWay)
  }
  return {
    /** `done` is called once, without reporting a loss, so that later data are sent all the same. */
    export(items: Items, done: (outcome: typeof success) => void): void {
      const isFull = underWay.size >= mostUnderWay
      const sending = (isFull ? Promise.resolve<Loss>({ reason: 'full' }) : send(items))
        .catch((): Loss => ({ reason: 'failed' }))
        .then((loss) => {
          tell(loss)
          done(success)
        })
      underWay.add(sending)
      void sending.finally(() => underWay.delete(sending))
    },
    forceFlush,
    async shutdown(): Promise<void> {
      await forceFlush()
      await client.close()
    },
  }
}
