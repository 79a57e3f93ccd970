/** What stands under an idempotency key is read as ours only if every part of it is: others can write to the store. */
import { expect, test } from 'vitest'
import { errorsOf, readEntry, writeEntry } from '../../../../gateway/pipeline/idempotency/entry.ts'

const done = { kind: 'done', data: '{"like":{"liked":true}}', errors: [] } as const
const ours = {
  request: 'r',
  until: 0,
  attempt: 'a',
  outcomes: {
    like: done,
    long: {
      ...done,
      data: undefined,
      errors: [{ message: 'm', path: ['long', 0], extensions: { code: 'CONFLICT' } }],
    },
    insert: { kind: 'unknown', since: 1 },
  },
} as const

test('an entry that was written is read again', () => {
  const entry = readEntry(writeEntry(ours))
  expect(entry).toEqual(JSON.parse(JSON.stringify(ours)))
  const { long } = entry?.outcomes ?? {}
  expect(long?.kind === 'done' ? errorsOf(long).map(({ path }) => path) : undefined).toEqual([['long', 0]])
})

test.each([
  ['an outcome of no kind', {}],
  ['errors that are no list', { ...done, errors: undefined }],
  ['an error that is none', { ...done, errors: [1] }],
  ['data that is no text', { ...done, data: {} }],
  ['data that is no JSON', { ...done, data: '{"like":' }],
  ['data of another field', { ...done, data: '{"other":1}' }],
  ['data that would end its object and go on', { ...done, data: '{"like":1},"more":{"a":1}' }],
  ['data beside that of the field', { ...done, data: '{"like":1,"more":1}' }],
  ['a time that is none', { kind: 'unknown', since: 'now' }],
])('with %s it is not an entry of this gateway', (_, outcome) => {
  expect(readEntry(JSON.stringify({ ...ours, outcomes: { like: outcome } }))).toBeUndefined()
})
