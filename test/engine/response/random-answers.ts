/** A schema with every kind of output type, and answers of a subgraph to any operation on it. */
import {
  buildSchema,
  type DocumentNode,
  executeSync,
  getNamedType,
  isAbstractType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { randomness } from '../../support/random-operation.ts'

export const schema = buildSchema(`
  scalar JSON
  enum Colour { RED GREEN BLUE }
  interface Thing { id: ID!, text: String, near: [Thing!] }
  type Box implements Thing { id: ID!, text: String, near: [Thing!], size: Int!, lid: Lid, rows: [[Float]!] }
  type Bag implements Thing { id: ID!, text: String, near: [Thing!], colour: Colour!, free: JSON }
  type Lid { open: Boolean!, box: Box!, any: Any, free: [JSON!] }
  union Any = Box | Lid
  type Query { thing: Thing, box: Box!, any: [Any], text: String!, count: Int, free: JSON, weight: Float }
`)

/** What the planner asks for: the client's selection, and each object's type if there may be several. */
export function asked(document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema)
  return visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet(set) {
        const [first] = set.selections
        const isFirst =
          first?.kind === 'Field' &&
          first.name.value === '__typename' &&
          first.alias === undefined &&
          first.directives?.length === 0
        if (!isAbstractType(getNamedType(types.getType())) || isFirst) return undefined
        return {
          ...set,
          selections: [{ kind: 'Field', name: { kind: 'Name', value: '__typename' } }, ...set.selections],
        }
      },
    }),
  )
}

const texts = ['', 'plain', 'quo"te\\', 'línea\n', '—😀', '\u2028', '<b>', '__proto__']

/** What a subgraph with some things in it answers to a document, as JSON; the same for the same seed. */
export function answer(document: DocumentNode, variables: Record<string, unknown>, seed: number): string {
  const random = randomness(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const some =
    <T>(make: () => T) =>
    (): T | null =>
      random() < 0.2 ? null : make()
  const many =
    <T>(make: () => T, most: number) =>
    () =>
      Array.from({ length: random() * most }, make)
  let depth = 0
  const text = some(() => pick(texts))
  const free = (): unknown => pick([1, 'é', true, { a: [{}] }, [[], 1.5], '', -0.5e-7])
  const thing = (): object => (depth++ > 12 || random() < 0.5 ? bag() : box())
  const near = some(() => (depth > 12 ? [] : many(thing, 3)()))
  const bag = () => ({
    ...{ __typename: 'Bag', id: () => pick(['1', 'é"']), text, near },
    ...{ colour: () => pick(['RED', 'GREEN']), free: some(free) },
  })
  const box = (): object => ({
    ...{ __typename: 'Box', id: '2', text, near, size: () => pick([0, -5, 2 ** 31 - 1, -(2 ** 31)]) },
    ...{
      lid: some(lid),
      rows: some(
        many(
          many(
            some(() => pick([0, 1.25, -1e21, 1e-9])),
            3,
          ),
          3,
        ),
      ),
    },
  })
  const lid = (): object => ({
    __typename: 'Lid',
    open: () => random() < 0.5,
    box,
    any: some(any),
    free: many(free, 3),
  })
  const any = (): object => (random() < 0.5 ? box() : lid())
  const rootValue = {
    ...{ thing: some(thing), box, any: some(many(some(any), 4)), text: () => pick(texts) },
    ...{ count: some(() => 7), free: some(free), weight: some(() => 0.1) },
  }
  return JSON.stringify(executeSync({ schema, document, variableValues: variables, rootValue }))
}
