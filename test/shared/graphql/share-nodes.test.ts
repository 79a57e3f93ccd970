/** A document whose equal nodes are shared says the same as one whose nodes are not. */
import fc from 'fast-check'
import { type DocumentNode, parse } from 'graphql'
import { expect, test } from 'vitest'
import { NodeSharing } from '../../../shared/graphql/share-nodes.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'

function sharedFrom(sdl: string): DocumentNode {
  const document = parse(sdl, { noLocation: true })
  new NodeSharing().within(document)
  return document
}

test('the supergraph is the same document, with one node for equal directives and types', () => {
  const sdl = readSchemaFile('supergraph')
  const shared = sharedFrom(sdl)
  expect(shared).toEqual(parse(sdl, { noLocation: true }))
  const query = shared.definitions.find((each) => 'name' in each && each.name?.value === 'Query')
  const fields = (query !== undefined && 'fields' in query ? query.fields : undefined) ?? []
  const joins = fields.flatMap(({ directives }) => directives?.[0] ?? [])
  expect(joins.length).toBeGreaterThan(10)
  expect(new Set(joins).size).toBeLessThan(joins.length)
})

const text = fc.constantFrom('""', '"a"', '"a,b"', '"a\\"b"', '"""a"""', '"1"', '"null"', '"$a"')
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom('1', '1.0', 'true', 'null', 'a', 'A'),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(', ')}]`),
    fc
      .array(tie('value'), { maxLength: 2 })
      .map((values) => `{${values.map((each, at) => `k${at}: ${each}`).join(', ')}}`),
  ),
}))

test('different arguments never become one directive', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (values) => {
      const sdl = `type A { ${values.map((each, at) => `f${at}: Int @d(x: ${each}) @e(x: ${each}, y: 1)`).join(' ')} }`
      const { definitions } = sharedFrom(sdl)
      expect(definitions).toEqual(parse(sdl, { noLocation: true }).definitions)
    }),
    { numRuns: 100 },
  )
})
