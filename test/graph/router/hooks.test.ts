/** Hooks of a file: a real process, and the worked ones of docs/hooks.md as they stand there. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'
import {
  guardedShop,
  type Router,
  type RouterAnswer,
  startInFront,
  startRouter,
  supergraphOf,
  type TestService,
  until,
} from '../../support/router.ts'
import { temporaryFile } from '../../support/temporary.ts'

const page = readFileSync(join(root, 'docs/hooks.md'), 'utf8')

/** The TypeScript of a worked one. */
function worked(number: number): string {
  const section = page.split(`### ${number}. `)[1] ?? ''
  const code = /```ts\n(.*?)```/s.exec(section)?.[1]
  if (code === undefined) throw new Error(`docs/hooks.md has no code below ${number}.`)
  return code
}

interface Shop {
  readonly router: Router
  readonly products: TestService
  readonly reviews: TestService
  /** Lets a generation with these hooks take over. */
  use(code: string): Promise<void>
  send(body: object, headers?: Record<string, string>): Promise<RouterAnswer>
}

async function startShop(config: Record<string, unknown> = {}): Promise<Shop> {
  const { router, products, reviews } = await startInFront(guardedShop, { config })
  return {
    router,
    products,
    reviews,
    async use(code) {
      router.write('hooks.ts', code)
      const hooks = join(router.folder, 'hooks.ts')
      const { refused } = await router.reload({ ...config, TESSERA_HOOKS: hooks })
      expect(refused).toBeUndefined()
    },
    send: (body, headers = {}) =>
      router.ask(body, { accept: 'application/graphql-response+json', ...headers }),
  }
}

test('the worked ones do what docs/hooks.md says, each taken over by a reload', async () => {
  const shop = await startShop()
  const { router } = shop
  const query = 'query Q { products { name } }'

  await shop.use(worked(1))
  expect((await shop.send({ query })).status).toBe(200)
  writeFileSync(join(router.folder, 'closed'), '')
  const closed = await shop.send({ query })
  expect([closed.status, closed.headers.get('x-closed'), closed.body]).toEqual([
    503,
    'yes',
    { errors: [{ message: 'Closed until noon.', extensions: { code: 'MAINTENANCE' } }] },
  ])
  expect((await shop.send({ query }, { 'x-probe': 'yes' })).status).toBe(200)
  rmSync(join(router.folder, 'closed'))

  await shop.use(worked(2))
  const stock = { query: 'query Q { products { stock } }' }
  expect((await shop.send(stock)).status).toBe(401)
  expect((await shop.send(stock, { 'x-api-key': 'key-of-the-shop' })).body).toEqual({
    data: { products: [{ stock: 2 }] },
  })
  expect(await shop.send(stock, { 'x-api-key': 'another' })).toMatchObject({
    status: 401,
    body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
  })

  await shop.use(worked(3))
  const asked = shop.products.asked.length
  expect(await shop.send({ query: '{ products { name } }' })).toMatchObject({
    status: 400,
    body: { errors: [{ message: 'Name your operations.', extensions: { code: 'BAD_REQUEST' } }] },
  })
  expect((await shop.send({ query: 'mutation M { rename(id: "1") { id } }' })).status).toBe(403)
  expect(shop.products.asked.length).toBe(asked)
  const paged = {
    query: 'query P($first: Int) { products(first: $first) { name } }',
    variables: { first: 70 },
  }
  expect((await shop.send(paged)).body.data.products).toHaveLength(50)

  await shop.use(worked(4))
  const price = { query: 'query Q { products { price } }' }
  expect((await shop.send(price)).status).toBe(401)
  expect((await shop.send(price, { 'x-roles': 'owner,staff' })).body).toEqual({
    data: { products: [{ price: 7 }] },
  })
  expect((await shop.send(price, { 'x-roles': 'owner,there' })).body).toEqual({
    data: { products: [{ price: 7 }] },
  })
  expect((await shop.send(price, { 'x-roles': 'owner' })).status).toBe(401)

  await shop.use(worked(5))
  const stars = { query: 'query Q { products { stars } }' }
  expect((await shop.send(stars)).body).toEqual({ data: { products: [{ stars: 1 }] } })
  expect((await shop.send(stars, { 'x-canary': 'yes' })).body).toEqual({ data: { products: [{ stars: 9 }] } })

  await shop.use(worked(6))
  shop.reviews.asked.length = 0
  const count = await shop.send(
    { query: 'query Q { reviewCount products { name } }' },
    { 'x-request-id': 'one' },
  )
  expect([count.headers.get('x-request'), count.body]).toEqual([
    'one',
    { data: { reviewCount: 5, products: [{ name: 'n0' }] } },
  ])
  expect(shop.reviews.asked[0]?.headers['x-tenant']).toBe('127')
  expect(shop.products.asked.at(-1)?.headers['x-tenant']).toBeUndefined()
  shop.reviews.intercept = (_, response) => void response.writeHead(500).end()
  expect((await shop.send({ query: 'query Q { reviewCount }' })).body).toEqual({
    data: { reviewCount: 0 },
    extensions: { without: 'reviews' },
  })
  const metrics = await router.metrics()
  for (const [stage, result] of [
    ['request', 'refused'],
    ['identity', 'done'],
    ['operation', 'refused'],
    ['policies', 'done'],
    ['labels', 'done'],
    ['subgraphRequest', 'done'],
    ['subgraphAnswer', 'done'],
    ['answer', 'done'],
  ])
    expect(metrics).toContain(
      `tessera_hook_duration_seconds_count{stage="${stage}",source="file",result="${result}"}`,
    )
})

