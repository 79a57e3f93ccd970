/**
 * No caller ever reads what another alone may see, and none reads anything but what the subgraph would answer: over
 * random callers, answers of every kind of privacy, changes and times.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GatewayRequest } from '../../../engine/request.ts'
import type { Identity } from '../../../shared/identity.ts'
import { campaignSize } from '../../support/campaign-size.ts'
import { answeredWith, createCacheTest, requestOf, type Sent } from './kit.ts'

const sdl = `
  type Query { product(id: ID!): Product mine: Product staff: Product @requiresScopes(scopes: [["staff"]]) }
  type Mutation { rename(id: ID!): Product poke: Boolean }
  type Product @key(fields: "id") { id: ID! name: String cost: Int @requiresScopes(scopes: [["prices"], ["staff"]]) }
`

/** How an answer says for whom it is, and of what of the caller it is made. */
const kinds = ['private', 'unsaid', 'public', 'by language', 'private by no-cache', 'no-store'] as const
type Kind = (typeof kinds)[number]

const headersFor: Record<Kind, Record<string, string>> = {
  private: { 'cache-control': 'private, max-age=60' },
  unsaid: { 'cache-control': 'max-age=60' },
  public: { 'cache-control': 'public, max-age=60' },
  'by language': { 'cache-control': 'public, max-age=60', vary: 'Accept-Language' },
  'private by no-cache': { 'cache-control': 'private, no-cache', etag: '"1"' },
  'no-store': { 'cache-control': 'no-store' },
}

const sends = ['authorization', 'cookie', 'accept-language']

/** What the subgraph would tell this caller. */
function seenBy(kind: Kind, request: GatewayRequest): string {
  const sent = sends.map((name) => request.header(name) ?? '-').join('|')
  const { identity } = request
  const who = [identity?.subject, identity?.claims.iss, ...(identity?.scopes ?? [])].join('|')
  if (kind === 'public') return 'everybody'
  if (kind === 'by language') return request.header('accept-language') ?? '-'
  return kind === 'unsaid' ? sent : `${sent} ${who}`
}

const caller = fc
  .record({
    subject: fc.constantFrom(undefined, 'ada', 'bob'),
    iss: fc.constantFrom('https://one', 'https://two'),
    scopes: fc.subarray(['prices', 'staff', 'other']),
    token: fc.constantFrom(undefined, 'Bearer 1', 'Bearer 2'),
    cookie: fc.constantFrom(undefined, 'session=1', 'session=2'),
    language: fc.constantFrom(undefined, 'en', 'de'),
  })
  .map(({ subject, iss, scopes, token, cookie, language }) => {
    const authenticated = subject !== undefined || token !== undefined
    const identity: Identity = {
      subject,
      authenticated,
      scopes: new Set(authenticated ? scopes : []),
      claims: authenticated ? { iss } : {},
    }
    const headers: Record<string, string> = {}
    if (token !== undefined) headers.authorization = token
    if (cookie !== undefined) headers.cookie = cookie
    if (language !== undefined) headers['accept-language'] = language
    return { identity, headers }
  })

const ids = ['1', '2', '3']
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('entities' as const),
      who: fc.nat(2),
      ids: fc.subarray(ids, { minLength: 1 }),
      scoped: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('root' as const), who: fc.nat(2), id: fc.constantFrom(...ids) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      who: fc.nat(2),
      id: fc.constantFrom(...ids),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('poke' as const), who: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('later' as const), seconds: fc.nat(100) }) },
)

