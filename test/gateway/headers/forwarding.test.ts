/** Headers by rule: what goes on, and what no rule can send. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compileForwarding,
  createResponseHeaders,
  type HeaderRules,
  type RequestRule,
} from '../../../gateway/headers/index.ts'
import '../../support/seed.ts'
import { campaignSize } from '../../support/campaign-size.ts'

const requestWith = (headers: Record<string, string>, claims: Record<string, unknown> = {}) => ({
  header: (name: string) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
  headerNames: () => Object.keys(headers),
  identity: { scopes: new Set<string>(), claims, authenticated: true },
})
const forwarded = (
  headers: Record<string, string>,
  own: RequestRule[],
  all: RequestRule[] = [],
  claims: Record<string, unknown> = {},
): Record<string, string> =>
  compileForwarding('products', { request: all }, { request: own })?.headersFor(
    requestWith(headers, claims),
  ) ?? {}

test('only headers with a rule are forwarded', () => {
  expect(forwarded({ 'x-a': '1' }, [])).toEqual({})
  expect(forwarded({ 'x-a': '1', 'x-b': '2' }, [{ propagate: { named: 'X-A' } }])).toEqual({ 'x-a': '1' })
})

test('headers are forwarded under another name, by a pattern, or with a default; and are taken back', () => {
  expect(
    forwarded({ 'x-tenant': 't', 'x-b3-trace': 'a', 'x-b3-secret': 'b' }, [
      { propagate: { named: 'X-Tenant', rename: 'X-Org' } },
      { propagate: { named: 'X-Region', default: 'eu' } },
      { propagate: { matching: 'x-b3-*' } },
      { remove: { matching: '*-secret' } },
    ]),
  ).toEqual({ 'x-org': 't', 'x-region': 'eu', 'x-b3-trace': 'a' })
})

test('claims and fixed texts are inserted; a claim that is no plain value is not sent', () => {
  expect(
    forwarded(
      { 'x-user': 'forged' },
      [
        { insert: { name: 'X-User', claim: 'sub' } },
        { insert: { name: 'X-Roles', claim: 'roles' } },
        { insert: { name: 'X-Deep', claim: 'deep' } },
        { insert: { name: 'X-Break', claim: 'broken' } },
        { insert: { name: 'X-Env', value: 'production' } },
      ],
      [{ propagate: { named: 'X-User' } }],
      { sub: 'ada', roles: ['a', 'b'], deep: { er: 1 }, broken: 'a\r\nx-evil: 1' },
    ),
  ).toEqual({ 'x-user': 'ada', 'x-roles': 'a,b', 'x-env': 'production' })
})

test('a header from a claim is never what the client sent, even if the claim is missing or cannot be sent', () => {
  const rules: RequestRule[] = [
    { propagate: { matching: 'x-*' } },
    { insert: { name: 'X-User', claim: 'sub' } },
  ]
  for (const sub of [undefined, { deep: 1 }, 'a\r\nx-evil: 1'])
    expect(forwarded({ 'x-user': 'forged', 'x-other': '1' }, rules, [], { sub })).toEqual({ 'x-other': '1' })
  const usual: RequestRule[] = [
    { insert: { name: 'X-Plan', value: 'free' } },
    { propagate: { named: 'X-Sent', rename: 'X-User', default: 'nobody' } },
    { propagate: { matching: 'x-*' } },
    { insert: { name: 'x-plan', claim: 'plan' } },
    { insert: { name: 'x-user', claim: 'sub' } },
  ]
  const sent = { 'x-user': 'forged', 'x-sent': 'forged', 'x-plan': 'gold' }
  const { 'x-plan': plan, 'x-user': user } = forwarded(sent, usual)
  expect([plan, user]).toEqual(['free', 'nobody'])
})

test('a header from a claim keeps what the rules before it send of claims, and nothing that they took back', () => {
  const rules: RequestRule[] = [
    { insert: { name: 'X-User', claim: 'sub' } },
    { insert: { name: 'X-User', claim: 'email' } },
  ]
  expect(forwarded({}, rules, [], { sub: 'ada' })).toEqual({ 'x-user': 'ada' })
  expect(forwarded({}, rules, [], { sub: 'ada', email: 'a@example.com' })).toEqual({
    'x-user': 'a@example.com',
  })
  const all: RequestRule[] = [{ insert: { name: 'X-User', value: 'nobody' } }]
  expect(forwarded({}, [{ remove: { matching: 'x-*' } }, ...rules], all)).toEqual({})
})

test('a number is sent unless JSON may have rounded it to that of somebody else', () => {
  const user = (sub: number) => forwarded({}, [{ insert: { name: 'X-User', claim: 'sub' } }], [], { sub })
  expect(user(42)).toEqual({ 'x-user': '42' })
  expect(user(0.5)).toEqual({ 'x-user': '0.5' })
  expect(user(JSON.parse('1234567890123456789'))).toEqual({})
})

test('the headers on which answers depend are known only if all rules name them', () => {
  const of = (...request: RequestRule[]) =>
    compileForwarding('products', { request }, undefined)?.callerHeaders
  expect(of({ propagate: { named: 'X-A' } }, { insert: { name: 'x-b', value: '1' } })).toEqual(['x-a'])
  expect(of({ propagate: { matching: 'x-*' } })).toBeUndefined()
  expect(of({ insert: { name: 'x-user', claim: 'sub' } })).toBeUndefined()
})

const hopByHop = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'proxy-connection', 'http2-settings'],
]
const credentials = [
  'authorization',
  'cookie',
  'x-products-authorization',
  'x-reviews-authorization',
  'router-authorization',
]
const owned = ['host', 'content-length', 'tessera-signature']
const plain = ['x-a', 'x-b', 'accept-language', 'x-listed']
const anyName = fc.constantFrom(...hopByHop, ...credentials, ...owned, ...plain)
const written = anyName.chain((name) =>
  fc.constantFrom(
    name,
    name.toUpperCase(),
    name.replace(/^./, (first) => first.toUpperCase()),
  ),
)
const rule: fc.Arbitrary<RequestRule> = fc.oneof(
  fc.record({ propagate: fc.record({ named: written, rename: written }) }),
  written.map((named) => ({ propagate: { named } })),
  fc.constantFrom('*', 'x-*', '*authorization', 'c*', '*-*').map((matching) => ({ propagate: { matching } })),
  written.map((name) => ({ insert: { name, value: 'inserted' } })),
)
const rules = fc.array(rule, { maxLength: 6 })

test('no rules send what belongs to one connection, or a credential that no rule for the subgraph names', () => {
  fc.assert(
    fc.property(rules, rules, fc.subarray(plain), (all, own, listed) => {
      const headers = Object.fromEntries(
        [...hopByHop, ...credentials, ...owned, ...plain].map((name) => [name, `value of ${name}`]),
      )
      if (listed.length > 0) headers.connection = listed.join(' , ').toUpperCase()
      const sent = forwarded(headers, own, all)
      const explicit = new Set(
        own.flatMap((each) =>
          'propagate' in each && 'named' in each.propagate
            ? [
                each.propagate.named.toLowerCase(),
                (each.propagate.rename ?? each.propagate.named).toLowerCase(),
              ]
            : 'insert' in each
              ? [each.insert.name.toLowerCase()]
              : [],
        ),
      )
      for (const [name, value] of Object.entries(sent)) {
        const from = value.replace('value of ', '')
        for (const each of [name, from]) {
          expect(hopByHop).not.toContain(each)
          expect(owned).not.toContain(each)
          expect(each).not.toBe('x-reviews-authorization')
          if (credentials.includes(each)) expect(explicit).toContain(each)
        }
        // What `Connection` names is for this connection alone, whatever the rules say.
        if (value.startsWith('value of')) expect(listed).not.toContain(from)
      }
    }),
    { numRuns: campaignSize(2000) },
  )
})

test.each([
  ['*', ['x-a-b', 'x-b-a', 'x-ab', 'y-a']],
  ['x-*', ['x-a-b', 'x-b-a', 'x-ab']],
  ['*-a', ['x-b-a', 'y-a']],
  ['X-*B', ['x-a-b', 'x-ab']],
  ['x-a*a-b', []],
  ['x-*a*b', ['x-a-b', 'x-ab']],
  ['*-*-*', ['x-a-b', 'x-b-a']],
  ['*b*b*', []],
  ['x-ab*ab', []],
  ['x-ab', ['x-ab']],
])('%s stands for the names that it describes', (matching, found) => {
  const headers = { 'x-a-b': '1', 'x-b-a': '1', 'x-ab': '1', 'y-a': '1' }
  expect(Object.keys(forwarded(headers, [{ propagate: { matching } }]))).toEqual(found)
  const left = Object.keys(forwarded(headers, [{ propagate: { matching: '*' } }, { remove: { matching } }]))
  expect(left).toEqual(Object.keys(headers).filter((name) => !found.includes(name)))
})

test.each([
  ['', true],
  ['a\tb c~', true],
  ['\u0080ÿ', true],
  ['a\u0000', false],
  ['a\u001f', false],
  ['a\u007f', false],
  ['Ā', false],
  ['a'.repeat(16_384), true],
  ['a'.repeat(16_385), false],
])('a text is the value of a header if it has only bytes that may stand there: %j', (value, isSent) => {
  const sent = isSent ? { 'x-a': value } : {}
  expect(forwarded({ 'x-a': value }, [{ propagate: { named: 'x-a' } }])).toEqual(sent)
  expect(forwarded({ 'x-a': value }, [{ propagate: { matching: 'x-*' } }])).toEqual(sent)
  expect(answers({ answer: [{ propagate: { named: 'x-a' } }] }, {}, { 'x-a': value })).toEqual(
    Object.entries(sent).flat(),
  )
})

test('a claim of texts alone is a list, and any other list is not sent', () => {
  const roles = (claim: unknown) =>
    forwarded({}, [{ insert: { name: 'x-roles', claim: 'roles' } }], [], { roles: claim })
  expect(roles(['a', 'b'])).toEqual({ 'x-roles': 'a,b' })
  expect(roles(['a', 1])).toEqual({})
  expect(roles(true)).toEqual({ 'x-roles': 'true' })
})

test('the credential of a service goes to the subgraph of that name, in whatever case it is written', () => {
  const headers = { 'x-products-authorization': 'a', 'x-reviews-authorization': 'b' }
  const all = Object.keys(headers).map((named) => ({ propagate: { named } }))
  const sent = (subgraph: string) =>
    compileForwarding(subgraph, undefined, { request: all })?.headersFor(requestWith(headers))
  expect(sent('Products')).toEqual({ 'x-products-authorization': 'a' })
  expect(sent('reviews')).toEqual({ 'x-reviews-authorization': 'b' })
  expect(sent('carts')).toEqual({})
})

test('a pattern takes no header with the name of a secret', () => {
  const secrets = [
    'x-access-token',
    'dpop',
    'api-key',
    'x-csrf-token',
    'x-session-id',
    'x-client-cert',
    'jwt',
  ]
  const others = ['x-tenant', 'x-tokens-left', 'x-session-count', 'x-keyboard']
  const headers = Object.fromEntries([...secrets, ...others].map((name) => [name, 'value']))
  const all: HeaderRules['request'] = [{ propagate: { matching: '*' } }]
  expect(Object.keys(forwarded(headers, [], all)).sort()).toEqual([...others].sort())
  // Who names it means it.
  expect(forwarded(headers, [{ propagate: { named: 'X-Access-Token' } }], [])).toEqual({
    'x-access-token': 'value',
  })
})

const answers = (
  rules: HeaderRules,
  own: HeaderRules,
  ...given: Record<string, string | string[]>[]
): readonly string[] | undefined => {
  const made = createResponseHeaders(rules, { products: own })
  const request = {}
  for (const headers of given) made?.noteFor('products')?.(request, headers)
  return made?.headFor(request)
}

test('a pattern takes nothing that cannot be sent: pseudo-headers of HTTP/2, values with line breaks', () => {
  const sent = { ':path': '/graphql', ':authority': 'a.test', 'x-a': '1', 'x-b': 'a\r\nx-evil: 1' }
  expect(forwarded(sent, [{ propagate: { matching: '*' } }])).toEqual({ 'x-a': '1' })
})

test('headers of answers reach the client: all, the first or the last of them', () => {
  const rule = (named: string, algorithm?: 'append' | 'first' | 'last') => ({
    propagate: { named, ...(algorithm === undefined ? {} : { algorithm }) },
  })
  expect(
    answers(
      { answer: [rule('X-A', 'append'), rule('X-B', 'first'), rule('X-C')] },
      {},
      { 'x-a': '1', 'x-b': '1', 'x-c': '1', 'x-d': '1' },
      { 'x-a': '2', 'x-b': '2', 'x-c': '2' },
    ),
  ).toEqual(['x-a', '1, 2', 'x-b', '1', 'x-c', '2'])
})

test('hop-by-hop headers and our own do not pass, and cookies only by name', () => {
  const rules = ['set-cookie', 'connection', 'content-length', 'access-control-allow-origin', 'x-a'].map(
    (named) => ({ propagate: { named, algorithm: 'append' as const } }),
  )
  const headers = {
    'set-cookie': ['a=1', 'b=2'],
    connection: 'x-b',
    'content-length': '5',
    'access-control-allow-origin': '*',
    'x-a': '1',
  }
  expect(answers({ answer: rules }, {}, headers)).toEqual(['x-a', '1'])
  expect(answers({}, { answer: rules }, headers)).toEqual([
    'set-cookie',
    'a=1',
    'set-cookie',
    'b=2',
    'x-a',
    '1',
  ])
  expect(answers({ answer: rules }, {}, { connection: 'x-a', 'x-a': '1' })).toEqual([])
})

test('a header of an answer has another name, or a default, and neither name is one of our own', () => {
  const answer = [
    { propagate: { named: 'x-a', rename: 'X-B' } },
    { propagate: { named: 'x-c', default: 'none' } },
    { propagate: { named: 'x-d', rename: 'content-type' } },
    { propagate: { named: 'date', rename: 'x-e' } },
  ]
  const given = { 'x-a': '1', 'x-d': '1', date: '1' }
  expect(answers({ answer }, {}, given)).toEqual(['x-b', '1', 'x-c', 'none'])
})

test('without a rule there is nothing to gather', () => {
  expect(createResponseHeaders(undefined, {})).toBeUndefined()
  expect(createResponseHeaders({ answer: [] }, { products: {} })).toBeUndefined()
  const made = createResponseHeaders(undefined, { products: { answer: [{ propagate: { named: 'x-a' } }] } })
  expect(made?.noteFor('reviews')).toBeUndefined()
  expect(made?.headFor({})).toBeUndefined()
})

test('a value that cannot be sent takes no place, and cookies are bounded', () => {
  const append = (named: string) => ({ propagate: { named, algorithm: 'append' as const } })
  const values = ['1', 'a\nb', '2'].map((value) => ({ 'x-a': value }))
  expect(answers({ answer: [append('x-a')] }, {}, ...values)).toEqual(['x-a', '1, 2'])
  expect(answers({ answer: [{ propagate: { named: 'x-a' } }] }, {}, ...values.slice(0, 2))).toEqual([
    'x-a',
    '1',
  ])
  const cookies = { 'set-cookie': Array.from({ length: 60 }, (_, n) => `c${n}=1`) }
  expect(answers({}, { answer: [append('set-cookie')] }, cookies)).toHaveLength(100)
  expect(answers({}, { answer: [append('set-cookie')] }, { 'set-cookie': ['a=1'] }, cookies)).toHaveLength(
    100,
  )
})

test('what is gathered of many answers is bounded', () => {
  const many = Array.from({ length: 500 }, () => ({ 'x-a': 'v'.repeat(1000) }))
  const head = answers({ answer: [{ propagate: { named: 'x-a', algorithm: 'append' } }] }, {}, ...many)
  expect(head?.[1]?.length).toBeLessThan(8192)
})
