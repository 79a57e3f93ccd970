/**
 * Configured headers on the calls to our own services: they arrive, and calls with different values are not shared.
 */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { metricsSubgraph } from '../subgraphs/metrics/kit.ts'
import { startGraph } from '../support/graph.ts'
import { eventually, heldClock, subscribeTo } from '../support/live.ts'
import { testRequest } from '../support/request.ts'
import { startScripted } from '../support/scripted-service.ts'

type Rules = Readonly<Record<string, unknown>>

const tenantHeader = { request: [{ propagate: { named: 'X-Scope-OrgID' } }] }
const byTenant: Rules = { subgraphs: { metrics: tenantHeader, videos: tenantHeader, messages: tenantHeader } }

/** A metrics server whose only series names the tenant that asked. */
const metricsByTenant = () =>
  startScripted(async ({ headers }) => {
    // Long enough for equal questions to meet.
    await new Promise((resolve) => setImmediate(resolve))
    const tenant = headers['x-scope-orgid'] ?? 'nobody'
    const result = [{ metric: { tenant }, value: [1, '1'] }]
    return { body: { status: 'success', data: { resultType: 'vector', result } } }
  })

const query = '{ metrics { query(query: "up") { series { label(name: "tenant") } } } }'

describe('the header of a tenant', () => {
  test('reaches the service, and no answer crosses from one tenant to another', async () => {
    await using service = await metricsByTenant()
    await using graph = await startGraph({
      urls: { metrics: service.url },
      file: { headers: byTenant },
      env: { TESSERA_RESPONSE_CACHE_BYTES: '1000000' },
    })
    const tenants = Array.from({ length: 40 }, (_, at) => `team-${at % 4}`)
    const answers = await Promise.all(
      tenants.map((tenant) => graph.ask(query, {}, { headers: { 'x-scope-orgid': tenant } })),
    )
    for (const [at, { data, errors }] of answers.entries()) {
      expect(errors).toEqual([])
      expect(data.metrics.query.series).toEqual([{ label: tenants[at] }])
    }
    const none = await graph.ask(query)
    expect(none.data.metrics.query.series).toEqual([{ label: 'nobody' }])
  })

  test('that is a claim cannot be chosen by the client', async () => {
    await using service = await metricsByTenant()
    const claim = { insert: { name: 'X-Scope-OrgID', claim: 'sub' } }
    await using graph = await startGraph({
      urls: { metrics: service.url },
      file: { headers: { subgraphs: { metrics: { request: [claim] } } } },
    })
    const ask = async (subject: string) => {
      const token = await graph.token('metrics.read', subject)
      return graph.ask(
        query,
        {},
        { scope: null, headers: { authorization: `Bearer ${token}`, 'x-scope-orgid': 'other' } },
      )
    }
    const answers = await Promise.all(['ann', 'ben', 'ann', 'ben'].map(ask))
    expect(answers.map(({ data }) => data.metrics.query.series[0].label)).toEqual([
      'ann',
      'ben',
      'ann',
      'ben',
    ])
  })

  test('keeps apart lookups, kept answers and calls of other services too, and not the units', async () => {
    await using graph = await startGraph({
      file: { headers: byTenant },
      env: { TESSERA_CACHE_SECONDS: '60' },
    })
    const ids = sampleVideos.own.slice(0, 5)
    const ask = (tenant: string) =>
      graph.ask(
        'query ($ids: [ID!]!) { videos(videoIds: $ids) { snippet { title } } message(messageId: "20") { lang } mediaQuota { used } }',
        { ids },
        { headers: { 'x-scope-orgid': tenant } },
      )
    for (let round = 0; round < 2; round++) {
      for (const { errors } of await Promise.all(['a', 'b', 'a', 'b'].map(ask))) expect(errors).toEqual([])
    }
    const tenantsAt = (name: string) =>
      graph.sandbox.journal
        .filter(({ service }) => service === name)
        .map(({ headers }) => headers['x-scope-orgid'])
    expect(tenantsAt('videos').sort()).toEqual(['a', 'b'])
    expect(new Set(tenantsAt('messages'))).toEqual(new Set(['a', 'b']))
    const used = await Promise.all(['a', 'b', 'c'].map(ask))
    expect(new Set(used.slice(0, 2).map(({ data }) => data.mediaQuota.used)).size).toBe(1)
    expect(used[2]?.data.mediaQuota.used).toBeGreaterThanOrEqual(2)
  })

  test('is that of each poll of a subscription, and tenants share no poller', async () => {
    await using service = await metricsByTenant()
    const clock = heldClock()
    const subgraph = metricsSubgraph(service.url, {
      interval: '5s',
      live: { clock },
      callHeaders: (request): Record<string, string> => {
        const tenant = request.header('x-scope-orgid')
        return tenant === undefined ? {} : { 'x-scope-orgid': tenant }
      },
    })
    try {
      const watch = async (tenant: string) => {
        const watching = await subscribeTo(
          subgraph,
          'subscription { metricsQuery(query: "up") { series { label(name: "tenant") } } }',
          {},
          testRequest({ 'x-scope-orgid': tenant }, { timeoutMs: 600_000 }),
        )
        watching.read()
        return watching
      }
      const [a, b, again] = [await watch('a'), await watch('b'), await watch('a')]
      clock.pass(60)
      await Promise.all([a, b, again].map((each) => each.until(1)))
      const labelOf = (each: typeof a) => each.seen[0]?.data.metricsQuery.series[0].label
      expect([a, b, again].map(labelOf)).toEqual(['a', 'b', 'a'])
      // The first who asked goes, and the poller goes on with the header of the other one.
      await a.close()
      await eventually(() => clock.waiting >= 2)
      const before = service.arrived.length
      clock.pass(5000)
      await eventually(() => service.arrived.length >= before + 2)
      const asked = service.arrived.map(({ headers }) => headers['x-scope-orgid'])
      expect(asked.slice(0, 2).sort()).toEqual(['a', 'b'])
      expect(asked.slice(before, before + 2).sort()).toEqual(['a', 'b'])
    } finally {
      await subgraph.close()
    }
  })
})

