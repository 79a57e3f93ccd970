/** The text of a fetch in a plan. */
import { describe, expect, test } from 'vitest'
import { eachFetch, printPlan } from '../../../../engine/planner/index.ts'
import { planning } from '../../../support/plans.ts'

/** The lines of the only fetch: its text, and which keys of its answer are renamed. */
const linesOf = (plan: ReturnType<typeof planning>, query: string): readonly string[] =>
  printPlan(plan(query))
    .split('\n')
    .slice(1)
    .map((line) => line.trim())

describe('fields of one key whose types differ in the subgraph', () => {
  // What the other subgraph gives may be null, and so it may in the supergraph.
  const plan = planning({
    a: `type Query { items: [U] } union U = X | Y | Z | W
      type X { v: Int! @shareable list: [Int!]! @shareable in: N @shareable must: N! @shareable }
      type Y { v: Int list: [Int]! @shareable in: M must: M }
      type Z { v: Int! @shareable list: [Int] in: N must: N! @shareable }
      type W { v: Int list: [Int]! @shareable }
      type N { w: Int! @shareable n: Int c: C u: V } type M { w: Int n: Int c: D u: V }
      type C { d: Int! @shareable e: Int } type D { d: Int e: Int }
      union V = P | Q type P { w: Int! @shareable } type Q { w: Int }`,
    b: `type X { v: Int @shareable list: [Int] @shareable in: N @shareable must: N @shareable }
      type Y { list: [Int] @shareable } type W { list: [Int] @shareable }
      type Z { v: Int @shareable must: N @shareable } type N { w: Int @shareable }
      type C { d: Int @shareable } type P { w: Int @shareable }`,
  })
  const items = (field: string, ...types: readonly string[]) =>
    linesOf(plan, `{ items { ${types.map((type) => `... on ${type} { ${field} }`).join(' ')} } }`)

  test('have aliases, equal ones if they may be siblings', () => {
    const [text, ...renames] = items('v', 'X', 'Y', 'Z', 'W')
    expect(text).toBe(
      '{ items { __typename ... on X { v } ... on Y { _r1_v: v } ... on Z { v } ... on W { _r1_v: v } } }',
    )
    expect(new Set(renames)).toEqual(new Set(['answer: items._r1_v -> v']))
  })

  test('have another alias for each kind of list', () => {
    const [text, ...renames] = items('list', 'X', 'Y', 'Z', 'W')
    expect(text).toBe(
      '{ items { __typename ... on X { list } ... on Y { _r1_list: list } ... on Z { _r2_list: list } ... on W { _r1_list: list } } }',
    )
    expect(new Set(renames)).toEqual(
      new Set(['answer: items._r1_list -> list', 'answer: items._r2_list -> list']),
    )
  })

  test('have aliases if fields below them differ, at any depth', () => {
    expect(items('in { w n }', 'X', 'Y')).toEqual([
      '{ items { __typename ... on X { in { w n } } ... on Y { _r1_in: in { w n } } } }',
      'answer: items._r1_in -> in',
    ])
    expect(items('in { n c { e d } }', 'X', 'Y', 'Z')).toEqual([
      '{ items { __typename ... on X { in { n c { e d } } } ... on Y { _r1_in: in { n c { e d } } } ... on Z { in { n c { e d } } } } }',
      'answer: items._r1_in -> in',
    ])
  })

  test('have none if all selections below are equal', () => {
    expect(items('in { n c { e } }', 'X', 'Y')).toEqual([
      '{ items { __typename ... on X { in { n c { e } } } ... on Y { in { n c { e } } } } }',
    ])
    expect(linesOf(plan, '{ items { ... on X { in { n } } ... on Y { in { m: n } } } }')).toEqual([
      '{ items { __typename ... on X { in { n } } ... on Y { in { m: n } } } }',
    ])
    expect(linesOf(plan, '{ items { ... on X { in { o: n } } ... on Y { in { w } } } }')).toHaveLength(1)
  })

  test('have aliases if only one of them is non-null', () => {
    expect(items('must { n }', 'X', 'Y', 'Z')).toEqual([
      '{ items { __typename ... on X { must { n } } ... on Y { _r1_must: must { n } } ... on Z { must { n } } } }',
      'answer: items._r1_must -> must',
    ])
  })

  test('are renamed from the innermost out, by the keys of the answer', () => {
    expect(items('must { u { ... on P { w } ... on Q { w } } }', 'X', 'Y')).toEqual([
      '{ items { __typename ... on X { must { u { __typename ... on P { w } ... on Q { _r1_w: w } } } } ... on Y { _r1_must: must { u { __typename ... on P { w } ... on Q { _r1_w: w } } } } } }',
      'answer: items.must.u._r1_w -> w',
      'answer: items._r1_must.u._r1_w -> w',
      'answer: items._r1_must -> must',
    ])
    const [, ...renames] = linesOf(
      plan,
      '{ items { ... on X { v } ... on Y { v } } more: items { ... on X { must { u { ... on P { w } ... on Q { w } } } } } }',
    )
    expect(renames).toEqual(['answer: more.must.u._r1_w -> w', 'answer: items._r1_v -> v'])
  })

  test('have an alias that is made of their key', () => {
    expect(items('k: v', 'X', 'Y')).toEqual([
      '{ items { __typename ... on X { k: v } ... on Y { _r1_k: v } } }',
      'answer: items._r1_k -> k',
    ])
  })
})