/** Fails at the stage that the client names, in the way that it names. */
const failing = `
import { type Hooks } from 'tessera-graph/hooks'
const fail = (stage: string) => ({ headers }: { headers: Readonly<Record<string, string>> }): any => {
  if (headers['x-stage'] !== stage) return undefined
  switch (headers['x-way']) {
    case 'throw': throw new Error('the secret of the hook')
    case 'late': return new Promise((resolve) => setTimeout(resolve, 60_000).unref())
    case 'mistake': return { refuse: { message: 'no', status: 'the secret of the hook' } }
    case 'unknown': return { heders: 'the secret of the hook' }
    default: return 'the secret of the hook'
  }
}
const none = (stage: string) => (event: any) => fail(stage)(event) ?? []
export default {
  onRequest: fail('request'),
  onIdentity: fail('identity'),
  onOperation: fail('operation'),
  decidePolicies: none('policies'),
  decideLabels: none('labels'),
  onSubgraphRequest: fail('subgraphRequest'),
  onSubgraphAnswer: fail('subgraphAnswer'),
  onAnswer: fail('answer'),
  subgraphs: ['reviews'],
} satisfies Hooks
`

test('what goes wrong in a hook is contained as documented, logged, and leaks nothing', async () => {
  const shop = await startShop({ TESSERA_HOOKS_TIMEOUT_MS: 300 })
  await shop.use(failing)
  const query = 'query Q { reviewCount products { name price stars } }'
  const failed = {
    message: expect.stringContaining('A hook of this server failed'),
    extensions: { code: 'HOOK_FAILED' },
  }
  for (const way of ['throw', 'late', 'mistake', 'unknown', 'other'])
    for (const stage of ['request', 'identity', 'operation', 'policies', 'answer']) {
      const asked = shop.products.asked.length
      const answer = await shop.send(
        { query },
        { 'x-stage': stage, 'x-way': way, 'x-request-id': `${stage}-${way}` },
      )
      expect([stage, way, answer.status, answer.body]).toEqual([stage, way, 500, { errors: [failed] }])
      expect(shop.products.asked.length - asked).toBe(stage === 'answer' ? 1 : 0)
      expect(JSON.stringify(answer.body)).not.toContain('secret')
    }
  const labels = await shop.send(
    { query: 'query Q { products { stars } }' },
    { 'x-stage': 'labels', 'x-way': 'throw' },
  )
  expect(labels.body).toEqual({ data: { products: [{ stars: 1 }] } })
  for (const stage of ['subgraphRequest', 'subgraphAnswer']) {
    const asked = shop.reviews.asked.length
    const part = await shop.send(
      { query: 'query Q { reviewCount products { name } }' },
      { 'x-stage': stage, 'x-way': 'throw' },
    )
    expect(part).toMatchObject({
      status: 200,
      body: {
        data: { reviewCount: null, products: [{ name: 'n0' }] },
        errors: [{ path: ['reviewCount'], extensions: { code: 'HOOK_FAILED', service: 'reviews' } }],
      },
    })
    expect(shop.reviews.asked.length - asked).toBe(stage === 'subgraphAnswer' ? 1 : 0)
  }
  await until(
    () => shop.router.command.output().includes('"request":"operation-throw"'),
    'the line in the log',
  )
  const lines = shop.router.command.output().split('\n')
  expect(lines.find((line) => line.includes('"request":"operation-throw"'))).toContain('a hook failed')
  const unknown = lines.find((line) => line.includes('"request":"answer-unknown","stage"'))
  expect(unknown).toContain(
    'returned heders, which is not known here: expected data, errors, extensions, headers, refuse',
  )
  expect(unknown).not.toContain('secret')
  const metrics = await shop.router.metrics()
  expect(metrics).toContain('stage="identity",source="file",result="timeout"')
  expect(metrics).toContain('stage="labels",source="file",result="failed"')
  expect(metrics).toMatch(/tessera_errors_total\{code="HOOK_FAILED"\} [1-9]/)
})

