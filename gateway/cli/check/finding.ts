/** The result of one check of `tessera check`, and how a check sends requests. */
import { sendOnce } from '../../../shared/http/client.ts'
import { completeResponse } from '../../../shared/http/failure-reason.ts'

export interface Finding {
  /** The subject of the check: a service, `keys`, `redis`, `traces`, or `NAME subgraph`. */
  readonly subject: string
  /** `sandbox`, or scheme, host and port. The rest of an address may contain a secret. */
  readonly place: string
  readonly milliseconds: number
  /** What was tried, in the past tense. */
  readonly tried: string
  /** The response, if it is worth showing. */
  readonly said?: string | undefined
  /** What to do. If it is set, the check failed. */
  readonly cure?: string | undefined
  /** What to do about something that is probably a mistake, although nothing fails because of it. */
  readonly warning?: string | undefined
}

export const placeOf = (url: string): string => {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

export type Outcome = Pick<Finding, 'said' | 'cure' | 'warning'>

/** Runs a check and measures it. `failed` says what an error means; without it, an error is a defect. */
export async function look(
  about: Pick<Finding, 'subject' | 'place' | 'tried'>,
  run: () => Promise<Outcome>,
  failed?: (error: unknown) => Outcome,
): Promise<Finding> {
  const started = performance.now()
  const outcome = await (failed === undefined ? run() : run().catch(failed))
  return { ...about, milliseconds: performance.now() - started, ...outcome }
}

export interface Answer {
  readonly status: number
  readonly text: string
}

const mostBytes = 4_194_304

/** POSTs JSON, with bounds on time and bytes. Rejects if there is no complete response. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Answer> {
  const all = { ...headers, 'content-type': 'application/json', accept: 'application/json' }
  const request = { method: 'POST', headers: Object.entries(all).flat(), body, maxBytes: mostBytes } as const
  const { status, body: answer } = completeResponse(await sendOnce(url, request, timeoutMs))
  return { status, text: answer.toString('utf8') }
}
