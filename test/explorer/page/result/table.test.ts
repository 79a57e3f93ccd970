/** Lists of a response as rows, and as CSV that spreadsheets read as text. */
import { expect, test } from 'vitest'
import { jsonFrom } from '../../../../explorer/page/json.ts'
import { csvOf, findInText, rowsWith, tablesIn } from '../../../../explorer/page/result/table.ts'

test('every list is a table: objects within are columns, edges lose their node, lists in cells are counted', () => {
  const data = {
    videos: {
      edges: [
        { cursor: 'a', node: { id: '1', snippet: { title: 'One', tags: ['x', 'y'] }, threads: [{ id: 1 }] } },
        { cursor: 'b', node: { id: '2', snippet: null } },
      ],
    },
    up: [1, 0],
    empty: [],
  }
  expect(tablesIn({ data })).toEqual([
    {
      path: 'videos.edges',
      columns: ['cursor', 'id', 'snippet.title', 'snippet.tags', 'threads', 'snippet'],
      rows: [
        ['a', '1', 'One', 'x, y', '1 item', undefined],
        ['b', '2', undefined, undefined, undefined, null],
      ],
    },
    { path: 'up', columns: ['value'], rows: [[1], [0]] },
  ])
  expect(tablesIn(undefined)).toEqual([])
  const long = tablesIn({ data: { list: Array.from({ length: 6000 }, (_, n) => ({ n })) } })[0]!
  expect(csvOf(long, long.rows).split('\r\n')).toHaveLength(1 + 6000 + 1)
})

test('CSV is quoted, and what would be a formula stays text', () => {
  const [table] = tablesIn({
    data: {
      list: [
        { text: 'a,"b"\n', odd: '=1+1', less: '-5', no: null },
        { text: '@x', odd: '+1', less: -5 },
      ],
    },
  })
  expect(csvOf(table!, table!.rows)).toBe(
    ['text,odd,less,no', `"a,""b""\n",'=1+1,-5,`, `'@x,+1,-5,`, ''].join('\r\n'),
  )
  expect(rowsWith(table!, '=1').length).toBe(1)
  expect(rowsWith(table!, ' ').length).toBe(2)
})

test('numbers keep all of their digits', () => {
  const text =
    '{"data":{"list":[{"id":12345678901234567890,"ids":[0.12345678901234567891]}],"ids":[9007199254740993]}}'
  const answer = jsonFrom(text)
  expect(JSON.stringify(answer)).toBe(text)
  expect(tablesIn(answer)).toEqual([
    { path: 'list', columns: ['id', 'ids'], rows: [['12345678901234567890', '0.12345678901234567891']] },
    { path: 'ids', columns: ['value'], rows: [['9007199254740993']] },
  ])
})

test('text is found whatever its case, at places that are its own', () => {
  expect(findInText('Title, subTITLE', 'title')).toEqual([
    { from: 0, to: 5 },
    { from: 10, to: 15 },
  ])
  for (const { from, to } of findInText('İ and title', 'title'))
    expect('İ and title'.slice(from, to)).toBe('title')
  expect(findInText('a'.repeat(5000), 'a').length).toBe(1000)
  expect(findInText('anything', '  ')).toEqual([])
})
