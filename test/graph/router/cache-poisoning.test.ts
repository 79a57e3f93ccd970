/** A request of one caller changes no cached response of another, whatever the cache key leaves out. */
import { expect, test } from 'vitest'
import { onlyProducts, productsNamed, startInFront, until, withCache } from '../../support/router.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { tokenSecret } from '../../support/token.ts'

const query = '{ product(id: "1") { name } }'

test('no header, directive, name or extension of one caller reaches what others read', async () => {
  // A subgraph that puts everything that it gets into its answer.
  const echo = productsNamed((id, headers) => {
    const ofConnection = ['host', 'connection', 'content-length', 'x-request-id', 'traceparent']
    const others = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
    return [id, ...others.sort().map((each) => each.join('='))].join(' ')
  })
  const { router, products } = await startInFront(echo, {
    env: withCache,
    config: { headers: { all: { request: [{ propagate: { named: 'accept-language' } }] } } },
  })
  products.answerHeaders = { 'cache-control': 'public, max-age=600' }
  const evil = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-scheme': 'nothttps',
    'x-original-url': '/admin',
    'x-http-method-override': 'DELETE',
    'x-host': 'evil.example',
    'x-evil': 'evil',
    'accept-language': 'en',
    accept: 'application/json;evil=evil',
    'user-agent': 'evil',
    origin: 'https://evil.example',
    referer: 'https://evil.example',
    cookie: 'evil=1',
    'if-none-match': '"evil"',
    'if-modified-since': 'Thu, 18 Aug 2050 02:01:18 GMT',
    range: 'bytes=0-0',
    'cache-control': 'max-stale=1000000',
    age: '0',
    vary: '*',
    'cache-tag': 'evil',
  }
  const first = await router.ask(query, evil)
  expect(first.body.data.product.name).toMatch(/^1 .*accept-language=en/)
  expect(first.body.data.product.name).not.toMatch(/evil|admin|override|range|if-/)
  const other = await router.ask(query, { 'accept-language': 'en' })
  expect(other.body).toEqual(first.body)
  expect(products.asked).toHaveLength(1)
  // The same address by other names, values and types of values is another question.
  const names = async (text: string, variables: object): Promise<string> => {
    const operation = { query: text, variables, extensions: { evil: 1 }, operationName: 'Evil' }
    return (await router.ask(operation, { 'accept-language': 'en' })).body.data.evil.name.split(' ')[0]
  }
  const evilQuery = 'query Evil($id: ID!) { evil: product(id: $id) { name } }'
  for (const id of ['1', '2', '1\n', '{"id":"1"}', '1"', '__proto__'])
    expect(await names(evilQuery, { id })).toBe(id.split(' ')[0])
  expect((await router.ask(query, { 'accept-language': 'en' })).body).toEqual(first.body)
})

test('what failed, and what a client made fail, is not kept for others', async () => {
  let broken: string | undefined = '{"data":{"product":null},"errors":[{"message":"evil"}]}'
  const { router, products } = await startInFront(onlyProducts, { env: withCache })
  products.answerHeaders = { 'cache-control': 'public, max-age=600' }
  products.intercept = (_, response) => {
    if (broken === undefined) return false
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=600' })
      .end(broken)
    return undefined
  }
  for (const text of [
    broken,
    '{"data":null}',
    '{"errors":[{"message":"evil"}]}',
    'evil',
    '{"data":{"product":{"name":"ev',
    '[]',
  ]) {
    broken = text
    expect((await router.ask(query)).body.errors, text).toHaveLength(1)
  }
  broken = undefined
  expect((await router.ask(query)).body).toEqual({ data: { product: { name: 'Table' } } })
})

test('a private answer is not shared if callers have no identity', async () => {
  let cart = 0
  // Such as the number of a cart that is made for each visitor.
  const carts = productsNamed(() => {
    cart += 1
    return `cart ${cart}`
  })
  const { router, products } = await startInFront(carts, {
    env: withCache,
    config: {
      headers: {
        all: { request: [{ propagate: { named: 'accept-language' } }] },
        subgraphs: {
          products: { request: ['cookie', 'x-api-key'].map((named) => ({ propagate: { named } })) },
        },
      },
    },
  })
  products.answerHeaders = { 'cache-control': 'private, max-age=600' }
  const name = async (headers: Record<string, string>): Promise<string> =>
    (await router.ask(query, headers)).body.data.product.name
  const visitor = { 'accept-language': 'en', cookie: 'consent=yes' }
  expect(await name(visitor)).toBe('cart 1')
  expect(await name(visitor)).toBe('cart 2')
  // A key tells one caller from another.
  expect([await name({ 'x-api-key': 'one' }), await name({ 'x-api-key': 'one' })]).toEqual([
    'cart 3',
    'cart 3',
  ])
  expect(await name({ 'x-api-key': 'two' })).toBe('cart 4')
})

test('a subgraph that gets assertions tells each caller whom hooks name about itself, now and from the cache', async () => {
  const named = productsNamed((_, { authorization }) => subjectIn(authorization))
  const { router, products } = await startInFront(named, {
    env: {
      ...withCache,
      TESSERA_JWT_SECRET: tokenSecret,
      TESSERA_SUBGRAPH_SECRET: 'a secret between gateway and subgraphs',
      TESSERA_SUBGRAPH_TOKENS: 'products',
      TESSERA_SUBGRAPH_CALLER: 'assertion',
      TESSERA_HOOKS: temporaryFile(
        'hooks.mjs',
        `export default { onIdentity: ({ headers }) => ({ identity: { subject: headers['x-api-key'], scopes: [] } }) }`,
      ),
    },
    config: { cache: { subgraphs: { products: { maxAgeSeconds: 600 } } } },
  })
  const name = async (key: string): Promise<string> =>
    (await router.ask(query, { 'x-api-key': key })).body.data.product.name
  // Both are under way at once, unless one of them waits for the other's answer.
  products.intercept = async () => {
    const joined = async () => /_joined_total.* [1-9]/.test(await router.metrics())
    await until(async () => products.asked.length > 1 || (await joined()), 'the other request')
    return false
  }
  expect(await Promise.all(['one', 'two'].map(name))).toEqual(['one', 'two'])
  products.intercept = undefined
  expect(await Promise.all(['two', 'three'].map(name))).toEqual(['two', 'three'])
  expect(products.asked).toHaveLength(3)
})

const subjectIn = (assertion = ''): string =>
  JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()).sub
