/**
 * Random valid operations and random scopes against an oracle that knows nothing of filtering: it runs the
 * whole operation, and refuses, value by value, what the rules say.
 */

import fc from 'fast-check'
import { type DocumentNode, execute, getNamedType, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { campaignSize } from '../../../support/campaign-size.ts'
import { documentOf, normalisedOf, placesOf } from '../../../support/normalised.ts'
import { answer, caller, filteredFor, resolverOf, stage } from './kit.ts'
import {
  directiveFor,
  isEmptied,
  isHidden,
  judged,
  keysOf,
  meeting,
  operationsOn,
  type PlainRules,
  sameButEmptied,
  type World,
} from './oracle.ts'

/** Rules as plain data, so that the oracle reads nothing that the authorizer reads. */
const rules: PlainRules = {
  'Query.guarded': [['a']],
  'Person.email': [['a'], ['b', 'c']],
  'Person.boss': [['b']],
  'Robot.name': [['c']],
  'Robot.parts': [['a', 'b']],
  'Group.members': [['c'], ['a']],
  Secret: [['b'], ['c']],
  Robot: [['a'], ['b'], ['c']],
  Vault: [['a', 'c']],
  Level: [['c']],
}
const rule = directiveFor(rules)

const on = stage(`
  interface Named { name: String  also: Named }
  interface Being implements Named { name: String  also: Named  friends: [Being!]!  level: Level }
  type Query { being: Being!  named: Named  anything: Any  people: [Person!]!  all: [Any]  guarded: Group ${rule('Query.guarded')}  vault: Vault }
  type Person implements Being & Named {
    name: String  also: Named  friends: [Being!]!  level: Level  email: String ${rule('Person.email')}  boss: Person ${rule('Person.boss')}  group: Group!  thing: Any
  }
  type Robot implements Being & Named ${rule('Robot')} {
    name: String ${rule('Robot.name')}  also: Named  friends: [Being!]!  level: Level  parts: [Part!]! ${rule('Robot.parts')}
  }
  type Group implements Named { name: String  also: Named  members: [Being] ${rule('Group.members')}  size: Int! }
  type Part { label: String!  secret: Secret  of: Robot }
  type Vault ${rule('Vault')} { secret: Secret  open: Int }
  union Any = Person | Robot | Part | Vault
  scalar Secret ${rule('Secret')}
  enum Level ${rule('Level')} { HIGH LOW }
`)
const { schema } = on
const data = resolverOf(schema)
// An enum's value must be one of its own.
const resolve: typeof data = (source, args, context, info) =>
  String(getNamedType(info.returnType)) === 'Level' ? 'LOW' : data(source, args, context, info)

const world: World = { schema, rules, resolve, typeOf: (value) => (value as { type: string }).type }

const everyScope = fc.subarray(['a', 'b', 'c'])

const filtered = (document: DocumentNode, scopes: readonly string[]) =>
  filteredFor(on, document, caller(...scopes))

it('names what a caller lacks if only type names of a refused type are selected', () => {
  const document = parse('{ named { ... on Robot { __typename } } }')
  const { allowed, refusals } = filtered(document, [])
  expect(allowed).toBeNull()
  const { data, errors } = answer(on, document, { allowed, refusals }, resolve)
  expect(data).toEqual({ named: null })
  expect(errors).toEqual([{ path: ['named', '__typename'], code: 'UNAUTHORIZED_FIELD_OR_TYPE' }])
})

describe('random operations with random scopes', () => {
  it('answer as the rules say, with an error at each refused path, and nothing else changed', () => {
    fc.assert(
      fc.property(operationsOn(schema, true), everyScope, (text, scopes) => {
        const document = parse(text)
        const result = filtered(document, scopes)
        const expected = judged(world, document, scopes)
        for (const reading of ['every', 'some'] as const) {
          const ours = answer(on, document, result, resolve, reading)
          expect(ours.data).toEqual(expected.data)
          expect(ours.errors).toEqual(expected.errors)
        }
        if (scopes.length === 3) expect(expected.data).toEqual(judged(world, document, [], false).data)
      }),
      { numRuns: campaignSize(1000) },
    )
  })

  it('are allowed to run only what is valid and what every value of it is open for', () => {
    fc.assert(
      fc.property(operationsOn(schema, false), everyScope, (text, scopes) => {
        const { allowed } = filtered(parse(text), scopes)
        if (allowed === null) return
        const document = documentOf(allowed)
        expect(validate(schema, document)).toEqual([])
        expect(placesOf(allowed)).toEqual(placesOf(normalisedOf(schema, document)))
        const meets = meeting(rules, scopes)
        const { errors } = execute({
          schema,
          document,
          typeResolver: (value) => (value as { type: string }).type,
          fieldResolver: (source, args, context, info) => {
            const { parentType, fieldName, returnType } = info
            for (const place of [
              parentType.name,
              `${parentType.name}.${fieldName}`,
              getNamedType(returnType).name,
            ])
              expect(meets(place), `${place} in ${text}`).toBe(true)
            return resolve(source, args, context, info)
          },
        }) as { errors?: unknown }
        expect(errors).toBeUndefined()
      }),
      { numRuns: campaignSize(1000) },
    )
  })

  it('without __typename differ only if an object has nothing left to request', () => {
    fc.assert(
      fc.property(operationsOn(schema, false), everyScope, (text, scopes) => {
        const document = parse(text)
        const result = filtered(document, scopes)
        const expected = judged(world, document, scopes)
        const ours = answer(on, document, result, resolve)
        expect(
          sameButEmptied(ours.data, expected.data),
          JSON.stringify([text, ours.data, expected.data]),
        ).toBe(true)
        // Every refused path is named, without list positions if there is no data to count in, unless the
        // null of another refusal has gone up past it.
        const named = new Set(ours.errors.map(({ path }) => keysOf(path)))
        for (const { path } of expected.errors)
          if (!named.has(keysOf(path))) expect(isHidden(ours.data, path) && named.size > 0, text).toBe(true)
        if (result.allowed === null) expect(isEmptied(expected.data)).toBe(true)
      }),
      { numRuns: campaignSize(1000) },
    )
  })
})
