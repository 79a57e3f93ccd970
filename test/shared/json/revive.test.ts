/** JSON that is parsed with a reviver, however deep it is. */
import { expect, test } from 'vitest'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import { parseRevived } from '../../../shared/json/revive.ts'
import { isTooDeep } from '../../../shared/json/too-deep.ts'
import { parseJson } from '../../../subgraphs/kit/rest-client/json.ts'

const digits = '12345678901234567890'
const nested = (levels: number, inner: string): string =>
  '[{"a":'.repeat(levels / 2) + inner + '}]'.repeat(levels / 2)

test.each([
  ['of a service', parseJson],
  ['of a subgraph', parseExactly],
])('what is beside a value of thousands of levels is kept, in a response %s', (_, parse) => {
  const text = `{"before":${digits},"deep":${nested(50_000, digits)},"[\\"]}":["{\\\\",{}],"after":${digits}}`
  const { deep, ...others } = parse(text) as Record<string, unknown>
  expect(isTooDeep(deep)).toBe(true)
  expect(JSON.stringify(others)).toBe(`{"before":${digits},"[\\"]}":["{\\\\",{}],"after":${digits}}`)
})

test('several values of thousands of levels stay apart', () => {
  const [one, other] = [nested(20_000, '"]"'), nested(20_000, '1,"b":{}')]
  const parsed = parseRevived(`[${one},7,{"c":${other}},"x"]`, (_key, value) => value) as unknown[]
  expect(parsed.map(isTooDeep)).toEqual([true, false, true, false])
  expect([parsed[1], parsed[3]]).toEqual([7, 'x'])
})

test('what is no JSON is refused', () => {
  expect(() => parseRevived(`${nested(50_000, '1')}]`, (_key, value) => value)).toThrow(SyntaxError)
})
