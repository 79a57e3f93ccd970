/**
 * The same rules through the whole engine: two subgraphs with entities between them, composed, planned, fetched
 * and put together. Data depends on the object alone, so every way to it gives the same.
 */
import fc from 'fast-check'
import {
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isObjectType,
  parse,
  printSchema,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../../../gateway/auth/authorize/index.ts'
import { createAuthorizer } from '../../../../gateway/auth/authorize/index.ts'
import { campaignSize } from '../../../support/campaign-size.ts'
import {
  executableSchema,
  type Federation,
  type Resolvers,
  startFederation,
} from '../../../support/federation.ts'
import { normalisedOf } from '../../../support/normalised.ts'
import { randomOperation } from '../../../support/random-operation.ts'
import { analyze, answer, caller, hash, line, outcomeOf, type Stage } from './kit.ts'
import {
  directiveFor,
  isEmptied,
  judged,
  keysOf,
  operationsOn,
  type PlainRules,
  sameButEmptied,
  type World,
} from './oracle.ts'

const rules: PlainRules = {
  'Query.guarded': [['a']],
  'Person.email': [['a'], ['b', 'c']],
  'Person.boss': [['b']],
  'Robot.parts': [['a', 'b']],
  'Group.members': [['c'], ['a']],
  // A key: the planner needs it, the caller may not see it.
  'Group.code': [['c']],
  'Part.secret': [['b']],
  Vault: [['a', 'c'], ['b']],
  Hidden: [['b'], ['c']],
  Level: [['c']],
}
const rule = directiveFor(rules)

const shared = `
  interface Named { name: String  also: Named }
  interface Being implements Named { name: String  also: Named  friends: [Being!]! }
`
const core = `
  ${shared}
  type Query {
    being: Being!  named: Named  anything: Any  people: [Person!]!  all: [Any]  guarded: Group ${rule('Query.guarded')}  vault: Vault  group: Group!
  }
  type Person implements Being & Named @key(fields: "id") {
    id: ID!  name: String  also: Named  friends: [Being!]!  level: Level  group: Group!  thing: Any
  }
  type Robot implements Being & Named @key(fields: "id") { id: ID!  name: String  also: Named  friends: [Being!]!  level: Level }
  type Group implements Named @key(fields: "code") { code: ID! ${rule('Group.code')}  name: String  also: Named  members: [Being] ${rule('Group.members')} }
  type Vault ${rule('Vault')} { hidden: Hidden  open: Int }
  type Part @key(fields: "id") { id: ID! }
  union Any = Person | Robot | Part | Vault
  scalar Hidden ${rule('Hidden')}
  enum Level ${rule('Level')} { HIGH LOW }
`
const more = `
  type Person @key(fields: "id") { id: ID!  email: String ${rule('Person.email')}  boss: Person ${rule('Person.boss')} }
  type Robot @key(fields: "id") { id: ID!  parts: [Part!]! ${rule('Robot.parts')} }
  type Group @key(fields: "code") { code: ID! ${rule('Group.code')}  size: Int! }
  type Part @key(fields: "id") { id: ID!  label: String!  secret: Int ${rule('Part.secret')}  of: Robot }
`

interface Thing {
  readonly __typename: string
  readonly id: string
}

const objects: Readonly<Record<string, readonly string[]>> = {
  Any: ['Person', 'Robot', 'Part', 'Vault'],
  Being: ['Person', 'Robot'],
  Named: ['Person', 'Robot', 'Group'],
}

const resolve: GraphQLFieldResolver<unknown, unknown> = (source, _, __, info) => {
  const { __typename = 'Query', id = '0' } = (source ?? {}) as Partial<Thing>
  const value = (type: string, seed: string): unknown => {
    if (type.endsWith('!')) return value(type.slice(0, -1), seed)
    if (type.startsWith('[')) return [0, 1].map((index) => value(type.slice(1, -1), `${seed}.${index}`))
    const number = hash(seed)
    const choice = objects[type]
    if (choice !== undefined) return { __typename: choice[number % choice.length], id: String(number % 9) }
    if (isObjectType(info.schema.getType(type))) return { __typename: type, id: String(number % 9) }
    if (isEnumType(info.schema.getType(type))) return number % 2 === 0 ? 'HIGH' : 'LOW'
    return type === 'Int' ? number % 1000 : `${type} of ${seed}`
  }
  if (info.fieldName === 'id') return id
  if (info.fieldName === 'code') return `c${id}`
  return value(String(info.returnType), `${__typename} ${id} ${info.fieldName}`)
}

/** The same resolver for every field of an SDL. */
function resolversFor(schema: GraphQLSchema): Resolvers {
  const resolvers: Resolvers = {}
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('_')) continue
    if (isAbstractType(type)) resolvers[type.name] = { __resolveType: (value: Thing) => value.__typename }
    if (!isObjectType(type)) continue
    const fields = Object.keys(type.getFields()).filter((name) => !name.startsWith('_'))
    resolvers[type.name] = {
      ...Object.fromEntries(fields.map((name) => [name, resolve])),
      ...(type.name === 'Query'
        ? {}
        : {
            __resolveReference: ({ id, code }: { id?: string; code?: string }): Thing => ({
              __typename: type.name,
              id: id ?? String(code).slice(1),
            }),
          }),
    }
  }
  return resolvers
}

