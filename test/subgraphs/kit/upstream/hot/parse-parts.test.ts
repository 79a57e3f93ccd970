/** A body that is parsed in parts is what JSON.parse makes of it, or is left to it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuickly } from '../../../../../subgraphs/kit/upstream/hot/parse-body.ts'
import { createPartsParser } from '../../../../../subgraphs/kit/upstream/hot/parse-parts.ts'
import { parseBody } from '../../../../../subgraphs/kit/upstream/json.ts'

const nothingSpecial = (): boolean => false

/** In parts as short as they can be. The body is afterwards what it was. */
function inParts(text: string, parse = createPartsParser(1)): unknown {
  const body = Buffer.from(text)
  const found = parse(body, nothingSpecial)
  expect(body.equals(Buffer.from(text))).toBe(true)
  return found
}

const words = fc.constantFrom('a', 'é', '—', '😀', '},{"id":', '"', '\\', ']', '[{', '}', '\u2028')
const texts = fc.array(words, { maxLength: 4 }).map((all) => all.join(''))
const leaves = fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null))
/** What an item begins with; those of the lists within it begin alike, or in another way. */
const beginnings = fc.constantFrom({ kind: 'item' }, { kind: 'part' }, { id: 1 }, { id: 'a' }, {})
const within = fc.array(
  fc.tuple(beginnings, texts).map(([beginning, text]) => ({ ...beginning, text })),
  { maxLength: 3 },
)
const lists = fc.tuple(beginnings, fc.boolean()).chain(([beginning, differ]) =>
  fc
    .array(fc.record({ text: texts, of: fc.oneof(leaves, within) }, { requiredKeys: ['text'] }), {
      maxLength: 8,
    })
    .map((items) => items.map((item, at) => ({ ...beginning, ...(differ ? { at } : {}), ...item }))),
)
const members = fc.dictionary(fc.constantFrom('kind', 'page', 'meta'), leaves, { maxKeys: 2 })
const odd = fc.constantFrom({}, {}, {}, { first: [1] }, { first: { of: [] } }, { items: [] })
const bodies = fc
  .record({ odd, before: members, items: lists, after: members, deep: fc.boolean() })
  .map(({ odd, before, items, after, deep }) => {
    const body = { ...odd, ...before, items, ...after }
    return JSON.stringify(deep ? { status: 'success', data: body, warnings: [] } : body)
  })

test('whatever it holds, it is what JSON.parse makes of it', () => {
  let cut = 0
  fc.assert(
    fc.property(bodies, (text) => {
      const found = inParts(text)
      cut += found === undefined ? 0 : 1
      if (found !== undefined) expect(JSON.stringify(found)).toBe(text)
      expect(JSON.stringify(parseQuickly(Buffer.from(text)))).toBe(text)
    }),
    { numRuns: 1000 },
  )
  expect(cut).toBeGreaterThan(100)
})

test('what is no JSON does not become some', () => {
  const changes = fc.record({
    at: fc.nat(400),
    length: fc.nat(3),
    by: fc.constantFrom('', ',', ']', '}', '"', '{', '['),
  })
  fc.assert(
    fc.property(bodies, changes, (text, { at, length, by }) => {
      const changed = text.slice(0, at % text.length) + by + text.slice((at % text.length) + length)
      const found = inParts(changed)
      if (found !== undefined) expect(found).toEqual(JSON.parse(Buffer.from(changed).toString()))
    }),
    { numRuns: 1000 },
  )
})

test('lists of services are cut, also where the lists within begin with the same key', () => {
  const item = (id: number) => ({
    kind: 'thread',
    id: `${id}`,
    text: 'ünï — },{"kind":"thread"',
    of: {
      comments: [
        { kind: 'comment', id: 'a' },
        { kind: 'comment', id: 'b' },
      ],
    },
  })
  const items = Array.from({ length: 20 }, (_, id) => item(id))
  const videos = { kind: 'list', etag: 'e', items, pageInfo: { totalResults: 20 } }
  expect(inParts(JSON.stringify(videos))).toEqual(videos)
  // The values of the first members all differ.
  const messages = { data: items.map(({ id, text }) => ({ id, text })), meta: { next: 'n' } }
  expect(inParts(JSON.stringify(messages))).toEqual(messages)
  const series = { status: 'success', data: { resultType: 'vector', result: items } }
  expect(inParts(JSON.stringify(series))).toEqual(series)
})

test('what has no such list, or another one of the same name, is left to JSON.parse', () => {
  for (const text of [
    '[{"id":1},{"id":2}]',
    '{"a":{"b":{"items":[{"id":1},{"id":2}]}}}',
    `{"a":"${'x'.repeat(5000)}","items":[{"id":1},{"id":2}]}`,
    '{"items":[1,2]}',
    '{"items":[]}',
    '{"items":[{"id":1},{"id":2}],"items":[]}',
    '{"items":[{"id":1},{"id":2}],"items":[3]}',
    '{"items":[ {"id":1}, {"id":2} ]}',
    '{"items":[{"id":1},{"id":2}',
    '',
  ])
    expect(inParts(text), text.slice(0, 60)).toBeUndefined()
})

test('a separator at which a list could not be cut is left alone for a while', () => {
  const list = (of: unknown) =>
    JSON.stringify({
      items: [
        { left: 'a', of },
        { left: 'b', of },
        { left: 'a', of },
      ],
    })
  const misleading = list([{ left: 'a' }, { left: 'a' }])
  const fine = list([])
  const parse = createPartsParser(1)
  expect(inParts(fine, parse)).toEqual(JSON.parse(fine))
  expect(inParts(misleading, parse)).toBeUndefined()
  for (let body = 0; body < 100; body++) expect(inParts(fine, parse)).toBeUndefined()
  expect(inParts(fine, parse)).toEqual(JSON.parse(fine))
})

test('a key that could change a prototype is found in every part', () => {
  const filling = Array.from({ length: 3000 }, (_, id) => ({
    id: `${id}`,
    text: 'an ordinary text of some length',
  }))
  for (const at of [0, 1500, 2999]) {
    const text = JSON.stringify({ items: filling }).replace(
      `{"id":"${at}",`,
      `{"id":"${at}","__proto__":{"x":1},`,
    )
    const { items } = parseQuickly(Buffer.from(text)) as { items: { x?: unknown }[] }
    expect(items).toEqual((parseBody(Buffer.from(text)) as { items: unknown }).items)
    expect(Object.hasOwn(items[at] as object, '__proto__')).toBe(false)
    expect(items[at]?.x).toBeUndefined()
  }
})
