/** JSON that a user of the page has typed. */
import { expect, test } from 'vitest'
import { formatJson, objectFrom } from '../../../explorer/page/json.ts'

test('only an object is one: variables may be neither a list nor a number, however many digits it has', () => {
  expect(objectFrom(' ')).toEqual({})
  expect(objectFrom('{"id": 1}')).toEqual({ id: 1 })
  for (const text of ['[]', 'null', '1', '12345678901234567890', '{'])
    expect(objectFrom(text), text).toBeUndefined()
})

test('digits that a double cannot hold stay, in what is sent and in what is formatted', () => {
  const text = '{"id":12345678901234567890}'
  expect(JSON.stringify(objectFrom(text))).toBe(text)
  expect(formatJson(text)).toBe('{\n  "id": 12345678901234567890\n}')
})
