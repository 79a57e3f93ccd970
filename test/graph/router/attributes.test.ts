/** Attributes of the operator's own on metrics and spans: what the configuration names, bounded, and no secret. */
import { expect, test } from 'vitest'
import { attributes } from '../../../gateway/pipeline/config.ts'
import { createAttributes } from '../../../gateway/pipeline/report.ts'
import { onlyProducts, startInFront } from '../../support/router.ts'
import { signToken, tokenSecret } from '../../support/token.ts'

test('requests are counted by headers and claims, so many values of each', async () => {
  const token = await signToken({ plan: 'gold' })
  const { router } = await startInFront(onlyProducts, {
    env: { TESSERA_JWT_SECRET: tokenSecret },
    config: { attributes: { metrics: { headers: ['X-Tenant'], claims: ['plan', 'org'], mostValues: 2 } } },
  })
  for (const tenant of ['a', 'b', 'a', 'c', 'd'])
    await router.ask('{ products { name } }', { 'x-tenant': tenant, authorization: `Bearer ${token}` })
  await router.ask('{ products { name } }')
  const lines = (await router.metrics())
    .split('\n')
    .filter((line) => line.startsWith('tessera_requests_by_attribute_total{'))
  expect(lines.sort()).toEqual([
    'tessera_requests_by_attribute_total{attribute="claim_plan",value="gold"} 5',
    'tessera_requests_by_attribute_total{attribute="header_x-tenant",value="a"} 2',
    'tessera_requests_by_attribute_total{attribute="header_x-tenant",value="b"} 1',
    'tessera_requests_by_attribute_total{attribute="header_x-tenant",value="other"} 2',
  ])
})

test('values are plain, cut, and of no credential', () => {
  const names = {
    headers: ['X-Tenant', 'authorization', 'x-api-key'],
    claims: ['org', 'list', '__proto__', 'access_token'],
  }
  const read = createAttributes(names, { header: 'h.', claim: 'c.' })
  const identity = { claims: { org: 7, list: ['a'], access_token: 'x' } }
  expect(read({ sent: { header: () => 'v'.repeat(1000) }, identity } as never)).toEqual([
    ['h.x-tenant', 'v'.repeat(200)],
    ['c.org', '7'],
  ])
})

test.each([
  { spans: { headers: ['Authorization'] } },
  { spans: { headers: ['X-Auth-Token'] } },
  { spans: { claims: ['client_secret'] } },
  { spans: { headers: Array.from({ length: 21 }, (_, at) => `x-${at}`) } },
  { metrics: { claims: ['a', 'b', 'c', 'd', 'e', 'f'] } },
  { metrics: { mostValues: 100_000 } },
])('the configuration refuses %j', (given) => {
  expect(attributes.safeParse(given).success).toBe(false)
})
