/** The normalised operation: it says what graphql's own algorithm says, and stays within its bound. */
import fc from 'fast-check'
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getOperationAST,
  isObjectType,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import { describe, expect, test } from 'vitest'
import type { NormalisedOperation, Selection } from '../../../engine/operation/normalised.ts'
import { normaliseOver } from '../../../engine/operation/normalised.ts'
import { holds } from '../../../shared/graphql/conditions.ts'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'
import { randomness } from '../../support/random-operation.ts'

const schema = buildSchema(`
  interface Named { name(n: Int): String, next(n: Int): Named }
  interface Aged implements Named { name(n: Int): String, next(n: Int): Named, age(n: Int): Int, any(n: Int): [Thing!] }
  type Cat implements Named & Aged { name(n: Int): String, next(n: Int): Named, age(n: Int): Int, any(n: Int): [Thing!] }
  type Dog implements Named & Aged { name(n: Int): String, next(n: Int): Cat, age(n: Int): Int, any(n: Int): [Thing!] }
  type Car implements Named { name(n: Int): String, next(n: Int): Named }
  union Thing = Cat | Car
  type Query { named(n: Int): Named, thing(n: Int): Thing, cat(n: Int): Cat, aged(n: Int): [Aged] }
`)

function normalised(text: string): NormalisedOperation {
  const document = parse(text)
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('Expected one operation.')
  return normaliseOver(schema, document, operation)
}

const fieldsOf: Readonly<Record<string, readonly (readonly [name: string, below?: string])[]>> = {
  Query: [
    ['named', 'Named'],
    ['thing', 'Thing'],
    ['cat', 'Cat'],
    ['aged', 'Aged'],
  ],
  Named: [['name'], ['next', 'Named']],
  Aged: [['name'], ['next', 'Named'], ['age'], ['any', 'Thing']],
  Cat: [['name'], ['next', 'Named'], ['age'], ['any', 'Thing']],
  Dog: [['name'], ['next', 'Cat'], ['age'], ['any', 'Thing']],
  Car: [['name'], ['next', 'Named']],
  Thing: [['__typename']],
}
const conditions = ['Named', 'Aged', 'Cat', 'Dog', 'Car', 'Thing']

/** A document whose fields each have a number of their own, and whose fragments are spread several times. */
function drawn(seed: number): string {
  const random = randomness(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const named = Array.from({ length: 4 }, () => pick(conditions))
  let number = 0
  const directive = (): string => {
    if (random() < 0.6) return ''
    const value = random() < 0.2 ? pick(['true', 'false']) : pick(['$a', '$b', '$c'])
    return ` @${pick(['skip', 'include'])}(if: ${value})`
  }
  /** Fragments spread only those with a higher number. */
  const set = (type: string, depth: number, from: number): string => {
    const selections = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      const roll = random()
      if (type !== 'Query' && depth > 0 && roll < 0.25) {
        const on = pick([...conditions, undefined])
        return `...${on === undefined ? '' : ` on ${on}`}${directive()} ${set(on ?? type, depth - 1, from)}`
      }
      if (type !== 'Query' && roll < 0.5 && from < named.length)
        return `...F${from + Math.floor(random() * (named.length - from))}${directive()}`
      const open = (fieldsOf[type] ?? []).filter(([, below]) => depth > 0 || below === undefined)
      const [name, below] = pick(open.length === 0 ? [['__typename'] as const] : open)
      number += 1
      const key = random() < 0.3 ? `${pick(['x', 'y'])}: ` : ''
      const argument = name === '__typename' ? '' : `(n: ${number})`
      return `${key}${name}${argument}${directive()}${below === undefined ? '' : ` ${set(below, depth - 1, from)}`}`
    })
    return `{ ${selections.join(' ')} }`
  }
  const fragments = named.map((type, index) => `fragment F${index} on ${type} ${set(type, 2, index + 1)}`)
  return [`query ($a: Boolean!, $b: Boolean!, $c: Boolean!) ${set('Query', 4, 0)}`, ...fragments].join('\n')
}

const numberOf = ({ arguments: given = [] }: Pick<FieldNode, 'arguments'>): string =>
  given.map((each) => print(each)).join()

type Said = Readonly<Record<string, readonly string[]>>

/** By graphql: the fields of each key, on objects of a type. */
function byGraphql(document: DocumentNode, variables: Record<string, unknown>) {
  const fragments = Object.fromEntries(fragmentsOf(document))
  return (type: GraphQLObjectType, sets: readonly SelectionSetNode[]) => {
    const set: SelectionSetNode = {
      kind: Kind.SELECTION_SET,
      selections: sets.flatMap(({ selections }) => selections),
    }
    return collectFields(schema, fragments, variables, type, set)
  }
}

