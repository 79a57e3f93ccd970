import fc from 'fast-check'
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { readIdList } from '../../../subgraphs/kit/id-list.ts'

const read = (ids: readonly string[], maxIds = 500) =>
  readIdList({
    argument: 'ids',
    ids,
    maxIds,
    expected: 'a digit',
    isId: (id) => /^\d$/.test(id),
    readAll: (all) => all.map((id) => `read ${id}`),
  }) as readonly (string | Error | null)[]

test('each id is read at its position, and each wrong one has an error that names it', () => {
  const id = fc.oneof(fc.constantFrom('1', '2', '3'), fc.constantFrom('a', '', '12'))
  fc.assert(
    fc.property(fc.array(id, { maxLength: 200 }), (ids) => {
      const values = read(ids)
      expect(values.length).toBe(ids.length)
      values.forEach((value, position) => {
        if (/^\d$/.test(ids[position] ?? '')) {
          expect(value).toBe(`read ${ids[position]}`)
          return
        }
        expect(value).toBeInstanceOf(GraphQLError)
        const { message, extensions } = value as GraphQLError
        expect(message).toBe(`\`ids[${position}]\` must be a digit.`)
        expect(extensions).toEqual({ code: 'BAD_USER_INPUT', argument: `ids[${position}]` })
      })
    }),
  )
})

test('a list that is too long is refused with the numbers', () => {
  expect(() => read(['1', '2', '3'], 2)).toThrow('`ids` must have at most 2 ids, not 3.')
  expect(read(['1', '2'], 2)).toEqual(['read 1', 'read 2'])
})

test('what is read later stands at the same positions', async () => {
  const later = readIdList({
    argument: 'ids',
    ids: ['1', 'wrong', '2', '1'],
    maxIds: 500,
    expected: 'a digit',
    isId: (id) => /^\d$/.test(id),
    readAll: async (all) => all.map((id, at) => `read ${id} at ${at}`),
  })
  expect(await later).toEqual(['read 1 at 0', expect.any(GraphQLError), 'read 2 at 1', 'read 1 at 2'])
})
