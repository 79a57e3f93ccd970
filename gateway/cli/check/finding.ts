/** What one look of `tessera check` found, and how a failure to reach something is put into words. */
import { request } from 'undici'

export interface Finding {
  /** What was looked at: a service, `keys`, `redis`, `traces`, or `NAME subgraph`. */
  readonly subject: string
  /** `sandbox`, or scheme, host and port; never the rest of an address, which may hold a secret. */
  readonly place: string
  readonly milliseconds: number
  /** What was tried, in the past tense. */
  readonly tried: string
  /** What came back, where there is something to say. */
  readonly said?: string | undefined
  /** What to do; where it is set, the look failed. */
  readonly cure?: string | undefined
}

/** Scheme, host and port of an address. */
export const placeOf = (url: string): string => {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

export async function timed<T>(run: () => Promise<T>): Promise<readonly [T, number]> {
  const started = performance.now()
  const result = await run()
  return [result, performance.now() - started]
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it does not answer in time',
  TimeoutError: 'it does not answer in time',
}

/** Why a call failed, from the error's code alone: messages may repeat an address with its password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return reasons[code] ?? reasons[error.name] ?? `it failed with ${code}`
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Longest answer that is read. */
const mostBytes = 4_194_304

/** POSTs JSON, bounded in time and bytes. Rejects where there is no whole answer. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Answer> {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new Error('too long')
    chunks.push(chunk)
  }
  return { status: statusCode, text: Buffer.concat(chunks).toString('utf8') }
}
