/**
 * Which client requests which fields: counted by a gateway, shown by `tessera usage`, and compared with a change by
 * `tessera diff`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from '../../support/in-process-command.ts'
import { shop, startInFront, startRouter, startService, supergraphOf } from '../../support/router.ts'
import { temporaryFiles } from '../../support/temporary.ts'

const { folder, file } = temporaryFiles()
const token = 'the-token-of-the-admin-port'
const env = { TESSERA_ADMIN_TOKEN: token }

const old = {
  ...shop.products,
  sdl: shop.products.sdl.replace(
    'name: String }',
    'name: String title: String @deprecated(reason: "use name") }',
  ),
}
const oldShop = { products: old }
const withoutTitle = shop.products

const ios = { 'graphql-client-name': 'ios', 'graphql-client-version': '1.2' }

test('usage is shown by field, operation and client, and a change fails only if it breaks one of them', async () => {
  await using products = await startService('products', old)
  const supergraph = supergraphOf([products])
  await using router = await startRouter({ supergraph, env: { ...env, TESSERA_ADMIN_PORT: '0' } })
  const admin = await router.command.said('admin')
  const newer = file('newer.graphql', supergraphOf([{ ...products, sdl: withoutTitle.sdl }]))
  const older = file('older.graphql', supergraph)

  await router.ask('query Names { products { name } }', ios)
  await router.ask('query Names { products { name } }')
  await router.ask('{ nothing }', ios)
  expect((await runInProcess(['diff', older, newer], env)).code).toBe(1)
  const fine = await runInProcess(['diff', older, newer, '--usage', admin], env)
  expect([fine.code, fine.out]).toEqual([
    0,
    expect.stringMatching(/^breaking +FIELD_REMOVED[\s\S]*^No request uses what breaks: 2 requests since /m),
  ])

  await router.ask('query Titles { products { name title } }', ios)
  const usage = await runInProcess(['usage', admin, '--out', join(folder, 'usage.json')], env)
  expect([usage.code, usage.err]).toEqual([0, expect.stringMatching(/^3 requests since /)])
  expect(
    usage.out
      .replaceAll(/ {2,}/g, '  ')
      .replaceAll(/ [0-9a-f]{8} /g, ' # ')
      .replaceAll(/\d{4}-\d\d-\d\d/g, 'today'),
  ).toBe(
    [
      '  field  operation  client  requests  last',
      'deprecated  Product.title  Titles #  ios 1.2  1  today',
      '  Product.name  Names #  ios 1.2  1  today',
      '  Product.name  Titles #  ios 1.2  1  today',
      '  Product.name  Names #  unknown  1  today',
      '  Query.products  Names #  ios 1.2  1  today',
      '  Query.products  Titles #  ios 1.2  1  today',
      '  Query.products  Names #  unknown  1  today',
      '',
    ].join('\n'),
  )
  const [, hash = ''] = / Titles ([0-9a-f]{8}) /.exec(usage.out) ?? []
  const ofOne = await runInProcess(['usage', admin, '--operation', hash.slice(0, 5), '--json'], env)
  expect(JSON.parse(ofOne.out)).toHaveLength(3)
  const deprecated = await runInProcess(
    ['usage', admin, join(folder, 'usage.json'), '--deprecated', '--json'],
    env,
  )
  expect(JSON.parse(deprecated.out)).toMatchObject([
    { coordinate: 'Product.title', deprecated: 'use name', client: 'ios 1.2', count: 1 },
  ])

  const broken = await runInProcess(['diff', older, newer, '--usage', join(folder, 'usage.json')])
  expect([broken.code, broken.out]).toEqual([
    1,
    expect.stringMatching(
      /^broken +Product\.title was removed\n {2}Titles [0-9a-f]{8} {2}ios 1\.2 {2}1 request, last /m,
    ),
  ])
  expect(readFileSync(join(folder, 'usage.json'), 'utf8')).not.toContain(token)
})

test('nobody sees it without the token, and an invalid report is refused', async () => {
  const { router } = await startInFront(oldShop, { env: { ...env, TESSERA_ADMIN_PORT: '0' } })
  const admin = await router.command.said('admin')
  const wrong = await runInProcess(['usage', admin], { TESSERA_ADMIN_TOKEN: 'another-token-than-the-one' })
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('answered 401')])
  expect((await runInProcess(['usage', admin])).err).toContain('TESSERA_ADMIN_TOKEN must be set')
  expect((await runInProcess(['usage', file('none.json', '{}')])).err).toContain('is not a report of usage')
})

test('several workers are reported as one', async () => {
  const { router } = await startInFront(oldShop, {
    apart: true,
    env: { ...env, TESSERA_ADMIN_PORT: '0', TESSERA_WORKERS: '2' },
  })
  const admin = await router.command.said('admin')
  for (let n = 0; n < 6; n += 1)
    await router.ask('query Names { products { name } }', { ...ios, connection: 'close' })
  // A worker that is late on a busy machine is left out of one report.
  const reported = async () =>
    JSON.parse((await runInProcess(['usage', admin, '--field', 'Product', '--json'], env)).out)
  await expect.poll(reported).toMatchObject([{ coordinate: 'Product.name', client: 'ios 1.2', count: 6 }])
})
