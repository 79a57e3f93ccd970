import { expect, test } from 'vitest'
import { callerContext } from '../../../shared/http/trace-context.ts'

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
