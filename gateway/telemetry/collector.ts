/**
 * Sends spans and metrics to a collector, in OTLP over HTTP as JSON. OpenTelemetry writes the content, and our own HTTP
 * client sends it. OpenTelemetry's client keeps each chunk of a response as an object, so a response in chunks of one
 * byte would take hundreds of times its length.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ISerializer } from '@opentelemetry/otlp-transformer'
import { createHttpClient, type HttpClient } from '../../shared/http/client.ts'
import { retryAfterSeconds, retryDelayMs } from '../../shared/http/retry.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import type { Logger } from './log.ts'
import type { Compression } from './settings.ts'
import { version } from './version.ts'

interface CollectorOptions {
  readonly url: string
  /** They are sent with every request, and may contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly compression?: Compression | undefined
  /** The timeout of sending, retries included; 5 seconds by default. */
  readonly timeoutMs?: number | undefined
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
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, closeMs)
  await Promise.race([provider.shutdown().catch(() => {}), patience.promise])
  clearTimeout(timer)
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

/** An exporter of OpenTelemetry's SDK. */
export class Collector<Items> {
  readonly #client: HttpClient
  readonly #path: string
  readonly #headers: readonly string[]
  readonly #isGzip: boolean
  readonly #timeoutMs: number
  readonly #serializer: Pick<ISerializer<Items, unknown>, 'serializeRequest'>
  readonly #words: CollectorOptions['words']
  readonly #log: Logger
  readonly #underWay = new Set<Promise<unknown>>()
  #isAway = false

  constructor(
    { url, headers, compression, timeoutMs = 5000, words }: CollectorOptions,
    serializer: Pick<ISerializer<Items, unknown>, 'serializeRequest'>,
    log: Logger,
  ) {
    const { pathname, search } = new URL(url)
    this.#client = createHttpClient(url, { connections: 2, connectTimeoutMs: timeoutMs })
    this.#timeoutMs = timeoutMs
    this.#path = pathname + search
    const own = { 'content-type': 'application/json', 'user-agent': `tessera/${version}` }
    this.#isGzip = compression === 'gzip'
    const coding = this.#isGzip ? { 'content-encoding': 'gzip' } : {}
    this.#headers = Object.entries({ ...headers, ...own, ...coding }).flat()
    this.#serializer = serializer
    this.#words = words
    this.#log = log
  }

  /** `done` is called once, without reporting a loss, so that later data are sent all the same. */
  export(items: Items, done: (outcome: typeof success) => void): void {
    const isFull = this.#underWay.size >= mostUnderWay
    const sending = (isFull ? Promise.resolve<Loss>({ reason: 'full' }) : this.#send(items))
      .catch((): Loss => ({ reason: 'failed' }))
      .then((loss) => {
        this.#tell(loss)
        done(success)
      })
    this.#underWay.add(sending)
    void sending.finally(() => this.#underWay.delete(sending))
  }

  async forceFlush(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async shutdown(): Promise<void> {
    await this.forceFlush()
    await this.#client.close()
  }

  /** Resolves to what was lost of it; undefined if the collector took all. */
  async #send(items: Items): Promise<Loss | undefined> {
    const bytes = this.#serializer.serializeRequest(items)
    if (bytes === undefined) return { reason: 'failed' }
    const request = {
      method: 'POST',
      path: this.#path,
      headers: this.#headers,
      body: this.#isGzip ? await gzipped(bytes) : bytes,
      maxBytes: mostAnswerBytes,
    } as const
    const deadline = performance.now() + this.#timeoutMs
    for (let repetition = 0; ; repetition++) {
      const { loss, status, headers, body } = await this.#client.send(request, deadline)
      if (status >= 200 && status < 300) return rejectedIn(body)
      const why = loss === undefined ? { status } : { reason: loss }
      if (loss === undefined ? !again.has(status) : loss !== 'connection') return why
      const retryAfter = retryAfterSeconds(headers)
      const pauseMs = retryDelayMs({ repetition, firstMs: firstPauseMs, random: Math.random, retryAfter })
      if (repetition + 1 >= mostTries || performance.now() + pauseMs >= deadline) return why
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
  }

  #tell(loss: Loss | undefined): void {
    if (loss !== undefined && !this.#isAway)
      this.#log.warn(loss, loss.rejected === undefined ? this.#words.lost : rejectedWords)
    if (loss === undefined && this.#isAway) this.#log.info(this.#words.back)
    this.#isAway = loss !== undefined
  }
}