const mark = 'directive @mark(tag: String) on FIELD | INLINE_FRAGMENT'
const plan = planning({
  a: `${mark} input I { a: Int l: [Int] i: I } enum E { A }
    type Query { item(i: I, l: [Int], e: E): Item media: [Media] film: Film }
    type Mutation { m(n: Int): Item k: Item }
    interface Media { id: ID film: Film other: Media }
    type Film implements Media { id: ID film: Film other: Media m: Int }
    type Song implements Media { id: ID film: Film other: Media }
    type Item { x: Int y: Int z(n: Int): Int item: Item }`,
  b: `${mark} type Query { b: Int }`,
})
const textsOf = (query: string): readonly string[] => {
  const texts: string[] = []
  eachFetch(plan(query), ({ operation }) => texts.push(operation.text))
  return texts
}

describe('the variables of a fetch', () => {
  test('are those that its arguments have, however deep, and no others', () => {
    expect(
      textsOf(
        'query($a: Int, $b: Int, $c: Int, $d: Int, $e: [Int], $f: E, $o: Boolean!) { item(i: { a: $a, l: [1, $b], i: { a: $c } }, l: $e, e: $f) { z(n: $d) } b @skip(if: $o) }',
      ),
    ).toEqual([
      'query($a: Int, $b: Int, $c: Int, $d: Int, $e: [Int], $f: E) { item(i: {a: $a, l: [1, $b], i: {a: $c}}, l: $e, e: $f) { z(n: $d) } }',
      '{ b }',
    ])
  })

  test('are those of directives on fields and around them', () => {
    expect(
      textsOf(
        'query($t: String, $long_1: String, $w: Boolean!, $v: String) { item { x @mark(tag: $t) ... @mark(tag: $long_1) @include(if: $w) { y @mark(tag: $v) z } } }',
      ),
    ).toEqual([
      'query($t: String, $long_1: String, $w: Boolean!, $v: String) { item { x @mark(tag: $t) ... @include(if: $w) { ... @mark(tag: $long_1) { y @mark(tag: $v) z } } } }',
    ])
  })
})

describe('conditions', () => {
  test('surround a field for each way in which it is selected, below it only the remaining ones', () => {
    expect(
      textsOf(
        'query($a: Boolean!, $b: Boolean!) { item @include(if: $a) { x } item @include(if: $b) { y } }',
      ),
    ).toEqual([
      'query($a: Boolean!, $b: Boolean!) { ... @include(if: $a) { item { x ... @include(if: $b) { y } } } ... @include(if: $b) { item { ... @include(if: $a) { x } y } } }',
    ])
  })

  test('that exclude the conditions around a field remove it', () => {
    expect(
      textsOf(
        'query($a: Boolean!, $b: Boolean!) { item @include(if: $a) { x } ... @include(if: $b) { item @skip(if: $a) { y item { x } } } }',
      ),
    ).toEqual([
      'query($a: Boolean!, $b: Boolean!) { ... @include(if: $a) { item { x } } ... @include(if: $b) @skip(if: $a) { item { y item { x } } } }',
    ])
  })

  test('have each directive once in one place', () => {
    expect(
      textsOf(
        'query($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) { item { x @include(if: $a) @skip(if: $b) ... @include(if: $c) { y @include(if: $d) } } }',
      ),
    ).toEqual([
      'query($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) { item { ... @include(if: $a) @skip(if: $b) { x } ... @include(if: $c) { ... @include(if: $d) { y } } } }',
    ])
  })

  test('stand once around all fields that have them', () => {
    expect(
      textsOf(
        'query($a: Boolean!) { item { x @include(if: $a) y item @include(if: $a) { x } ... @include(if: $a) { x } } }',
      ),
    ).toEqual(['query($a: Boolean!) { item { ... @include(if: $a) { x item { x } } y } }'])
  })
})

test('the fields of a mutation stay in their order; the fields below them may move', () => {
  expect(
    textsOf(
      'mutation($a: Boolean!) { m(n: 1) @include(if: $a) { x } n: m(n: 2) { x } k @include(if: $a) { x } o: k @include(if: $a) { x } l: k { x @skip(if: $a) y z @skip(if: $a) } }',
    ),
  ).toEqual([
    'mutation($a: Boolean!) { ... @include(if: $a) { m(n: 1) { x } } n: m(n: 2) { x } ... @include(if: $a) { k { x } o: k { x } } l: k { ... @skip(if: $a) { x z } y } }',
  ])
})

describe('the type of an object', () => {
  test('is requested once if it is one of several, and nowhere else', () => {
    expect(linesOf(plan, '{ media { id } film { id film { id __typename } other { m: id } } }')).toEqual([
      '{ media { __typename id } film { id film { id } other { __typename m: id } } }',
    ])
    expect(linesOf(plan, '{ media { __typename } }')).toEqual(['{ media { __typename } }'])
    expect(linesOf(plan, '{ media { kind: __typename other { id kind: __typename } } }')).toEqual([
      '{ media { __typename other { __typename id } } }',
    ])
  })

  test('stands around fields that only some have, or that are selected of some', () => {
    expect(linesOf(plan, '{ media { id ... on Film { m id } ... on Song { id other { id } } } }')).toEqual([
      '{ media { __typename id ... on Film { m id } ... on Song { id other { __typename id } } } }',
    ])
  })
})
