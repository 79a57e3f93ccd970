/** Which fields a selection has for which object types, after its fragments are spread. */
import { type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { always } from '../../../../engine/operation/conditions.ts'
import { normalise, type Selection } from '../../../../engine/operation/normalised.ts'
import { collect, type Selected, typenameOf } from '../../../../engine/operation/selected.ts'
import { TypeSets } from '../../../../engine/operation/type-sets.ts'
import { typesOf } from '../../../../engine/operation/type-source.ts'
import { createGraph } from '../../../../engine/planner/graph/graph.ts'
import { supergraphOf } from '../../../support/plans.ts'

const supergraph = supergraphOf({
  shop: `
      directive @mark(tag: String) on FIELD | INLINE_FRAGMENT | FRAGMENT_SPREAD
      type Query { media: [Media] }
      union Thing = Film | Song | Book
      interface Media { id: ID at(n: Int): Int film: Film }
      interface Sold { id: ID }
      type Film implements Media & Sold { id: ID at(n: Int): Int film: Film }
      type Song implements Media & Sold { id: ID at(n: Int): Int film: Film }
      type Book implements Sold { id: ID }`,
})
const graph = createGraph(supergraph, () => false)
const sets = new TypeSets()

function selectionsIn(text: string): readonly Selection[] {
  const document = parse(`query ${text}`)
  const [operation] = document.definitions
  const types = typesOf(supergraph.apiSchema)
  return normalise(types, document, operation as OperationDefinitionNode, 'Media').selections
}

const printed = (selections: readonly Selection[]): string =>
  `{ ${selections.map(({ field }) => (field.selections === undefined ? field.name : `${field.name} ${printed(field.selections)}`)).join(' ')} }`

/** Each as `key: name on types if conditions, directives, around: directives of fragments, typed`. */
function selected(
  text: string,
  { types = ['Film', 'Song'], declared = ['Media'] as readonly string[] | null } = {},
): readonly string[] {
  const into = new Map<string, Selected>()
  collect(
    { graph, sets },
    selectionsIn(text),
    { types: sets.of(types), when: always },
    declared === null ? undefined : new Set(declared),
    into,
  )
  return [...into.values()].map(({ key, name, types: of, when, directives, wraps, typed, below }) =>
    [
      key === name ? name : `${key}: ${name}`,
      ...below.map(printed),
      of.names.join('|'),
      ...(when === always ? [] : [`if ${when.key}`]),
      ...(directives === '' ? [] : [directives]),
      ...wraps.map((each) => `within ${each}`),
      ...(typed ? ['typed'] : []),
    ].join(' '),
  )
}

describe('a field', () => {
  test('is selected once for the same types and conditions, with all that is selected below', () => {
    expect(
      selected(
        '{ id id film { id } ... { film { at } id } ...F } fragment F on Media { film { film { id } } }',
      ),
    ).toEqual(['id Film|Song', 'film { id } { at } { film { id } } Film|Song'])
  })

  test('is another one under another key, for other types, conditions, directives or fragments around it', () => {
    expect(selected('{ id i: id ... on Film { id } id @include(if: $a) id @skip(if: $a) id @mark }')).toEqual(
      [
        'id Film|Song',
        'i: id Film|Song',
        'id Film typed',
        'id Film|Song if $a',
        'id Film|Song if !$a',
        'id Film|Song @mark',
      ],
    )
    expect(
      selected('{ id @mark(tag: "x") @mark(tag: "y") ... @mark { id ... @mark(tag: "z") { id } } }'),
    ).toEqual([
      'id Film|Song @mark(tag: "x") @mark(tag: "y")',
      'id Film|Song within @mark',
      'id Film|Song within @mark within @mark(tag: "z")',
    ])
    expect(selected('{ ...F @mark ...F @skip(if: $a) } fragment F on Media { id }')).toEqual([
      'id Film|Song within @mark',
      'id Film|Song if !$a',
    ])
  })

  test('is not selected under literal conditions that exclude it, or conditions that exclude each other', () => {
    expect(
      selected('{ id @skip(if: true) at @skip(if: false) ... @include(if: false) { film { id } } }'),
    ).toEqual(['at Film|Song'])
    expect(selected('{ ... @include(if: $a) { id @skip(if: $a) at @include(if: $b) } }')).toEqual([
      'at Film|Song if $a $b',
    ])
  })

  test('is not selected of objects whose type a fragment around it excludes', () => {
    expect(
      selected('{ ... on Book { id } ... on Sold { id ... on Film { at } } ... on Thing { film { id } } }'),
    ).toEqual(['id Film|Song typed', 'at Film typed', 'film { id } Film|Song typed'])
  })
})

describe('what the objects must tell about their type', () => {
  test('is nothing if the declared type is the type of the fragment, or implements it', () => {
    expect(selected('{ ... on Media { id } ... { at } }')).toEqual(['id Film|Song', 'at Film|Song'])
    expect(selected('{ ... on Media { id } }', { types: ['Film'], declared: ['Film'] })).toEqual(['id Film'])
    expect(selected('{ ... on Sold { id } }', { declared: ['Film', 'Song'] })).toEqual(['id Film|Song'])
  })

  test('is their type if one of the declared types is not known to be of the type', () => {
    expect(selected('{ ... on Media { id } }', { declared: ['Media', 'Film'] })).toEqual(['id Film|Song'])
    expect(selected('{ ... on Sold { id } }', { declared: ['Film', 'Media'] })).toEqual([
      'id Film|Song typed',
    ])
    expect(selected('{ ... on Film { ... on Media { id } } }')).toEqual(['id Film typed'])
    expect(selected('{ ... on Media { id } }', { types: ['Film'], declared: ['Thing'] })).toEqual([
      'id Film typed',
    ])
  })

  test('is nothing if an object type is declared', () => {
    expect(selected('{ ... on Film { id } }', { types: ['Film'], declared: null })).toEqual(['id Film'])
  })
})

describe('__typename', () => {
  test('is one field under any key, without its directives', () => {
    expect(
      selected('{ __typename kind: __typename __typename @mark ... on Film { t: __typename } }'),
    ).toEqual(['__typename Film|Song', '__typename Film typed'])
  })

  test('is known if an object type is declared, as introspection is', () => {
    expect(selected('{ __typename id }', { types: ['Film'], declared: null })).toEqual(['id Film'])
    expect(selected('{ id __schema { queryType { name } } s: __type(name: "Film") { name } }')).toEqual([
      'id Film|Song',
    ])
  })

  test('can be made for given types and conditions', () => {
    const types = sets.of(['Film'])
    expect(typenameOf(types, always)).toEqual({
      typed: false,
      key: '__typename',
      name: '__typename',
      arguments: [],
      list: undefined,
      directives: '',
      wraps: [],
      types,
      when: always,
      below: [],
    })
  })
})