const plain = (sdl: string): GraphQLSchema =>
  executableSchema(
    sdl.replace(/@\w+(\([^)]*\))?/g, '').replace(/^\s*type (Person|Robot|Group|Part) \{/m, 'type $1 {'),
    {},
  )

let federation: Federation
let world: World
let lenient: World
let on: Stage
beforeAll(async () => {
  federation = await startFederation({
    core: { sdl: core, resolvers: resolversFor(plain(core)) },
    more: { sdl: more, resolvers: resolversFor(plain(`${more} type Query { x: Int }`)) },
  })
  const { supergraph } = federation
  const schema = supergraph.apiSchema
  on = { supergraph: supergraph.document, schema, authorizer: createAuthorizer(supergraph.document, schema) }
  const typeOf = (value: unknown) => (value as Thing).__typename
  world = { schema, rules, resolve, typeOf, summedUp: true }
  // If everything may be null, no null takes the errors of others along.
  lenient = { ...world, schema: executableSchema(printSchema(schema).replace(/!/g, ''), {}) }
})
afterAll(() => federation[Symbol.asyncDispose]())

function refusing(scopes: readonly string[]) {
  return (document: ReturnType<typeof parse>) => {
    const requirements = analyze(on, document)
    const grant = requirements.grant(caller(...scopes)) as Grant
    return outcomeOf(on, document, requirements.filter(grant), grant)
  }
}

const everyScope = fc.subarray(['a', 'b', 'c'])
const codes = (errors: readonly { extensions: Record<string, unknown> }[]) => [
  ...new Set(errors.map(({ extensions }) => extensions.code)),
]

describe('through the engine', () => {
  it('random operations answer as the rules say, with an error at each refused path, and nothing else changed', async () => {
    await fc.assert(
      fc.asyncProperty(operationsOn(world.schema, true), everyScope, async (text, scopes) => {
        const document = parse(text)
        const { data, errors } = await federation.run(text, {}, { refuse: refusing(scopes) })
        const expected = judged(world, document, scopes)
        expect(data, text).toEqual(expected.data)
        expect(codes(errors)).toEqual(errors.length > 0 ? ['UNAUTHORIZED_FIELD_OR_TYPE'] : [])
        const paths = new Set(errors.map(({ path }) => path?.join('.')))
        const all = new Set(judged(lenient, document, scopes).errors.map(({ path }) => path.join('.')))
        for (const path of paths) expect(all, text).toContain(path)
        if (expected.data !== null)
          for (const { path } of expected.errors) expect(paths, text).toContain(path.join('.'))
      }),
      { numRuns: campaignSize(500) },
    )
  })

  it('and without __typename differ only if an object has nothing left to request', async () => {
    await fc.assert(
      fc.asyncProperty(operationsOn(world.schema, false), everyScope, async (text, scopes) => {
        federation.reset()
        const refuse = refusing(scopes)
        const { data, errors } = await federation.run(text, {}, { refuse })
        const expected = judged(world, parse(text), scopes)
        expect(sameButEmptied(data, expected.data), JSON.stringify([text, data, expected.data])).toBe(true)
        const named = new Set(errors.map(({ path }) => keysOf(path ?? [])))
        if (data !== null)
          for (const { path } of expected.errors)
            expect(
              [...named].some((name) => keysOf(path).startsWith(name) || name.startsWith(keysOf(path))),
              text,
            ).toBe(true)
        if (refuse(parse(text)).allowed !== null) return
        expect(federation.fetched).toEqual([])
        expect(isEmptied(expected.data)).toBe(true)
      }),
      { numRuns: campaignSize(500) },
    )
  })

  it('conditions on fields, refused or not, do not change who may see what', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ seed: fc.integer({ min: 0 }), size: fc.integer({ min: 1, max: 25 }) }),
        everyScope,
        async (options, scopes) => {
          const operation = randomOperation(world.schema, options)
          fc.pre(operation !== undefined)
          const { query, variables } = operation!
          const filtered = refusing(scopes)(parse(query))
          const document = parse(query)
          const { data } = await federation.run(query, variables, { refuse: refusing(scopes) })
          const again = refusing(scopes)(document)
          expect(again.text).toBe(filtered.text)
          const expected = answer(on, document, again, resolve, 'every', variables)
          expect(data, query).toEqual(expected.data)
        },
      ),
      { numRuns: campaignSize(500) },
    )
  })
})

