/** Protected values that leave through a field that requires them. */
import fc from 'fast-check'
import { buildASTSchema, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { apiDocumentOf } from '../../../../engine/supergraph/api-document.ts'
import { readRules } from '../../../../gateway/auth/authorize/access-rules.ts'
import { createAuthorizer, findLeaks, withoutLeaks } from '../../../../gateway/auth/authorize/index.ts'
import { readSchemaFile } from '../../../../subgraphs/kit/subgraph.ts'
import { normalisedOf } from '../../../support/normalised.ts'

describe('findLeaks', () => {
  const supergraph = (rule: string, field = 'secret') => `
    schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
      @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", for: SECURITY)
    { query: Query }
    type Query { v: V }
    interface I { x: Int @requiresScopes(scopes: [["i"]]) }
    type C implements I { x: Int @requiresScopes(scopes: [["c"]]) }
    interface J { x: Int  d: D }
    type E implements J { x: Int @requiresScopes(scopes: [["e"]])  d: D }
    type F implements J @requiresScopes(scopes: [["f"]]) { x: Int  d: D }
    union U = D | E
    type V @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
      id: ID!
      secret: Int @join__field(graph: A) @join__field(graph: B, external: true) @requiresScopes(scopes: [["a"], ["b", "c"]])
      deep: D @join__field(graph: A) @join__field(graph: B, external: true)
      i: I  j: J  u: U  free: Int
      derived: Int @join__field(graph: B, requires: "${field}") ${rule}
    }
    type D { open: Int  inner: Int @requiresScopes(scopes: [["d"]]) }
  `

  it('tells a field that requires a protected one and does not repeat its scopes', () => {
    const [leak, ...others] = findLeaks(supergraph(''))
    expect(others).toEqual([])
    expect(leak).toMatchObject({ field: 'V.derived', protected: 'V.secret', subgraph: 'b' })
    expect(leak?.message).toContain('`a` or (`b` and `c`)')
  })

  it('looks into nested selections', () => {
    expect(findLeaks(supergraph('', 'id deep { open inner }')).map((leak) => leak.protected)).toEqual([
      'D.inner',
    ])
    expect(findLeaks(supergraph('', 'id deep { open }'))).toEqual([])
  })

  it.each([
    ['@requiresScopes(scopes: [["a"], ["b", "c"]])', 0],
    ['@requiresScopes(scopes: [["a"]])', 0],
    ['@requiresScopes(scopes: [["a", "x"], ["b", "c", "x"]])', 0],
    ['@requiresScopes(scopes: [["a"], ["b"]])', 1],
    ['@requiresScopes(scopes: [["x"]])', 1],
  ] as const)('accepts what implies the protected field: %s', (rule, leaks) => {
    expect(findLeaks(supergraph(rule))).toHaveLength(leaks)
  })

  it('looks into fragments, and says in words what is to be repeated', () => {
    expect(findLeaks(supergraph('', '... on V { secret } ... { deep { inner } }'))).toEqual([
      {
        field: 'V.derived',
        protected: 'V.secret',
        subgraph: 'b',
        message:
          'V.derived (subgraph b) needs V.secret, which requires `a` or (`b` and `c`), and does not require the same.',
        lacking: [[['scope:a'], ['scope:b', 'scope:c']]],
      },
      {
        field: 'V.derived',
        protected: 'D.inner',
        subgraph: 'b',
        message: 'V.derived (subgraph b) needs D.inner, which requires `d`, and does not require the same.',
        lacking: [[['scope:d']]],
      },
    ])
  })

  it('finds none if there are no rules', () => {
    expect(findLeaks('type Query { a: Int }')).toEqual([])
  })

  it('finds none in our own supergraph', () => {
    expect(findLeaks(readSchemaFile('supergraph'))).toEqual([])
  })

  it('looks at the rules of an interface, and of all that may stand behind it', () => {
    const behind = (fields: string): string[] =>
      findLeaks(supergraph('', fields)).map((leak) => `${leak.protected}: ${leak.message}`)
    expect(behind('i { x }')).toEqual([
      'I.x: V.derived (subgraph b) needs I.x, which requires `i`, and `c`, and does not require the same.',
    ])
    // Composers of today sum up on the interface what stands on its implementers; older ones did not.
    expect(behind('j { x }')).toEqual([
      'J.x: V.derived (subgraph b) needs J.x, which requires `e`, and `f`, and does not require the same.',
    ])
    expect(behind('j { d { inner } }')).toEqual([
      'J.d: V.derived (subgraph b) needs J.d, which requires `f`, and does not require the same.',
      'D.inner: V.derived (subgraph b) needs D.inner, which requires `d`, and does not require the same.',
    ])
    expect(behind('u { __typename ... on E { x } }')).toEqual([
      'E.x: V.derived (subgraph b) needs E.x, which requires `e`, and does not require the same.',
    ])
  })

  it('takes the rules of the type that lets a value out for rules of the field', () => {
    const guarded = supergraph('').replace('type V ', 'type V @requiresScopes(scopes: [["a"]]) ')
    expect(findLeaks(guarded)).toEqual([])
  })

  it('finds one if the rules of the field are too many to be compared', () => {
    const wide = Array.from({ length: 17 }, (_, index) => `["l${index}"]`).join(' ')
    const other = wide.replaceAll('l', 'r')
    const rule = `@requiresScopes(scopes: [${wide}])`
    const typed = supergraph(rule).replace('derived: Int', 'derived: W')
    expect(findLeaks(`${typed} type W @requiresScopes(scopes: [${other}]) { x: Int }`)).toHaveLength(1)
  })

  it('reads a document as well as text', () => {
    expect(findLeaks(parse(supergraph('')))).toEqual(findLeaks(supergraph('')))
  })

  it('looks at what a field takes from a context, of every type that sets it', () => {
    const sdl = (selection: string, rule = '') => `
      schema
        @link(url: "https://specs.apollo.dev/link/v1.0")
        @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
        @link(url: "https://specs.apollo.dev/context/v0.1", for: SECURITY)
        @link(url: "https://specs.apollo.dev/policy/v0.1", for: SECURITY)
      { query: Query }
      type Query { shop: Shop }
      type Shop @context(name: "b__shop") { rate: Int @policy(policies: [["p"]])  open: Int  item: Item }
      type Stall @context(name: "b__shop") { rate: Int  open: Int @policy(policies: [["q"]])  item: Item }
      type Item @join__type(graph: B, key: "id") {
        id: ID!
        price: Int @join__field(graph: B, contextArguments: [{ context: "b__shop", name: "in", type: "Int", selection: "${selection}" }]) ${rule}
      }`
    const found = (...given: [string, string?]) => findLeaks(sdl(...given)).map((leak) => leak.protected)
    expect(found('{ rate }')).toEqual(['Shop.rate'])
    expect(found(' rate open ')).toEqual(
      ['Shop.rate', 'Shop.open', 'Stall.open'].filter((each) => each !== 'Shop.open'),
    )
    expect(found('... on Stall { open } ... on Shop { open }')).toEqual(['Stall.open'])
    expect(found('{ rate }', '@policy(policies: [["p"]])')).toEqual([])
    expect(found('{ broken')).toEqual([])
    expect(findLeaks(sdl('{ rate }'))[0]?.message).toContain('Item.price (subgraph b) needs Shop.rate')
    const renamed = sdl('{ rate }')
      .replace('context/v0.1"', 'context/v0.1", import: [{ name: "@context", as: "@ctx" }]')
      .replaceAll(' @context(', ' @ctx(')
    expect(findLeaks(renamed)).toEqual(findLeaks(sdl('{ rate }')))
  })

  it('looks at fields that a subgraph adds to an interface', () => {
    const sdl = `
      schema @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", for: SECURITY) { query: Query }
      type Query { i: I }
      interface I { id: ID!  secret: Int  derived: Int @join__field(graph: B, requires: "secret") }
      type C implements I { id: ID!  secret: Int @requiresScopes(scopes: [["c"]])  derived: Int @join__field }`
    expect(findLeaks(sdl).map((leak) => [leak.field, leak.protected])).toEqual([['I.derived', 'I.secret']])
    expect(readRules(withoutLeaks(parse(sdl)).document).fieldRequirements('C', 'derived')).toEqual([
      [['scope:c']],
    ])
  })

  it('is not led astray by what a supergraph does not define, or by another directive', () => {
    expect(
      findLeaks(supergraph('', 'gone gone { secret } free { secret } ... on Nowhere { secret }')),
    ).toEqual([])
    const [leak] = findLeaks(supergraph('').replace('graph: B, requires:', 'requires:'))
    expect(leak?.subgraph).toBe('unknown')
    expect(findLeaks(supergraph('').replace('@join__field(graph: B, requires:', '@tag(requires:'))).toEqual(
      [],
    )
  })
})

describe('a supergraph with leaks', () => {
  const fields = ['a', 'b', 'c', 'd', 'e', 'f'] as const
  type Name = (typeof fields)[number]
  const rules = [
    '@requiresScopes(scopes: [["x"]])',
    '@requiresScopes(scopes: [["x", "y"], ["z"]])',
    '@policy(policies: [["p"], ["q"]])',
    '@authenticated',
    '@stepUp(acrValues: ["gold"], maxAge: 60)',
  ]
  const sdlOf = (
    described: Readonly<Record<Name, { rule?: string | undefined; requires: Name[] }>>,
  ): string => `
    schema
      @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", as: "requiresScopes", for: SECURITY)
      @link(url: "https://specs.apollo.dev/policy/v0.1", for: SECURITY)
      @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)
    { query: Query }
    type Query { v: V }
    type V { ${fields
      .map((name) => {
        const { rule = '', requires } = described[name]
        const join = requires.length === 0 ? '' : `@join__field(graph: S, requires: "${requires.join(' ')}")`
        return `${name}: Int ${join} ${rule}`
      })
      .join('\n')} }`
  const drawn = fc.record({
    ...(Object.fromEntries(
      fields.map((name, index) => [
        name,
        fc.record({
          rule: fc.option(fc.constantFrom(...rules), { nil: undefined }),
          // Fields require each other in one direction.
          requires: fc.subarray(fields.slice(0, index)),
        }),
      ]),
    ) as Record<Name, fc.Arbitrary<{ rule: string | undefined; requires: Name[] }>>),
  })

  it('is closed: who may see a field may see all that it needs, however far behind it', () => {
    fc.assert(
      fc.property(drawn, (described) => {
        const document = parse(sdlOf(described))
        const { document: closed, leaks } = withoutLeaks(document)
        expect(findLeaks(closed)).toEqual([])
        expect(closed === document).toBe(leaks.length === 0)
        const before = readRules(document)
        const after = readRules(closed)
        const needed = (name: Name): string[] => [
          ...before.fieldRequirements('V', name).map((each) => JSON.stringify(each)),
          ...described[name].requires.flatMap(needed),
        ]
        for (const name of fields) {
          const gate = after.fieldRequirements('V', name).map((each) => JSON.stringify(each))
          // Nothing is added that nothing behind it demands, and nothing of its own is gone.
          for (const each of gate) expect(needed(name)).toContain(each)
          for (const each of before.fieldRequirements('V', name)) expect(gate).toContain(JSON.stringify(each))
        }
      }),
    )
  })

  it('is enforced closed', async () => {
    const none = { requires: [] }
    const sdl = sdlOf({
      ...{
        a: { rule: rules[1], requires: [] },
        b: { requires: ['a'] },
        c: { rule: rules[3], requires: ['b'] },
      },
      ...{ d: none, e: none, f: none },
    })
    const supergraph = parse(sdl)
    const schema = buildASTSchema(apiDocumentOf(supergraph))
    const authorizer = createAuthorizer(supergraph, schema)
    const normalised = normalisedOf(schema, '{ v { a b c d } }')
    const operation = authorizer.analyze(normalised)
    const { fields } = normalised
    const refusedFor = async (scopes: string[]) => {
      const grant = await operation.grant({ authenticated: scopes.length > 0, scopes } as never)
      return operation.filter(grant).refusals.map(({ field }) => fields[field]?.name)
    }
    expect(await refusedFor([])).toEqual(['a', 'b', 'c'])
    expect(await refusedFor(['x'])).toEqual(['a', 'b', 'c'])
    expect(await refusedFor(['z'])).toEqual([])
    expect(await refusedFor(['x', 'y'])).toEqual([])
  })
})