function byNormalised(selections: readonly Selection[], type: string, variables: Record<string, unknown>) {
  const found = new Map<string, Set<Selection['field']>>()
  for (const { field, when, types } of selections) {
    if (when === undefined || !holds(when.all, variables) || !types.has(type)) continue
    found.set(field.key, (found.get(field.key) ?? new Set()).add(field))
  }
  return found
}

const objects = ['Cat', 'Dog', 'Car'].map((name) => schema.getType(name) as GraphQLObjectType)

function expectSame(text: string, variables: Record<string, unknown>): void {
  const document = parse(text)
  const collect = byGraphql(document, variables)
  const compare = (
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    selections: readonly Selection[],
    path: string,
  ): void => {
    const expected = collect(type, sets)
    const found = byNormalised(selections, type.name, variables)
    const said: Said = Object.fromEntries([...found].map(([key, all]) => [key, [...all].map(numberOf)]))
    expect({ path, said, keys: [...found.keys()] }).toEqual({
      path,
      said: Object.fromEntries([...expected].map(([key, nodes]) => [key, nodes.map(numberOf)])),
      keys: [...expected.keys()],
    })
    for (const [key, nodes] of expected) {
      const below = nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]))
      if (below.length === 0) continue
      const fields = [...(found.get(key) ?? [])]
      for (const each of objects) {
        // A field of an object that cannot stand there selects nothing here, and graphql is not asked.
        const possible = fields.every(({ output = '' }) => isPossible(output, each))
        if (possible)
          compare(
            each,
            below,
            fields.flatMap((field) => field.selections ?? []),
            `${path}.${key}<${each.name}>`,
          )
      }
    }
  }
  const operation = getOperationAST(document)
  const root = schema.getQueryType()
  if (operation == null || root == null) throw new Error('Expected one query.')
  compare(root, [operation.selectionSet], normaliseOver(schema, document, operation).selections, '')
}

function isPossible(output: string, type: GraphQLObjectType): boolean {
  const declared = schema.getType(output)
  if (declared === undefined) return false
  return isObjectType(declared)
    ? declared === type
    : schema.getPossibleTypes(declared as Parameters<typeof schema.getPossibleTypes>[0]).includes(type)
}

/** The first field of each name. */
function selectionsNamed(document: DocumentNode, ...names: readonly string[]): FieldNode[] {
  const found = new Map<string, FieldNode>()
  visit(document, {
    Field(node) {
      if (!found.has(node.name.value)) found.set(node.name.value, node)
    },
  })
  return names.flatMap((name) => found.get(name) ?? [])
}

