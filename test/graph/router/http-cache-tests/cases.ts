/**
 * Cases of an HTTP cache, in the form of https://github.com/http-tests/cache-tests: each is a list of requests, the answer
 * of the origin to each, and whether a cache may have answered in its place. Those of that repository are read from a
 * checkout of it, which `TESSERA_TEST_HTTP_CACHE_TESTS` names.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Name and value; a number is a time in seconds from now, `false` says that clients need not get it. */
export type CaseHeader = readonly [name: string, value: string | number, checked?: boolean]

export interface CaseRequest {
  readonly request_method?: string
  readonly request_headers?: readonly CaseHeader[]
  readonly query_arg?: string
  readonly filename?: string
  readonly pause_after?: boolean
  readonly disconnect?: boolean
  readonly rfc850date?: readonly string[]
  readonly response_status?: readonly [number, string]
  readonly response_headers?: readonly CaseHeader[]
  readonly response_body?: string | null
  readonly response_pause?: number
  readonly interim_responses?: readonly (readonly [number, (readonly [string, string][])?])[]
  readonly expected_type?: 'cached' | 'not_cached' | 'lm_validated' | 'etag_validated'
  readonly expected_status?: number | null
  readonly expected_request_headers?: readonly (string | readonly [string, string])[]
  readonly expected_request_headers_missing?: readonly (string | readonly [string, string])[]
  readonly expected_response_headers?: readonly (string | readonly (string | number)[])[]
  readonly setup?: boolean
}

export interface Case {
  readonly id: string
  readonly suite: string
  /** `required` by the RFC, `optimal`, or a `check` of what a cache does if it may do either. */
  readonly kind: 'required' | 'optimal' | 'check'
  readonly browser_only?: boolean
  readonly cdn_only?: boolean
  readonly requests: readonly CaseRequest[]
}

interface Suite {
  readonly id: string
  readonly tests: readonly (Omit<Case, 'suite' | 'kind'> & Partial<Pick<Case, 'kind'>>)[]
}

/** The cases of a checkout. */
export async function readCases(folder: string): Promise<readonly Case[]> {
  const index = pathToFileURL(join(resolve(folder), 'tests', 'index.mjs')).href
  const { default: suites } = (await import(/* @vite-ignore */ index)) as { default: readonly Suite[] }
  return suites.flatMap(({ id, tests }) =>
    tests.map((each) => ({ kind: 'required' as const, ...each, suite: id })),
  )
}

/** Why a case says nothing about a cache between a gateway and GraphQL services; undefined if it does. */
export function notApplicable({ id, suite, browser_only, cdn_only, requests }: Case): string | undefined {
  if (browser_only === true) return 'only for caches of browsers'
  if (cdn_only === true || suite === 'cdn-cache-control') return 'CDN-Cache-Control is for CDNs'
  if (suite === 'cc-request' || id.startsWith('pragma-request'))
    return 'clients do not decide whether subgraphs are asked: Cache-Control and Pragma of theirs are not followed'
  if (suite === 'method' || suite === 'updateHEAD') return 'subgraphs are asked by GET and POST only'
  if (suite === 'partial') return 'answers of GraphQL have no ranges'
  if (
    suite === 'headers' ||
    (suite === 'update304' && !/Cache-Control|Expires|Last-Modified|ETag|Date/.test(id))
  )
    return 'headers of subgraphs are not stored: clients get data'
  if (suite === 'invalidation' && /-(location|cl)$/.test(id))
    return 'addresses of subgraphs are no keys: mutations name entities'
  if (requests.some(({ request_headers: sent = [] }) => sent.some(([name]) => /^if-/i.test(name))))
    return 'conditions of clients are about our own answers, whose ETags are others'
  if (
    requests.some(
      ({ response_status: status }) =>
        status !== undefined && [204, 301, 302, 303, 307, 308, 405].includes(status[0]),
    )
  )
    return 'a GraphQL service answers with no such status'
  return undefined
}
