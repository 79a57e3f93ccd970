import fc from 'fast-check'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { type Grant, granted } from '../../../../gateway/auth/authorize/index.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { analyze, caller, filter, line, outcomeOf, stage } from './kit.ts'

/** Every subset of a list, the empty one first. */
const subsets = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((__, index) => (bits >> index) & 1))

describe('every rule against every set of scopes', () => {
  const scopes = ['a', 'b', 'c', 'd', 'e', 'f']
  /** Field, its rule, and the same rule as plain code. */
  const fields: [name: string, rule: string, oracle: (held: Set<string>) => boolean][] = [
    ['one', '@requiresScopes(scopes: [["a"]])', (held) => held.has('a')],
    ['two', '@requiresScopes(scopes: [["a", "b"]])', (held) => held.has('a') && held.has('b')],
    [
      'three',
      '@requiresScopes(scopes: [["a"], ["b"], ["c", "d"]])',
      (held) => held.has('a') || held.has('b') || (held.has('c') && held.has('d')),
    ],
    ['four', '@authenticated @requiresScopes(scopes: [["f"]])', (held) => held.has('f')],
    ['five', '@requiresScopes(scopes: [[]])', () => true],
    ['six', '@requiresScopes(scopes: [["a", "b", "c", "d", "e", "f"]])', (held) => held.size === 6],
    ['seven', '', () => true],
    [
      'typed',
      '@requiresScopes(scopes: [["e"]])',
      (held) => held.has('e') && (held.has('f') || held.has('a')),
    ],
  ]
  const on = stage(`
    type Query { ${fields.map(([name, rule]) => `${name}: ${name === 'typed' ? 'Guarded' : 'Int'} ${rule}`).join('\n')} }
    type Guarded @requiresScopes(scopes: [["f"], ["a"]]) { x: Int }
  `)

  it.each(fields)('%s', (name, _, oracle) => {
    for (const held of subsets(scopes)) {
      const { allowed, refused } = filter(
        on,
        `{ ${name}${name === 'typed' ? ' { x }' : ''} }`,
        caller(...held),
      )
      const expected = oracle(new Set(held))
      expect(allowed !== null, `${name} with ${held.join(' ')}`).toBe(expected)
      expect(refused.includes(`Query.${name}`)).toBe(!expected)
    }
  })

  it('all together', () => {
    const query = `{ ${fields.map(([name]) => (name === 'typed' ? 'typed { x }' : name)).join(' ')} }`
    for (const held of subsets(scopes)) {
      const expected = fields.filter(([, , oracle]) => oracle(new Set(held))).map(([name]) => name)
      const { text } = filter(on, query, caller(...held))
      expect(line(text).match(/\b(?:one|two|three|four|five|six|seven|typed)\b/g)).toEqual(expected)
    }
  })
})

describe('grants', () => {
  const names = Array.from({ length: 70 }, (_, index) => `s${index}`)
  const wide = stage(
    `type Query { open: Int ${names.map((name) => `${name}: Int @requiresScopes(scopes: [["${name}"]])`).join('\n')} }`,
  )

  it('count any number of requirements', () => {
    const query = `{ open ${names.join(' ')} }`
    fc.assert(
      fc.property(fc.subarray(names), (held) => {
        const { text } = filter(wide, query, caller(...held))
        expect(line(text)).toBe(`{ ${['open', ...held].join(' ')} }`)
      }),
      { numRuns: 60 },
    )
  })

  it('are equal if nothing that affects the operation differs', () => {
    const requirements = analyze(wide, '{ open s3 s40 }')
    const keyOf = (grant: unknown) => (grant as Grant).key
    const grant = (...scopes: string[]) => keyOf(requirements.grant(caller(...scopes)))
    expect(grant('s3', 's5', 'unknown')).toBe(grant('s3', 's69'))
    expect(grant('s3')).not.toBe(grant('s40'))
    expect(grant('s3', 's40')).toBe(granted.key)
    expect(keyOf(requirements.grant(anonymous))).not.toBe(grant())
  })

  it('do not distinguish who may see an object with only its type name selected', () => {
    const on = stage(`
      type Query { t: I }
      interface I { x: Int }
      type T implements I @requiresScopes(scopes: [["x"]]) { x: Int }
    `)
    expect(analyze(on, '{ t { __typename } }').open).toBe(true)
    expect(analyze(on, '{ t { ... on T { __typename } } }').open).toBe(false)
  })

  it('are all the same if the operation has no rules', () => {
    const requirements = analyze(wide, '{ open }')
    expect(requirements.open).toBe(true)
    expect(requirements.grant(anonymous)).toBe(granted)
    expect(requirements.grant(caller('s1'))).toBe(granted)
  })

  it('tell apart alternatives only while something is refused', () => {
    const on = stage('type Query { a: Int @requiresScopes(scopes: [["x"], ["y"]]) }')
    const requirements = analyze(on, '{ a }')
    expect(requirements.grant(caller('x'))).toEqual(requirements.grant(caller('y')))
  })
})