describe('the normalised operation', () => {
  test('selects for every type and all variables what graphql collects', () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), fc.boolean(), fc.boolean(), (seed, a, b, c) =>
        expectSame(drawn(seed), { a, b, c }),
      ),
      { numRuns: 50 },
    )
  })

  test('has a field once that a fragment brings to several places, with one id', () => {
    const { selections, fields } = normalised(
      '{ cat { ...F ...F } aged { ...F @skip(if: true) } } fragment F on Named { name }',
    )
    expect(fields.map(({ id, name }) => `${id} ${name}`)).toEqual(['0 cat', '1 aged', '2 name'])
    const [cat, aged] = selections.map(({ field }) => field.selections ?? [])
    expect(cat?.map(({ field, on }) => [field.id, on])).toEqual([[2, ['Named']]])
    expect(aged?.map(({ field, when }) => [field.id, when])).toEqual([[2, undefined]])
  })

  test('says for which types and under which conditions a field is selected', () => {
    const { selections } = normalised(`
      query ($a: Boolean!, $b: Boolean!) {
        named { name ... on Aged @include(if: $a) { age ... on Thing @skip(if: $b) { ... on Named { next { name } } } } }
      }`)
    const [named] = selections
    expect(
      named?.field.selections?.map(({ field, types, on, when }) => [
        `${field.parent}.${field.name}`,
        types.names.join('|'),
        on.join(),
        when?.key,
      ]),
    ).toEqual([
      ['Named.name', 'Car|Cat|Dog', '', ''],
      ['Aged.age', 'Cat|Dog', 'Aged', '$a'],
      ['Named.next', 'Cat', 'Aged,Thing,Named', '$a !$b'],
    ])
  })

  test('says on which type a field is written, and between which fragments', () => {
    const { fields } = normalised(`{
      named { a: name ... on Dog { b: name ... { c: name ... on Named { d: name } } } ...F }
      ...R
      direct: cat { __typename name }
      fragments: cat { __typename ... on Cat { e: name } ...F }
      typed: cat { __typename }
    } fragment F on Cat { f: name } fragment R on Query { g: cat { h: name } }`)
    const found = new Map(fields.map((field) => [field.key, field]))
    const at = (key: string) => [found.get(key)?.parent, found.get(key)?.around.join()]
    expect(['named', 'a', 'b', 'c', 'd', 'f', 'g', 'h'].map(at)).toEqual([
      ['Query', 'Query'],
      ['Named', ''],
      ['Dog', 'Dog'],
      ['Dog', 'Dog'],
      ['Named', 'Dog,Named'],
      ['Cat', 'Cat'],
      ['Query', 'Query'],
      ['Cat', ''],
    ])
    expect(['direct', 'fragments', 'typed', 'a'].map((key) => found.get(key)?.selectsDirectly)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('keeps fields that are never selected, and fields that no object can have', () => {
    const { selections } = normalised(`
      query ($a: Boolean!) {
        aged { ... on Cat { ... on Dog { age } } ... @skip(if: $a) { name @include(if: $a) next @include(if: false) { name } } }
      }`)
    expect(
      selections[0]?.field.selections?.map(({ field, types, when }) => [
        field.name,
        types.names.length,
        when?.key,
      ]),
    ).toEqual([
      ['age', 0, ''],
      ['name', 2, undefined],
      ['next', 2, undefined],
    ])
  })

  test('is as large as the document if fragments spread each other twice', () => {
    const nested = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Cat { ...F${index + 1} ...F${index + 1} }`,
    )
    const { selections, fields } = normalised(
      `{ cat { ...F0 } } ${nested.join(' ')} fragment F60 on Cat { age }`,
    )
    expect(fields.length).toBe(2)
    expect(selections[0]?.field.selections?.map(({ field }) => field.name)).toEqual(['age'])
  })

  test('says for each type what it selects, if a document shares the nodes of its fields', () => {
    const document = parse('{ named { ... on Dog { next { next { name } } } ... on Car { name } } }')
    const [dog, name] = selectionsNamed(document, 'next', 'name')
    const shared = (below: SelectionNode): FieldNode => ({
      ...(dog as FieldNode),
      selectionSet: {
        kind: Kind.SELECTION_SET,
        selections: ['Dog', 'Car'].map((type) => ({
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } },
          selectionSet: { kind: Kind.SELECTION_SET, selections: [below] },
        })),
      },
    })
    const over = (node: FieldNode) => {
      const [operation] = parse('{ named { name } }').definitions
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('Expected an operation.')
      const named = { ...operation.selectionSet.selections[0], selectionSet: node.selectionSet } as FieldNode
      const copy = { ...operation, selectionSet: { ...operation.selectionSet, selections: [named] } }
      return normaliseOver(schema, { kind: Kind.DOCUMENT, definitions: [copy] }, copy)
    }
    const [named] = over(shared(dog as FieldNode)).selections
    expect(
      named?.field.selections?.map(({ field, on }) => [
        on.join(),
        field.parent,
        field.output,
        ...(field.selections ?? []).map((each) => `${each.field.parent} ${each.types.names.join('|')}`),
      ]),
    ).toEqual([
      ['Dog', 'Dog', 'Cat', 'Cat Cat'],
      ['Car', 'Car', 'Named', 'Named Car|Cat|Dog'],
    ])
    // If every level does that, the paths are more than anybody could count.
    let nested = name as FieldNode
    for (let level = 0; level < 60; level++) nested = shared(nested)
    expect(() => over(nested)).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'OPERATION_TOO_LARGE' }) }),
    )
  })

  test('is refused if its fragments bring too much to too many places', () => {
    const some = Array.from({ length: 300 }, (_, index) => `k${index}: name`).join(' ')
    const places = Array.from({ length: 300 }, (_, index) => `c${index}: cat { ...F }`).join(' ')
    const refused = expect.objectContaining({
      extensions: expect.objectContaining({ code: 'OPERATION_TOO_LARGE' }),
    })
    expect(() => normalised(`{ ${places} } fragment F on Cat { ${some} }`)).toThrow(refused)
    // Each set of conditions would be a selection of its own.
    const variables = Array.from({ length: 17 }, (_, index) => `$v${index}: Boolean!`)
    const nested = Array.from(
      { length: 17 },
      (_, index) =>
        `fragment F${index} on Cat { ...F${index + 1} ...F${index + 1} @include(if: $v${index}) }`,
    )
    expect(() =>
      normalised(
        `query (${variables.join(' ')}) { cat { ...F0 } } ${nested.join(' ')} fragment F17 on Cat { age }`,
      ),
    ).toThrow(refused)
  })
})
