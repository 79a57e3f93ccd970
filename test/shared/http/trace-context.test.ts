import { expect, test } from 'vitest'
import { callerContext, traceOfRequest } from '../../../shared/http/trace-context.ts'
import { testRequest } from '../../support/request.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const parent = 'b7ad6b7169203331'

test('a trace context is continued, also that of a later version', () => {
  const expected = { traceId: trace, spanId: parent, isSampled: true }
  expect(callerContext(`00-${trace}-${parent}-01`)).toEqual(expected)
  expect(callerContext(`01-${trace}-${parent}-01`)).toEqual(expected)
  expect(callerContext(`00-${trace}-${parent}-03`)).toEqual(expected)
  expect(callerContext(`00-${trace}-${parent}-02`)).toEqual({ ...expected, isSampled: false })
})

test.each([
  ['the version ff', `ff-${trace}-${parent}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${parent}-01`],
  ['a parent id of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['capital digits', `00-${trace.toUpperCase()}-${parent}-01`],
  ['a part too many', `00-${trace}-${parent}-01-00`],
])('%s is no trace context', (_, traceparent) => {
  expect(callerContext(traceparent)).toBeUndefined()
})

test('a call on behalf of a request has its trace context, and a state only if that is of one line and short', () => {
  const traceparent = `00-${trace}-${parent}-01`
  const headersFor = (headers: Record<string, string>) => traceOfRequest(testRequest(headers))
  const state = `a=${'~'.repeat(510)}`
  expect(headersFor({ traceparent, tracestate: state })).toEqual({ traceparent, tracestate: state })
  for (const tracestate of [`${state}b`, 'a=ä', 'a=1\nb=2', ''])
    expect(headersFor({ traceparent, tracestate })).toEqual({ traceparent })
  expect(headersFor({ traceparent })).toEqual({ traceparent })
  expect(headersFor({ traceparent: 'mine', tracestate: 'a=1' })).toBeUndefined()
  expect(headersFor({ tracestate: 'a=1' })).toBeUndefined()
})