const meddling = `
import type { Hooks } from 'tessera-graph/hooks'
const meddle = (value: any): void => {
  for (const key of Object.keys(value ?? {})) {
    if (typeof value[key] === 'object' && value[key] !== null) meddle(value[key])
    else value[key] = 'meddled'
  }
}
const meddled = ({ identity, variables, fetch, answer, data }: any): void => {
  identity?.scopes.add('products:read')
  for (const each of [variables, fetch?.variables, answer?.data, data]) meddle(each)
}
export default {
  onIdentity: meddled, onOperation: meddled, onSubgraphRequest: meddled, onSubgraphAnswer: meddled, onAnswer: meddled,
} satisfies Hooks
`

test('what a hook changes in what it gets changes nothing', async () => {
  const shop = await startShop()
  const send = () =>
    shop.send({
      query: 'query Q($first: Int) { reviewCount products(first: $first) { name stock } }',
      variables: { first: 2 },
    })
  const without = await send()
  await shop.use(meddling)
  expect((await send()).body).toEqual(without.body)
  expect(without.body).toMatchObject({
    data: {
      reviewCount: 5,
      products: [
        { name: 'n0', stock: null },
        { name: 'n1', stock: null },
      ],
    },
  })
})

test('a file that cannot be loaded changes nothing and says why, and is refused at start', async () => {
  const shop = await startShop()
  await shop.use(`export default { onAnswer: () => ({ extensions: { from: 'first' } }) }`)
  const from = async () => (await shop.send({ query: 'query Q { reviewCount }' })).body.extensions
  expect(await from()).toEqual({ from: 'first' })
  for (const [code, why] of [
    ['export default {', 'cannot be loaded'],
    ['export const hooks = {}', 'has no hooks'],
    ['export default { onAnswers() {} }', 'onAnswers: no such hook'],
    ['export default { onAnswer: 1 }', 'onAnswer: expected a function'],
    [`import './nowhere.ts'\nexport default {}`, 'cannot be loaded'],
  ] as const) {
    shop.router.write('hooks.ts', code)
    const { number, refused } = await shop.router.reload()
    expect([number, refused?.reasons.join()]).toEqual([2, expect.stringContaining(why)])
    expect(await from()).toEqual({ from: 'first' })
  }
  await shop.use(`export default { onAnswer: () => ({ extensions: { from: 'second' } }) }`)
  expect(await from()).toEqual({ from: 'second' })
  await expect(
    startRouter({
      supergraph: supergraphOf([shop.products, shop.reviews]),
      config: { TESSERA_HOOKS: '/nowhere.ts' },
    }),
  ).rejects.toThrow('hooks: the file cannot be read: /nowhere.ts')
})

test('hooks are closed once, when the last generation that uses them has ended', async () => {
  const closed = temporaryFile('closed.txt', '')
  const code = (name: string) => `import { appendFileSync } from 'node:fs'
export default { close: () => appendFileSync('${closed}', '${name} ') }`
  const shop = await startShop()
  await shop.use(code('first'))
  const config = { TESSERA_HOOKS: join(shop.router.folder, 'hooks.ts'), TESSERA_MAX_DEPTH: 9 }
  expect(await shop.router.reload(config)).toMatchObject({ number: 3 })
  await shop.use(code('second'))
  await shop.router[Symbol.asyncDispose]()
  expect(readFileSync(closed, 'utf8')).toBe('first second ')
})

/** Over a connection of its own, which goes to the next worker. */
function askAnew(origin: string): Promise<{ readonly extensions?: { readonly worker: number } }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const asked = request(`${origin}/graphql`, { method: 'POST', agent: false, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (more) => (text += more))
      answer.on('end', () => resolve(JSON.parse(text)))
    })
    asked.once('error', reject)
    asked.end('{"query":"{ reviewCount }"}')
  })
}

test('workers run the hooks, and a changed file is seen by each', async () => {
  const { router } = await startInFront(guardedShop, {
    apart: true,
    files: { 'hooks.ts': 'export default {}' },
    env: { TESSERA_WORKERS: '2', TESSERA_WATCH_MS: '50' },
  })
  router.write('hooks.ts', `export default { onAnswer: () => ({ extensions: { worker: process.pid } }) }`)
  router.configure({ TESSERA_HOOKS: join(router.folder, 'hooks.ts') })
  const seen = new Set<number>()
  await until(async () => {
    const { extensions } = await askAnew(router.origin)
    if (extensions !== undefined) seen.add(extensions.worker)
    return seen.size === 2
  }, 'answers of both workers')
})
