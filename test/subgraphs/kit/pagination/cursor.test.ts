import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PagePosition,
  positionOf,
  readCursor,
  writeCursor,
} from '../../../../subgraphs/kit/pagination/cursor.ts'

const position = { token: 'CAUQAA', size: 5, index: 4, next: 'CAoQAA', previous: 'CAUQAQ' }

/** A cursor over any text, with the digest that belongs to it. */
function cursorOver(list: string, text: string): string {
  const digest = hash('sha256', `${list}\n${text}`, 'base64url').slice(0, 12)
  return Buffer.from(digest + text).toString('base64url')
}

const positions: fc.Arbitrary<PagePosition> = fc.record({
  token: fc.option(fc.string(), { nil: undefined }),
  size: fc.nat(),
  index: fc.integer({ min: -1 }),
  next: fc.option(fc.string(), { nil: undefined }),
  previous: fc.option(fc.string(), { nil: undefined }),
})

test('a cursor is read as the position that it was written for', () => {
  fc.assert(
    fc.property(fc.string(), positions, (list, each) => {
      const cursor = writeCursor(list, each)
      expect(readCursor(list, cursor, 'after')).toEqual(each)
      expect(positionOf(cursor)).toEqual(each)
    }),
  )
})

test('cursors stay as they are, since clients keep them', () => {
  expect(writeCursor('videos', position)).toMatchInlineSnapshot(
    `"UWlKanZVcDZkVDBjWyJDQVVRQUEiLDUsNCwiQ0FvUUFBIiwiQ0FVUUFRIl0"`,
  )
  expect(writeCursor('videos', position)).toBe(cursorOver('videos', '["CAUQAA",5,4,"CAoQAA","CAUQAQ"]'))
  expect(
    writeCursor('', { token: undefined, size: 1, index: -1, next: undefined, previous: undefined }),
  ).toBe(cursorOver('', '[0,1,-1,0,0]'))
})

describe('an invalid cursor', () => {
  const cursor = writeCursor('videos', position)

  test.each([
    ['nothing', ''],
    ['a sign of another alphabet before it', `.${cursor}`],
    ['a sign of another alphabet behind it', `${cursor}=`],
    ['a digest alone', Buffer.from('0123456789ab').toString('base64url')],
    ['text that is no JSON', cursorOver('videos', '[0,5,4,0,0')],
    ['no list', cursorOver('videos', '{"length":5}')],
    ['null', cursorOver('videos', 'null')],
    ['a list that is too short', cursorOver('videos', '[0,5,4,0]')],
    ['a list that is too long', cursorOver('videos', '[0,5,4,0,0,0]')],
    ['a size that is no number', cursorOver('videos', '[0,"5",4,0,0]')],
    ['an index that is no number', cursorOver('videos', '[0,5,null,0,0]')],
  ])('%s is refused, and has no position', (_, text) => {
    expect(positionOf(text)).toBeUndefined()
    expect(() => readCursor('videos', text, 'before')).toThrow(
      expect.objectContaining({
        message:
          '`before` is not a cursor of this list. Take one from `edges.cursor` or `pageInfo` of the same field with the same filters.',
        extensions: { code: 'BAD_USER_INPUT', argument: 'before' },
      }),
    )
  })

  test('a cursor of another list is refused, and has a position for estimates', () => {
    expect(() => readCursor('comments', cursor, 'after')).toThrow(
      expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT', argument: 'after' } }),
    )
    expect(positionOf(cursor)).toEqual(position)
  })
})