describe('fields that a plan needs and the caller may not see', () => {
  const query = '{ group { name size } }'

  it('is fetched if an allowed field depends on it, and not shown', async () => {
    federation.reset()
    const { data, errors } = await federation.run(query, {}, { refuse: refusing([]), once: true })
    expect(errors).toEqual([])
    expect(Object.keys(data.group)).toEqual(['name', 'size'])
    expect(federation.fetched.map(({ service }) => service)).toEqual(['core', 'more'])
    expect(federation.fetched[0]?.text).toContain('code')
  })

  it('is null with an error if it is selected too', async () => {
    const asked = '{ group { name size x: code } }'
    const { data, errors } = await federation.run(asked, {}, { refuse: refusing([]) })
    expect(data).toBeNull()
    expect(errors.map(({ path }) => path)).toEqual([['group', 'x']])
  })

  it('is not fetched for fields that are refused themselves', async () => {
    federation.reset()
    const { data } = await federation.run(
      '{ people { name email boss { name } } }',
      {},
      { refuse: refusing([]), once: true },
    )
    expect(federation.fetched.map(({ service, text }) => [service, line(text)])).toEqual([
      ['core', expect.not.stringContaining('id')],
    ])
    expect(data.people[0]).toEqual({ name: expect.any(String), email: null, boss: null })
  })
})

describe('names of objects themselves', () => {
  it('are response keys like others', async () => {
    const { data, errors } = await federation.run(
      '{ __proto__: people { constructor: name  hasOwnProperty: email } toString: guarded { __typename } }',
      {},
      { refuse: refusing([]) },
    )
    expect(Object.keys(data)).toEqual(['__proto__', 'toString'])
    expect(Object.getOwnPropertyDescriptor(data, '__proto__')?.value[0]).toEqual({
      constructor: expect.any(String),
      hasOwnProperty: null,
    })
    expect(errors.map(({ path }) => path?.join('.')).sort()).toEqual([
      '__proto__.0.hasOwnProperty',
      '__proto__.1.hasOwnProperty',
      'toString',
    ])
  })
})

describe('mutations', () => {
  it('refused ones are not run, and the others are, in order', async () => {
    const ran: string[] = []
    const run = (name: string) => () => {
      ran.push(name)
      return name
    }
    await using graph = await startFederation({
      only: {
        sdl: `
          type Query { x: Int }
          type Mutation { first: String  second: String @requiresScopes(scopes: [["write"]])  third: Payload  fourth: String }
          type Payload { secret: String @requiresScopes(scopes: [["read"]]) }
        `,
        resolvers: {
          Mutation: {
            first: run('first'),
            second: run('second'),
            third: run('third'),
            fourth: run('fourth'),
          },
        },
      },
    })
    const { document: supergraph, apiSchema } = graph.supergraph
    const authorizer = createAuthorizer(supergraph, apiSchema)
    const { data, errors } = await graph.run(
      'mutation ($no: Boolean = false) { fourth a: second @skip(if: $no) third { secret } b: first }',
      {},
      {
        once: true,
        refuse: (document) => {
          const requirements = authorizer.analyze(normalisedOf(apiSchema, document))
          return requirements.filter(requirements.grant(caller()) as Grant)
        },
      },
    )
    expect(ran).toEqual(['fourth', 'first'])
    expect(data).toEqual({ fourth: 'fourth', a: null, third: null, b: 'first' })
    expect(errors.map(({ path }) => path)).toEqual([['a'], ['third', 'secret']])
  })
})
