/** Compares an answer with what its case expects. */
import type { IncomingHttpHeaders } from 'node:http'
import type { CaseHeader, CaseRequest } from './cases.ts'

export interface SeenRequest {
  /** The client's request under way, from 1. */
  readonly number: number
  readonly headers: IncomingHttpHeaders
}

/** What the client of a request got. */
export interface Got {
  /** The number of the request that the answer was made for; undefined if there was none. */
  readonly number: number | undefined
  readonly isOwn: boolean
  readonly secondsLeft: number | undefined
}

export interface Answered {
  readonly requests: readonly CaseRequest[]
  /** The number of the request that was answered, from 1. */
  readonly number: number
  readonly got: Got
  /** The requests that reached the subgraph for it. */
  readonly seen: readonly SeenRequest[]
  /** The value with which a header of the case is sent. */
  readonly sent: (name: string, value: unknown) => string
}

/** What one answer is otherwise than expected. */
export function faultsOf({ requests, number, got, seen, sent }: Answered): string[] {
  const request = requests[number - 1] ?? {}
  const faults: string[] = []
  const expect = (holds: boolean, otherwise: string): void => {
    if (!holds) faults.push(`request ${number}: ${otherwise}`)
  }
  expect(got.isOwn, 'got the answer of another case')
  const type = request.expected_type
  const status =
    request.expected_status === undefined ? (request.response_status?.[0] ?? 200) : request.expected_status
  if (request.disconnect === true && type === undefined)
    expect(got.number === undefined, 'was answered by what is stale')
  else if (status !== null && status < 500) expect(got.number !== undefined, 'was not answered')
  if (type === 'cached')
    expect(got.number !== undefined && got.number < number, 'was not answered by the cache')
  if (type === 'not_cached') {
    expect(got.number === undefined || got.number === number, 'was answered by the cache')
    expect(seen.length > 0, 'did not reach the subgraph')
  }
  const conditions = { etag_validated: 'if-none-match', lm_validated: 'if-modified-since' } as const
  if (type === 'etag_validated' || type === 'lm_validated')
    expect(seen[0]?.headers[conditions[type]] !== undefined, `was not sent with ${conditions[type]}`)
  const expectSent = (header: string | CaseHeader, expected: boolean): void => {
    const [name = '', value] = typeof header === 'string' ? [header] : header
    const found = seen[0]?.headers[name.toLowerCase()]
    const isThere = value === undefined ? found !== undefined : found === sent(name, value)
    expect(isThere === expected, `was sent with ${name}: ${String(found)}`)
  }
  for (const each of request.expected_request_headers ?? []) expectSent(each, true)
  for (const each of request.expected_request_headers_missing ?? []) expectSent(each, false)
  for (const each of request.expected_response_headers ?? []) {
    if (typeof each === 'string') continue
    const [name, operator, least] = each
    // Clients get no headers of subgraphs: how old an answer is shows in what is left of its time.
    if (name === 'Age' && operator === '>' && type === 'cached')
      expect(
        (got.secondsLeft ?? Number.POSITIVE_INFINITY) + Number(least) < lifetimeOf(requests[number - 2]),
        'is not as old as it is',
      )
    if (name === 'client-request-count')
      expect(got.number === Number(operator), `was answered with that of ${got.number}`)
  }
  return faults
}

/** For how many seconds a response may be kept. */
function lifetimeOf(request: CaseRequest | undefined): number {
  for (const [name, value] of request?.response_headers ?? []) {
    if (name === 'Expires') return Number(value)
    const maxAge = /max-age=(\d+)/.exec(String(value))?.[1]
    if (maxAge !== undefined) return Number(maxAge)
  }
  return 0
}