describe('policies', () => {
  const types =
    'type Query { a: Int @policy(policies: [["p", "q"], ["r"]])  b: Int @policy(policies: [["s"]]) @requiresScopes(scopes: [["x"]])  c: Int }'
  const query = '{ a b c }'

  it('are refused if they are not decided', () => {
    expect(line(filter(stage(types), query, caller('x')).text)).toBe('{ c }')
  })

  it.each([
    [['p', 'q'], '{ a c }'],
    [['p'], '{ c }'],
    [['r', 's'], '{ a b c }'],
    [['s', 'not asked for'], '{ b c }'],
  ] as const)('are met by the names that the hook answers: %j', async (met, expected) => {
    const asked: unknown[] = []
    const on = stage(types, {
      policies: async ({ policies, identity, context }) => {
        asked.push([policies, identity.subject, context])
        return met
      },
    })
    const document = parse(query)
    const requirements = analyze(on, document)
    const grant = await requirements.grant(caller('x'), 'the request')
    expect(line(outcomeOf(on, document, requirements.filter(grant), grant).text)).toBe(expected)
    expect(asked).toEqual([[['p', 'q', 'r', 's'], 'someone', 'the request']])
  })

  it('neither policies are scopes, nor scopes policies', async () => {
    const on = stage(types, { policies: () => ['x'] })
    const document = parse(query)
    const requirements = analyze(on, document)
    const grant = await requirements.grant(caller('p', 'q', 'r', 's', 'policy:r'))
    expect(line(outcomeOf(on, document, requirements.filter(grant), grant).text)).toBe('{ c }')
  })

  it('fail the request, and open nothing, when the hook fails', async () => {
    const on = stage(types, {
      policies: () => {
        throw new Error('database password is hunter2')
      },
    })
    const failed = analyze(on, query).grant(caller())
    await expect(failed).rejects.toMatchObject({ extensions: { code: 'INTERNAL_SERVER_ERROR' } })
    await expect(failed).rejects.not.toThrow(/hunter2/)
  })

  it('are not requested by rules of scopes, which are decided immediately', () => {
    const on = stage(`${types.slice(0, -1)}  d: Int @requiresScopes(scopes: [["x"]]) }`, {
      policies: () => {
        throw new Error('asked')
      },
    })
    expect(line(filter(on, '{ c d }', anonymous).text)).toBe('{ c }')
    expect(line(filter(on, '{ c d }', caller('x')).text)).toBe('{ c d }')
  })

  it('are not asked for an operation without them', () => {
    const on = stage(types, {
      policies: () => {
        throw new Error('asked')
      },
    })
    expect(line(filter(on, '{ c }', anonymous).text)).toBe('{ c }')
  })
})

it('a refusal names what the rules of a field and of its type require together', () => {
  const on = stage(`
    type Query { typed: T @requiresScopes(scopes: [["a"]]) }
    type T @authenticated @requiresScopes(scopes: [["t"]]) { x: Int }
  `)
  const [refusal] = filter(on, '{ typed { x } }', caller('t')).refusals
  expect(refusal).toMatchObject({
    message: 'Query.typed requires `a` and `t`. This caller lacks `a`.',
    extensions: { authorization: { required: [['a', 't']], missing: ['a'] } },
  })
})
