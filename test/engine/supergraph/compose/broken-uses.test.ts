/** Whether a change of a schema breaks an operation, by what the operation uses alone. */
import fc from 'fast-check'
import {
  buildASTSchema,
  buildSchema,
  type DocumentNode,
  Kind,
  parse,
  validate,
  validateSchema,
  visit,
} from 'graphql'
import { expect, test } from 'vitest'
import { createBrokenUseFinder } from '../../../../engine/supergraph/compose/broken-uses.ts'
import { coordinatesOf } from '../../../../gateway/telemetry/usage/index.ts'

const sdl = `
  directive @shown(as: String, twice: Boolean) on FIELD
  type Query {
    pets(first: Int, by: Order = NAME, filter: Filter): [Pet!]
    dog(id: ID!, tags: [String!]): Dog
    any: Any
    node: Node
  }
  interface Pet { name(long: Boolean): String owner: Person }
  type Dog implements Pet & Node { id: ID! name(long: Boolean): String owner: Person barks: Boolean! }
  type Cat implements Pet { name(long: Boolean): String owner: Person lives: Int }
  interface Node { id: ID! }
  type Person implements Node { id: ID! name: String pets(order: Order): [Pet] size: Size }
  union Any = Dog | Cat | Person
  enum Order { NAME AGE }
  enum Size { SMALL LARGE }
  input Filter { name: String size: Size not: Filter order: Order = AGE ids: [ID!] }
`
const schema = buildSchema(sdl)

const documents = [
  '{ pets { name } }',
  '{ pets(first: 3, by: AGE) { name(long: true) owner { name } } }',
  '{ a: pets(first: 3) { __typename } b: pets { __typename } }',
  '{ pets(filter: { name: "a", not: { size: LARGE } }) { name ... on Cat { lives } } }',
  'query ($filter: Filter, $by: Order) { pets(filter: $filter, by: $by) { name } }',
  'query ($size: Size, $id: ID!) { pets(filter: { size: $size }) { name } dog(id: $id, tags: ["a"]) { barks } }',
  '{ any { ... on Dog { barks id } ... on Person { size pets(order: NAME) { name } } ...P } } fragment P on Pet { name }',
  '{ node { id ... on Dog { barks } } dog(id: 1) { ...N owner { ...N } } } fragment N on Node { id }',
  '{ dog(id: 1) { name @shown(as: "a") barks @shown } }',
  'query ($order: Order = NAME) { dog(id: 1) { owner { pets(order: $order) { name } } } }',
].map((text) => parse(text))

const usedBy = (document: DocumentNode): readonly string[] => coordinatesOf(document, undefined, schema)

const breaksOf = (document: DocumentNode, after: string): string[] => {
  const find = createBrokenUseFinder(schema, buildSchema(after))
  return usedBy(document).flatMap((coordinate) => {
    const found = find(coordinate)
    return found === undefined ? [] : [`${found.coordinate} ${found.what}`]
  })
}

test('the documents are right by the schema', () => {
  expect(documents.flatMap((document) => validate(schema, document))).toEqual([])
})

test.each<[string, string, number, readonly string[]]>([
  ['an argument that nobody gives is removed', sdl.replace('first: Int, ', ''), 0, []],
  [
    'an argument that is given is removed',
    sdl.replace('first: Int, ', ''),
    1,
    ['Query.pets(first:) was removed'],
  ],
  [
    'an argument that was left out has become required',
    sdl.replace('first: Int,', 'first: Int!,'),
    2,
    ['Query.pets(first:) takes Int! instead of Int', 'Query.pets(first:)- has become required'],
  ],
  ['a value that is only read is removed', sdl.replace('SMALL LARGE', 'LARGE'), 3, []],
  [
    'a value that a variable may hold is removed',
    sdl.replace('SMALL LARGE', 'LARGE'),
    4,
    ['$Filter holds Size, which has lost the value SMALL, which a variable may hold'],
  ],
  ['a field stays, and is never null now', sdl.replace('lives: Int', 'lives: Int!'), 3, []],
  [
    'a field stays, and may be null now',
    sdl.replace('barks: Boolean!', 'barks: Boolean'),
    5,
    ['Dog.barks is of Boolean instead of Boolean!'],
  ],
])('%s', (_what, after, at, breaks) => {
  expect(breaksOf(documents[at] as DocumentNode, after)).toEqual(breaks)
})

test('nothing breaks if nothing changes', () => {
  for (const document of documents) expect(breaksOf(document, sdl)).toEqual([])
})

/** Every place of the schema that a change can take away or require. */
const source = parse(sdl)
type Edit = (document: DocumentNode) => DocumentNode

function edits(): Edit[] {
  const places: Edit[] = []
  const kinds: ReadonlySet<string> = new Set([
    Kind.FIELD_DEFINITION,
    Kind.INPUT_VALUE_DEFINITION,
    Kind.ENUM_VALUE_DEFINITION,
    Kind.OBJECT_TYPE_DEFINITION,
    Kind.DIRECTIVE_DEFINITION,
  ])
  visit(source, {
    enter(node, key, parent, path) {
      const at = path.join('/')
      const changed =
        (change: object | null): Edit =>
        (document) =>
          visit(document, {
            enter: (each, _k, _p, where) =>
              where.join('/') === at ? (change === null ? null : { ...each, ...change }) : undefined,
          })
      if (kinds.has(node.kind)) places.push(changed(null))
      // A type that implements an interface, or is one of a union.
      if (node.kind === Kind.NAMED_TYPE && Array.isArray(parent) && typeof key === 'number')
        places.push(changed(null))
      if (node.kind === Kind.INPUT_VALUE_DEFINITION && node.type.kind !== Kind.NON_NULL_TYPE)
        places.push(changed({ type: { kind: Kind.NON_NULL_TYPE, type: node.type }, defaultValue: undefined }))
      if (node.kind === Kind.INPUT_VALUE_DEFINITION || node.kind === Kind.FIELD_DEFINITION)
        places.push(changed({ type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Float' } } }))
    },
  })
  return places
}

test('for any removal, an operation that is not valid any more is reported as broken', () => {
  const all = edits()
  let broken = 0
  fc.assert(
    fc.property(
      fc.subarray(all, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...documents),
      (some, document) => {
        let after: ReturnType<typeof buildASTSchema>
        try {
          after = buildASTSchema(
            some.reduceRight((edited, edit) => edit(edited), source),
            { assumeValidSDL: true },
          )
          fc.pre(validateSchema(after).length === 0)
        } catch {
          // References to what was taken away: no schema.
          return
        }
        const find = createBrokenUseFinder(schema, after)
        const found = usedBy(document).some((coordinate) => find(coordinate) !== undefined)
        const isWrong = validate(after, document).length > 0
        if (isWrong) broken += 1
        expect(found || !isWrong).toBe(true)
      },
    ),
    { numRuns: 400 },
  )
  expect(broken).toBeGreaterThan(10)
})
