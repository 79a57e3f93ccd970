import { describe, expect, test } from 'vitest'
import { connectionBounds, readArguments } from '../../../../subgraphs/kit/pagination/arguments.ts'
import { writeCursor } from '../../../../subgraphs/kit/pagination/cursor.ts'
import type { ConnectionArgs } from '../../../../subgraphs/kit/pagination/index.ts'

const pages = { maxPageSize: 50, defaultPageSize: 5 }
const source = { list: 'numbers', pages, fetch: () => Promise.reject(new Error('no call is to be made')) }

const inside = { token: 't', size: 20, index: 7, next: undefined, previous: undefined }
const end = { token: 't', size: 20, index: 19, next: 'u', previous: undefined }
const start = { token: 't', size: 20, index: 0, next: undefined, previous: 's' }
const cursorOf = (position: typeof inside | typeof end | typeof start): string =>
  writeCursor('numbers', position)

describe('the arguments of a connection', () => {
  test.each<[ConnectionArgs, ReturnType<typeof readArguments>]>([
    [{}, { direction: 'forward', count: 5, from: undefined }],
    [
      { first: null, after: null, last: null, before: null },
      { direction: 'forward', count: 5, from: undefined },
    ],
    [{ first: 0 }, { direction: 'forward', count: 0, from: undefined }],
    [
      { first: 3, after: '', before: '' },
      { direction: 'forward', count: 3, from: undefined },
    ],
    [
      { last: 3, after: '', before: cursorOf(start) },
      { direction: 'backward', count: 3, from: start },
    ],
    [{ first: 10_000 }, { direction: 'forward', count: 10_000, from: undefined }],
    [{ after: cursorOf(end) }, { direction: 'forward', count: 5, from: end }],
    [
      { first: 3, after: cursorOf(inside) },
      { direction: 'forward', count: 3, from: inside },
    ],
    [{ before: cursorOf(start) }, { direction: 'backward', count: 5, from: start }],
    [
      { first: null, after: null, last: 3, before: cursorOf(inside) },
      { direction: 'backward', count: 3, from: inside },
    ],
  ])('%j select', (args, wanted) => {
    expect(readArguments(args, source)).toEqual(wanted)
  })

  const both = '`first` and `after` read forward, `last` and `before` backward: give one pair, not both.'
  test.each<[ConnectionArgs, string, string | undefined]>([
    [{ first: 1, last: 1 }, both, undefined],
    [{ first: 1, before: cursorOf(end) }, both, undefined],
    [{ after: cursorOf(end), last: 1 }, both, undefined],
    [{ after: cursorOf(end), before: cursorOf(end) }, both, undefined],
    [
      { last: 1 },
      '`last` needs `before`: the service can be read backward only from a position that was read before.',
      'last',
    ],
    [{ first: -1 }, '`first` must be a whole number from 0 to 10000, not -1.', 'first'],
    [{ first: 10_001 }, '`first` must be a whole number from 0 to 10000, not 10001.', 'first'],
    [{ last: 1.5, before: cursorOf(end) }, '`last` must be a whole number from 0 to 10000, not 1.5.', 'last'],
  ])('%j are refused', (args, message, argument) => {
    expect(() => readArguments(args, source)).toThrow(
      expect.objectContaining({
        message,
        extensions: { code: 'BAD_USER_INPUT', ...(argument === undefined ? {} : { argument }) },
      }),
    )
  })
})

describe('the most that a connection reads', () => {
  test.each<[string, ConnectionArgs, ReturnType<typeof connectionBounds>]>([
    ['is the usual size without arguments', {}, { items: 5, calls: 1 }],
    [
      'is the usual size with nulls',
      { first: null, last: null, after: null, before: null },
      { items: 5, calls: 1 },
    ],
    ['is the usual size with cursors that are no text', { after: '', before: '' }, { items: 5, calls: 1 }],
    [
      'is a call more after an item of a page, beside an empty cursor',
      { first: 50, after: cursorOf(inside), before: '' },
      { items: 50, calls: 2 },
    ],
    ['is nothing for no items', { first: 0 }, { items: 0, calls: 0 }],
    [
      'is nothing for no items after one of a page',
      { first: 0, after: cursorOf(inside) },
      { items: 0, calls: 0 },
    ],
    ['is one call for a full page', { first: 50 }, { items: 50, calls: 1 }],
    ['is a second call for one item more', { first: 51 }, { items: 51, calls: 2 }],
    ['is one call after the end of a page', { first: 50, after: cursorOf(end) }, { items: 50, calls: 1 }],
    [
      'is a call more after an item of a page',
      { first: 50, after: cursorOf(inside) },
      { items: 50, calls: 2 },
    ],
    [
      'is one call before the start of a page',
      { last: 50, before: cursorOf(start) },
      { items: 50, calls: 1 },
    ],
    [
      'is a call more before an item of a page',
      { last: 50, before: cursorOf(inside) },
      { items: 50, calls: 2 },
    ],
    ['is a call more before the end of a page', { last: 1, before: cursorOf(end) }, { items: 1, calls: 2 }],
    ['does not need a cursor that can be read', { first: 50, after: 'x' }, { items: 50, calls: 1 }],
    ['is nothing where the count is refused', { first: 10_001 }, { items: 0, calls: 0 }],
    ['is nothing where the count is below 0', { last: -1, before: cursorOf(end) }, { items: 0, calls: 0 }],
  ])('%s', (_, args, most) => {
    expect(connectionBounds(args, pages)).toEqual(most)
  })
})
