/** What one look of `tessera check` found, and how it asks. */

import { wholeAnswer } from '../../../shared/http/call-reason.ts'
import { sendOnce } from '../../../shared/http/client.ts'

export interface Finding {
  /** What was looked at: a service, `keys`, `redis`, `traces`, or `NAME subgraph`. */
  readonly subject: string
  /** `sandbox`, or scheme, host and port; never the rest of an address, which may hold a secret. */
  readonly place: string
  readonly milliseconds: number
  /** What was tried, in the past tense. */
  readonly tried: string
  /** What came back, if there is something to say. */
  readonly said?: string | undefined
  /** What to do; if it is set, the look failed. */
  readonly cure?: string | undefined
  /** What to do about something that is probably not meant, though nothing fails for it. */
  readonly warning?: string | undefined
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

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Longest answer that is read. */
const mostBytes = 4_194_304

/** POSTs JSON, bounded in time and bytes. Rejects if there is no whole answer. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Answer> {
  const all = { ...headers, 'content-type': 'application/json', accept: 'application/json' }
  const request = { method: 'POST', headers: Object.entries(all).flat(), body, maxBytes: mostBytes } as const
  const { status, body: answer } = wholeAnswer(await sendOnce(url, request, timeoutMs))
  return { status, text: answer.toString('utf8') }
}
