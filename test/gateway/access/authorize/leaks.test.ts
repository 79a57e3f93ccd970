/** Protected values that leave through a field that requires them. */
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { findLeaks } from '../../../../gateway/access/authorize/index.ts'
import { readSchemaFile } from '../../../../subgraphs/kit/subgraph.ts'

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
      },
      {
        field: 'V.derived',
        protected: 'D.inner',
        subgraph: 'b',
        message: 'V.derived (subgraph b) needs D.inner, which requires `d`, and does not require the same.',
      },
    ])
  })

  it('finds none where there are no rules', () => {
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

  it('finds one where the rules of the field are too many to be compared', () => {
    const wide = Array.from({ length: 17 }, (_, index) => `["l${index}"]`).join(' ')
    const other = wide.replaceAll('l', 'r')
    const rule = `@requiresScopes(scopes: [${wide}])`
    const typed = supergraph(rule).replace('derived: Int', 'derived: W')
    expect(findLeaks(`${typed} type W @requiresScopes(scopes: [${other}]) { x: Int }`)).toHaveLength(1)
  })

  it('reads a document as well as text', () => {
    expect(findLeaks(parse(supergraph('')))).toEqual(findLeaks(supergraph('')))
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