describe('rules', () => {
  test('for all subgraphs reach no service', async () => {
    await using service = await metricsByTenant()
    await using graph = await startGraph({
      urls: { metrics: service.url },
      file: { headers: { all: tenantHeader } },
    })
    await graph.ask(query, {}, { headers: { 'x-scope-orgid': 'a' } })
    expect(service.arrived.map(({ headers }) => headers['x-scope-orgid'])).toEqual([undefined])
  })

  test('replace nothing that the client of the service sends', async () => {
    await using service = await metricsByTenant()
    const rules = [
      { insert: { name: 'Authorization', value: 'Bearer of-a-rule' } },
      { insert: { name: 'X-Extra', value: 'yes' } },
    ]
    await using graph = await startGraph({
      urls: { metrics: service.url },
      file: { headers: { subgraphs: { metrics: { request: rules } } } },
    })
    expect((await graph.ask(query)).errors).toEqual([])
    expect(service.arrived[0]?.headers).toMatchObject({
      authorization: 'Bearer of-a-rule',
      'x-extra': 'yes',
      'user-agent': 'tessera',
    })
  })

  test.each([
    ['metrics', { answer: [{ propagate: { named: 'X-A' } }] }, 'no header of its service reaches clients'],
    ['metrics', { request: [{ propagate: { matching: 'x-*' } }] }, 'only headers that are named'],
    ['metrics', { request: [{ insert: { name: 'If-None-Match', value: '*' } }] }, 'decides on this header'],
    ['metrics', { request: [{ insert: { name: 'Authorization', value: 'x' } }] }, 'own credential'],
    ['nodes', { request: [{ insert: { name: 'X-A', value: 'x' } }] }, 'calls no service'],
  ])('for %s that cannot hold are refused at the start: %j', async (subgraph, rules, reason) => {
    const starting = startGraph({
      file: { headers: { subgraphs: { [subgraph]: rules } } },
      env: { TESSERA_METRICS_CREDENTIAL: 'bearer:t0ken' },
    })
    await expect(starting).rejects.toThrow(reason)
    await expect(starting).rejects.toThrow(`headers.subgraphs.${subgraph}`)
  })
})
