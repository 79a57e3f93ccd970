/** The algebra of `@skip` and `@include`, held against every value of the variables. */
import '../../support/seed.ts'
import fc from 'fast-check'
import { executeSync, type FieldNode, GraphQLInt, GraphQLObjectType, GraphQLSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import {
  anyHolds,
  both,
  type Condition,
  conditionsOf,
  holds,
  implies,
  isIncluded,
} from '../../../shared/graphql/conditions.ts'

const names = ['a', 'b', 'c']
const worlds = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
  Object.fromEntries(names.map((name, at) => [name, (bits & (1 << at)) !== 0])),
)

/** A conjunction has each variable once. */
const conjunctions = fc.uniqueArray(fc.record({ variable: fc.constantFrom(...names), value: fc.boolean() }), {
  selector: ({ variable }: Condition) => variable,
})

test('both holds exactly if each of the two does, and is undefined exactly if they exclude each other', () => {
  fc.assert(
    fc.property(conjunctions, conjunctions, (some, more) => {
      const joined = both(some, more)
      const wanted = worlds.map((world) => holds(some, world) && holds(more, world))
      expect(worlds.map((world) => joined !== undefined && holds(joined, world))).toEqual(wanted)
      expect(joined === undefined).toBe(!wanted.includes(true))
      expect(new Set(joined?.map(({ variable }) => variable)).size).toBe(joined?.length ?? 0)
      // Nothing is added: the same list.
      if (joined?.length === some.length) expect(joined).toBe(some)
    }),
  )
})

test('one implies the other exactly if it holds nowhere without it', () => {
  fc.assert(
    fc.property(conjunctions, conjunctions, (strong, weak) => {
      expect(implies(strong, weak)).toBe(worlds.every((world) => !holds(strong, world) || holds(weak, world)))
      expect(implies(strong, weak)).toBe(both(strong, weak) === strong)
    }),
  )
})

test('any of several holds if one of them does; without a list it always does', () => {
  fc.assert(
    fc.property(fc.array(conjunctions, { maxLength: 3 }), fc.constantFrom(...worlds), (any, world) => {
      expect(anyHolds(any, world)).toBe(any.some((all) => holds(all, world)))
    }),
  )
  expect(anyHolds(undefined, {})).toBe(true)
})

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { x: { type: GraphQLInt, resolve: () => 1 } } }),
})
const condition = fc.constantFrom('true', 'false', ...names.map((name) => `$${name}`))
const directives = fc
  .record({ skip: fc.option(condition), include: fc.option(condition), skipsFirst: fc.boolean() })
  .map(({ skip, include, skipsFirst }) => {
    const all = [
      ...(skip === null ? [] : [`@skip(if: ${skip})`]),
      ...(include === null ? [] : [`@include(if: ${include})`]),
    ]
    return (skipsFirst ? all : all.reverse()).join(' ')
  })

test('a field is selected if graphql selects it', () => {
  fc.assert(
    fc.property(directives, conjunctions, fc.constantFrom(...worlds), (text, outer, world) => {
      const source = `query (${names.map((name) => `$${name}: Boolean!`).join(' ')}) { x ${text} }`
      const document = parse(source)
      const [operation] = document.definitions
      if (operation?.kind !== 'OperationDefinition') throw new Error('no operation')
      const field = operation.selectionSet.selections[0] as FieldNode
      const { data, errors } = executeSync({ schema, document, variableValues: world })
      expect(errors).toBeUndefined()
      const isSelected = data?.x === 1
      expect(isIncluded(field, world)).toBe(isSelected)
      const own = conditionsOf(field, outer)
      expect(own !== undefined && holds(own, world)).toBe(isSelected && holds(outer, world))
    }),
  )
})
