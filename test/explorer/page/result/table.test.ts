/** Lists of an answer as rows, and as CSV that a spreadsheet reads as text. */
import { expect, test } from 'vitest'
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
  expect(tablesIn({ data: { list: Array.from({ length: 6000 }, (_, n) => ({ n })) } })[0]?.rows.length).toBe(
    5000,
  )
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
