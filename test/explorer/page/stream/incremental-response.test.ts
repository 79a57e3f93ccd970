/** Responses that are assembled from their payloads, and the positions of the parts in the text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Path, ResponseAssembler } from '../../../../explorer/page/stream/incremental-response.ts'
import { printWithSpans } from '../../../../explorer/page/stream/json-spans.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const key = fc.constantFrom('a', 'b', 'c', 'title', 'with "quotes"', 'constructor')
const value = fc.letrec<{ value: Json; object: { [key: string]: Json } }>((tie) => ({
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<{
    [key: string]: Json
  }>,
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 1, 'text', 'line\nbreak'),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
}))

/** Sends a value in parts: some fields of objects later, and the ends of some lists. */
function partsOf(whole: Json, random: () => number) {
  const later: { path: Path; data?: Json; items?: Json }[] = []
  const cut = (item: Json, path: Path): Json => {
    if (Array.isArray(item)) {
      const at = random() < 0.4 ? Math.floor(random() * (item.length + 1)) : item.length
      const first = item.slice(0, at).map((each, index) => cut(each, [...path, index]))
      for (let from = at; from < item.length; ) {
        const to = from + 1 + Math.floor(random() * (item.length - from))
        later.push({ path, items: item.slice(from, to) })
        from = to
      }
      return first
    }
    if (typeof item !== 'object' || item === null) return item
    const now: { [key: string]: Json } = {}
    const deferred: { [key: string]: Json } = {}
    for (const [name, each] of Object.entries(item)) {
      if (random() < 0.3) deferred[name] = each
      else now[name] = cut(each, [...path, name])
    }
    // Outer parts come before what stands in them.
    if (Object.keys(deferred).length > 0) later.push({ path, data: deferred })
    return now
  }
  const data = cut(whole, [])
  return { data, later: later.map((part, index) => ({ ...part, id: String(index) })) }
}

/** Without the order of keys: what comes later stands after what came first. */
const inOrder = (item: Json): Json =>
  Array.isArray(item)
    ? item.map(inOrder)
    : typeof item === 'object' && item !== null
      ? Object.fromEntries(
          Object.keys(item)
            .sort()
            .map((name) => [name, inOrder(item[name] ?? null)]),
        )
      : item

test('all payloads together are the answer, and the places of each name what it brought', () => {
  fc.assert(
    fc.property(
      value.object,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (whole, numbers) => {
        const random = (): number => numbers.next().value ?? 0
        const { data, later } = partsOf(whole, random)
        const assembler = new ResponseAssembler()
        let assembly = assembler.add(
          { data, pending: later.map(({ id, path }) => ({ id, path })), hasNext: later.length > 0 },
          1,
        )
        for (const [index, { id, data: fields, items }] of later.entries()) {
          expect(assembly.isOver).toBe(false)
          const incremental = [items === undefined ? { id, data: fields } : { id, items }]
          assembly = assembler.add(
            { incremental, completed: [{ id }], hasNext: index < later.length - 1 },
            index + 2,
          )
          const part = assembly.parts.at(-1)!
          expect(part.count).toBe(part.added.length)
        }
        expect(assembly.isOver).toBe(true)
        expect(inOrder(assembly.answer.data as Json)).toEqual(inOrder(whole))
        expect(assembly.total).toBe(later.length + 1)
      },
    ),
  )
})

test('labels, errors and extensions of all payloads are kept, and a part that failed says so', () => {
  const assembler = new ResponseAssembler()
  assembler.add(
    {
      data: { video: { title: 'A' }, list: [1] },
      pending: [
        { id: '0', path: ['video'], label: 'numbers' },
        { id: '1', path: ['list'] },
        { id: '2', path: [], label: 'lost' },
      ],
      hasNext: true,
    },
    10,
  )
  const middle = assembler.add(
    {
      incremental: [
        { id: '0', subPath: ['statistics'], data: { unknown: 1 } },
        { id: '0', data: { views: 3 }, errors: [{ message: 'some' }] },
        { id: '1', items: [2, 3] },
      ],
      completed: [{ id: '0' }],
      hasNext: true,
    },
    20,
  )
  // Of a place that is not there nothing is made.
  expect(middle.answer.data).toEqual({ video: { title: 'A', views: 3 }, list: [1, 2, 3] })
  const { answer, parts, isOver } = assembler.add(
    { completed: [{ id: '2', errors: [{ message: 'null' }] }], extensions: { units: 1 }, hasNext: false },
    30,
  )
  expect(isOver).toBe(true)
  expect(answer).toMatchObject({
    errors: [{ message: 'some' }, { message: 'null' }],
    extensions: { units: 1 },
  })
  expect(parts).toEqual([
    { number: 1, kind: 'first', path: [], label: undefined, count: 2, milliseconds: 10, added: [] },
    {
      number: 2,
      kind: 'fields',
      path: ['video'],
      label: 'numbers',
      count: 1,
      milliseconds: 20,
      added: [['video', 'views']],
    },
    {
      number: 3,
      kind: 'items',
      path: ['list'],
      label: undefined,
      count: 2,
      milliseconds: 20,
      added: [
        ['list', 1],
        ['list', 2],
      ],
    },
    { number: 4, kind: 'failed', path: [], label: 'lost', count: 0, milliseconds: 30, added: [] },
  ])
})

test('the newest of very many parts are listed, and no answer reaches the prototype of objects', () => {
  const assembler = new ResponseAssembler()
  assembler.add(
    {
      data: { list: [] },
      pending: [
        { id: '0', path: ['list'] },
        { id: '1', path: [] },
      ],
      hasNext: true,
    },
    0,
  )
  let assembly = assembler.add(
    JSON.parse('{"incremental":[{"id":"1","data":{"__proto__":{"polluted":true}}}],"hasNext":true}'),
    1,
  )
  for (let item = 0; item < 1200; item++)
    assembly = assembler.add({ incremental: [{ id: '0', items: [item] }], hasNext: true }, item)
  expect([assembly.parts.length, assembly.total, assembly.parts.at(-1)?.number]).toEqual([500, 1202, 1202])
  expect((assembly.answer.data as { list: unknown[] }).list.length).toBe(1200)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expect((assembly.answer.data as { polluted?: boolean }).polluted).toBeUndefined()
})

test('text with places is that of JSON.stringify, and each place is the text of its value', () => {
  const pathsIn = (item: Json, path: Path = []): Path[] =>
    typeof item !== 'object' || item === null
      ? [path]
      : [
          path,
          ...Object.entries(item).flatMap(([name, each]) =>
            pathsIn(each, [...path, Array.isArray(item) ? Number(name) : name]),
          ),
        ]
  fc.assert(
    fc.property(value.object, fc.nat(), (whole, nth) => {
      const paths = pathsIn(whole)
      const path = paths[nth % paths.length]!
      const { text, spans } = printWithSpans(whole, [path, ['not', 'there', 7]])
      expect(text).toBe(JSON.stringify(whole, null, 2))
      const found = path.reduce<Json>((item, name) => (item as Record<string, Json>)[name]!, whole)
      const last = path.at(-1)
      expect(spans.length).toBe(1)
      const part = text.slice(spans[0]!.from, spans[0]!.to)
      expect(JSON.parse(typeof last === 'string' ? `{${part}}` : part)).toEqual(
        typeof last === 'string' ? { [last]: found } : found,
      )
    }),
  )
})
