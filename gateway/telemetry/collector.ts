/**
 * Sends spans and metrics to a collector, in OTLP over HTTP as JSON. OpenTelemetry writes what is sent; the HTTP client is
 * the one of everything else, because OpenTelemetry's own keeps each piece of an answer as an object, so that an answer in
 * pieces of a byte would take hundreds of times its length.
 */
import type { ISerializer } from '@opentelemetry/otlp-transformer'
import { createHttpClient, type HttpClient } from '../../shared/http/client.ts'
import { retryAfterSeconds, retryDelayMs } from '../../shared/http/retry.ts'
import type { Logger } from './log.ts'
import { version } from './version.ts'

export interface CollectorOptions {
  readonly url: string
  /** Sent along; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** What the log says when something is lost, and when the collector takes it again; each once a turn. */
  readonly words: { readonly lost: string; readonly back: string }
}

/** Success, as the SDK's exporters report it. */
const success = { code: 0 } as const

/** What sending may take, tries again included, in milliseconds. */
const sendMs = 5000
/** The most of an answer that is read. Nothing in it is used. */
const mostAnswerBytes = 64 * 1024
const mostTries = 5
const firstPauseMs = 200
/** OTLP names them: the collector may take the same again. */
const again: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** An exporter of OpenTelemetry's SDK. */
export class Collector<Items> {
  readonly #client: HttpClient
  readonly #path: string
  readonly #headers: readonly string[]
  readonly #serializer: Pick<ISerializer<Items, unknown>, 'serializeRequest'>
  readonly #words: CollectorOptions['words']
  readonly #log: Logger
  readonly #underWay = new Set<Promise<unknown>>()
  #isAway = false

  constructor(
    { url, headers, words }: CollectorOptions,
    serializer: Pick<ISerializer<Items, unknown>, 'serializeRequest'>,
    log: Logger,
  ) {
    const { pathname, search } = new URL(url)
    this.#client = createHttpClient(url, { connections: 2, connectTimeoutMs: sendMs })
    this.#path = pathname + search
    const own = { 'content-type': 'application/json', 'user-agent': `tessera/${version}` }
    this.#headers = Object.entries({ ...headers, ...own }).flat()
    this.#serializer = serializer
    this.#words = words
    this.#log = log
  }

  /** `done` is called once. It is not told of a loss: what waits behind it is sent all the same. */
  export(items: Items, done: (outcome: typeof success) => void): void {
    const sending = this.#send(items)
      .catch(() => false)
      .then((isSent) => {
        this.#tell(isSent)
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

  /** Resolves to whether the collector has it. */
  async #send(items: Items): Promise<boolean> {
    const bytes = this.#serializer.serializeRequest(items)
    if (bytes === undefined) return false
    const request = {
      method: 'POST',
      path: this.#path,
      headers: this.#headers,
      body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
      maxBytes: mostAnswerBytes,
    } as const
    const deadline = performance.now() + sendMs
    for (let repetition = 0; repetition < mostTries; repetition++) {
      const { loss, status, headers } = await this.#client.send(request, deadline)
      if (status >= 200 && status < 300) return true
      if (loss === undefined ? !again.has(status) : loss !== 'connection') return false
      const retryAfter = retryAfterSeconds(headers)
      const pauseMs = retryDelayMs({ repetition, firstMs: firstPauseMs, random: Math.random, retryAfter })
      if (performance.now() + pauseMs >= deadline) return false
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
    return false
  }

  #tell(isSent: boolean): void {
    if (!isSent && !this.#isAway) this.#log.warn(this.#words.lost)
    if (isSent && this.#isAway) this.#log.info(this.#words.back)
    this.#isAway = !isSent
  }
}
