/** Cases of our own, for what an HTTP cache between a gateway and GraphQL services has to keep to. */
import type { Case, CaseHeader, CaseRequest } from './cases.ts'

const from = (...headers: CaseHeader[]): CaseRequest => ({ response_headers: headers })
const by = (...headers: CaseHeader[]): CaseRequest => ({ request_headers: headers })
const cached: CaseRequest = { expected_type: 'cached' }
const asked: CaseRequest = { expected_type: 'not_cached' }
/** Three seconds pass after it. */
const later = (request: CaseRequest): CaseRequest => ({ ...request, pause_after: true })

const cacheControl = (value: string): CaseHeader => ['Cache-Control', value]
const etag: CaseHeader = ['ETag', '"one"']
const lastModified: CaseHeader = ['Last-Modified', -86_400]

const cases: Readonly<Record<string, readonly CaseRequest[]>> = {
  'nothing that says nothing is kept': [from(), asked],
  'max-age is fresh': [from(cacheControl('max-age=600')), cached],
  'max-age is over': [later(from(cacheControl('max-age=1'))), asked],
  'max-age is of any size': [from(cacheControl('max-age=99999999999')), cached],
  's-maxage wins over max-age': [from(cacheControl('max-age=600, s-maxage=0')), asked],
  'max-age wins over Expires': [from(cacheControl('max-age=600'), ['Expires', -600]), cached],
  'Expires in the future is fresh': [from(['Expires', 600], ['Date', 0]), cached],
  'Expires in the past is over': [from(['Expires', -600], ['Date', 0]), asked],
  'Expires that is no date is over': [from(['Expires', '0']), asked],
  'Expires in the old form, in this century': [
    { ...from(['Expires', 600_000], ['Date', 0]), rfc850date: ['expires'] },
    cached,
  ],
  'Expires in another case': [from(['Expires', 'THU, 18 AUG 2050 02:01:18 gmt'], ['Date', 0]), cached],
  'Expires in another zone is over': [from(['Expires', 'Thu, 18 Aug 2050 02:01:18 UTC'], ['Date', 0]), asked],
  'Age counts': [from(cacheControl('max-age=600'), ['Age', '601']), asked],
  'the first of two ages counts': [from(cacheControl('max-age=600'), ['Age', '601, 0']), asked],
  'an age that is none says nothing': [from(cacheControl('max-age=600'), ['Age', 'abc']), cached],
  'no-store is not kept': [from(cacheControl('max-age=600, No-Store')), asked],
  'no-cache is asked about': [
    from(cacheControl('max-age=600, no-cache'), etag),
    { ...from(cacheControl('max-age=600, no-cache'), etag), expected_type: 'etag_validated' },
  ],
  'what is quoted is no directive': [from(cacheControl('max-age=0, ext="max-age=600"')), asked],
  'directives in any case, among others': [from(cacheControl('foobar, MaX-aGe=600')), cached],
  'private is not kept for callers whom nothing tells apart': [
    from(cacheControl('private, max-age=600')),
    asked,
  ],
  'private is kept for its caller': [
    { ...from(cacheControl('private, max-age=600')), ...by(['Authorization', 'somebody']) },
    { ...by(['Authorization', 'somebody']), ...cached },
  ],
  'private is not kept for nobody in particular': [
    { ...from(cacheControl('private, max-age=600')), ...by(['Authorization', 'somebody']) },
    asked,
  ],
  'what a token was sent for is for that token': [
    { ...from(cacheControl('max-age=600')), ...by(['Authorization', 'somebody']) },
    asked,
  ],
  'public is for all tokens': [
    { ...from(cacheControl('public, max-age=600')), ...by(['Authorization', 'somebody']) },
    cached,
  ],
  's-maxage is for all tokens': [
    { ...from(cacheControl('s-maxage=600')), ...by(['Authorization', 'somebody']) },
    cached,
  ],
  'Vary tells equal from unequal': [
    { ...from(cacheControl('public, max-age=600'), ['Vary', 'Foo, Bar']), ...by(['Foo', '1'], ['Bar', '2']) },
    { ...by(['Foo', '1'], ['Bar', '2'], ['Other', '3']), ...cached },
    { ...by(['Foo', '1'], ['Bar', '3']), ...asked },
    { ...by(['Foo', '1']), ...asked },
  ],
  'Vary that one request has not': [
    from(cacheControl('public, max-age=600'), ['Vary', 'Foo']),
    { ...by(['Foo', '1']), ...asked },
  ],
  'Vary keeps variants beside each other': [
    { ...from(cacheControl('public, max-age=600'), ['Vary', 'Foo']), ...by(['Foo', '1']) },
    { ...from(cacheControl('public, max-age=600'), ['Vary', 'Foo']), ...by(['Foo', '2']), ...asked },
    { ...by(['Foo', '1']), ...cached },
  ],
  'Vary on all is not kept': [from(cacheControl('public, max-age=600'), ['Vary', 'Foo, *']), asked],
  'an ETag is sent back as it came': [
    later(from(cacheControl('max-age=1'), ['ETag', 'W/"weak"'])),
    {
      ...from(cacheControl('max-age=600'), ['ETag', 'W/"weak"']),
      expected_type: 'etag_validated',
      expected_request_headers: [['If-None-Match', 'W/"weak"']],
    },
    cached,
  ],
  'Last-Modified is sent back': [
    later(from(cacheControl('max-age=1'), lastModified)),
    { ...from(cacheControl('max-age=1'), lastModified), expected_type: 'lm_validated' },
  ],
  'must-revalidate is asked about': [
    later(from(cacheControl('max-age=1, must-revalidate'), etag)),
    { ...from(cacheControl('max-age=1'), etag), expected_type: 'etag_validated' },
  ],
  'stale-while-revalidate is used, and asked for anew': [
    later(from(cacheControl('max-age=1, stale-while-revalidate=600'))),
    later({ ...from(cacheControl('max-age=600')), ...cached }),
    { ...cached, expected_response_headers: [['client-request-count', '2']] },
  ],
  'stale-if-error stands in for a closed connection': [
    later(from(cacheControl('max-age=1, stale-if-error=600'))),
    { disconnect: true, ...cached },
  ],
  'stale-if-error stands in for a failure': [
    later(from(cacheControl('max-age=1, stale-if-error=600'))),
    { response_status: [503, 'Service Unavailable'], expected_status: 200, ...cached },
  ],
  'nothing stale without it': [
    later(from(cacheControl('max-age=1'))),
    { disconnect: true, expected_status: null },
  ],
  'nothing stale past must-revalidate': [
    later(from(cacheControl('max-age=1, must-revalidate, stale-if-error=600'))),
    { disconnect: true, expected_status: null },
  ],
  'only status 200 is kept': [
    { ...from(cacheControl('max-age=600')), response_status: [404, 'Not Found'] },
    { ...asked, response_status: [404, 'Not Found'] },
  ],
}

export const ownCases: readonly Case[] = Object.entries(cases).map(([id, requests]) => ({
  id,
  suite: 'own',
  kind: 'required',
  requests,
}))