test('each caller reads what the subgraph would tell it, with the cache as without it', async () => {
  const runs = campaignSize(300)
  let kept = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(caller, { minLength: 3, maxLength: 3 }),
      fc.record({
        '1': fc.constantFrom(...kinds),
        '2': fc.constantFrom(...kinds),
        '3': fc.constantFrom(...kinds),
      }),
      fc.array(step, { minLength: 10, maxLength: 60 }),
      async (callers, kindOf, steps) => {
        const versions: Record<string, number> = { '1': 0, '2': 0, '3': 0 }
        let poked = 0
        const test = createCacheTest({ sdl, sends })
        const kindFor = (id: string): Kind => kindOf[id as keyof typeof kindOf]
        const nameOf = (id: string, request: GatewayRequest): string =>
          `${id} ${kindFor(id)} v${versions[id]} p${poked} ${seenBy(kindFor(id), request)}`
        const costOf = (id: string, { identity }: GatewayRequest): number =>
          Number(id) * 10 + (identity?.scopes.has('staff') === true ? 1 : 2)
        /** One fetch has one answer: that of the least kind in it. */
        const headersOf = (asked: readonly string[]): Record<string, string> => {
          const order: Kind[] = [
            'no-store',
            'private by no-cache',
            'private',
            'unsaid',
            'by language',
            'public',
          ]
          return headersFor[order.find((kind) => asked.some((id) => kindFor(id) === kind)) ?? 'public']
        }
        const objectOf = (id: string, request: GatewayRequest, scoped: boolean) => ({
          id,
          name: nameOf(id, request),
          ...(scoped ? { cost: costOf(id, request) } : {}),
        })
        const look = (scoped: boolean) =>
          test.prepare(
            `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Product { id name ${scoped ? 'cost' : ''} } } }`,
          )
        const root = test.prepare('query ($id: ID!) { product(id: $id) { id name } }')
        const rename = test.prepare('mutation ($id: ID!) { rename(id: $id) { id } }', 'mutation')
        const poke = test.prepare('mutation { poke }', 'mutation')
        for (const each of steps) {
          if (each.kind === 'later') {
            test.now += each.seconds * 1000
            continue
          }
          const request = requestOf(callers[each.who])
          if (each.kind === 'entities') {
            const asked = (variables: Sent['variables']): string[] =>
              (variables.r as { id: string }[]).map(({ id }) => id)
            test.answer = ({ variables }) => ({
              data: { _entities: asked(variables).map((id) => objectOf(id, request, each.scoped)) },
              answered: answeredWith(headersOf(asked(variables))),
            })
            const r = each.ids.map((id) => ({ __typename: 'Product', id }))
            const result = await look(each.scoped)({ r }, request)
            expect(result.data).toEqual({
              _entities: each.ids.map((id) => objectOf(id, request, each.scoped)),
            })
            expect(result.errors ?? []).toEqual([])
          } else if (each.kind === 'root') {
            test.answer = () => ({
              data: { product: objectOf(each.id, request, false) },
              answered: answeredWith(headersOf([each.id])),
            })
            const result = await root({ id: each.id }, request)
            expect(result.data).toEqual({ product: objectOf(each.id, request, false) })
          } else if (each.kind === 'rename') {
            test.answer = () => {
              versions[each.id] = (versions[each.id] ?? 0) + 1
              return { data: { rename: { id: each.id } }, answered: answeredWith({}) }
            }
            await rename({ id: each.id }, request)
          } else {
            test.answer = () => {
              poked += 1
              return { data: { poke: true } }
            }
            await poke({}, request)
          }
        }
        kept += test.counts.hit ?? 0
      },
    ),
    { numRuns: runs },
  )
  // Otherwise it would show nothing.
  expect(kept, 'lookups that were answered by what is kept').toBeGreaterThan(runs)
})

test('a private answer to a caller who cannot be told from others is not kept', async () => {
  const cache = createCacheTest({ sdl })
  cache.answer = () => ({
    data: { mine: { id: '1', name: 'of one' } },
    answered: answeredWith({ 'cache-control': 'private, max-age=60' }),
  })
  const mine = cache.prepare('{ mine { id name } }')
  await mine({}, requestOf())
  await mine({}, requestOf())
  expect(cache.sent).toHaveLength(2)
})

test('callers share an answer only if they hold the same of the scopes that the selection needs', async () => {
  const cache = createCacheTest({ sdl })
  cache.answer = () => ({
    data: { staff: { id: '1' } },
    answered: answeredWith({ 'cache-control': 'public, max-age=60' }),
  })
  const staff = cache.prepare('{ staff { id } }')
  const holding = (...scopes: string[]) =>
    requestOf({ identity: { subject: 'ada', authenticated: true, scopes: new Set(scopes), claims: {} } })
  await staff({}, holding('staff'))
  await staff({}, holding('staff', 'other'))
  expect(cache.sent).toHaveLength(1)
  await staff({}, holding('other'))
  await staff({}, requestOf())
  expect(cache.sent).toHaveLength(3)
})
