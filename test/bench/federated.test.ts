/** The bench of the public shape: its graph, its query, and the entry for the public benchmark. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { services, supergraphAt } from '../../bench/federated/graph.ts'
import { federatedNames } from '../../bench/federated/index.ts'
import { federatedOperations } from '../../bench/federated/operations.ts'
import { readOptions } from '../../bench/options.ts'
import { publicOrigin } from '../../bench/public/benchmark/write.ts'
import { routerNames, startRouter } from '../../bench/routers.ts'
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { startFederation } from '../support/federation.ts'

const folder = new URL('../../bench/public/benchmark/', import.meta.url)

test('the supergraph of the public entry is that of the bench, at the address of the public subgraphs', () => {
  expect(readFileSync(new URL('supergraph.graphql', folder), 'utf8')).toBe(supergraphAt(publicOrigin))
  const { subgraphs } = loadSupergraph(supergraphAt(publicOrigin))
  expect(subgraphs.map(({ name, url }) => `${name} ${url}`)).toContain('reviews http://0.0.0.0:4200/reviews')
})

test.each(['benchmark/install.sh', 'benchmark/run.sh', 'audit/install.sh', 'audit/run.sh'])(
  '%s of the public entries is sound for bash, and can be run',
  (name) => {
    const script = new URL(`../${name}`, folder).pathname
    execFileSync('bash', ['-n', script])
    execFileSync('test', ['-x', script])
  },
)

test('the entry of the audit says at which address the gateway answers, and what was returned without a failure', () => {
  const read = (name: string) => readFileSync(new URL(`../audit/${name}`, folder), 'utf8')
  const { graphql, health } = JSON.parse(read('gateway.json')) as { graphql: string; health: string }
  expect([graphql, health]).toEqual(['http://127.0.0.1:4000/graphql', 'http://127.0.0.1:4000/health/ready'])
  expect(read('run.sh')).toContain(`--port ${new URL(graphql).port}`)
  const results = read('results.txt')
  expect(results).toMatch(/^Total: 199\nPassed: 199\nFailed: 0/m)
  expect(results).not.toMatch(/^[.]*X/m)
})

test('the nested query is answered with what one schema would answer, in the size of the public one', async () => {
  const { apiSchema } = loadSupergraph(supergraphAt(publicOrigin))
  for (const { text } of federatedOperations) expect(validate(apiSchema, parse(text))).toEqual([])
  await using federation = await startFederation(services)
  const [equal] = federatedOperations
  const { data, errors } = await federation.run(equal?.text ?? '', {}, { once: true })
  expect(errors).toEqual([])
  const size = JSON.stringify({ data }).length
  expect(size).toBeGreaterThan(80_000)
  expect(size).toBeLessThan(95_000)
  expect(data.users).toHaveLength(6)
  expect(data.topProducts[0].reviews[0].author.reviews[1].product).toEqual({
    inStock: true,
    name: 'Table',
    price: 899,
    shippingEstimate: 50,
    upc: '1',
    weight: 100,
  })
})

test('the federated bench chooses gateways by their own names', () => {
  expect(readOptions(['--federated'])).toMatchObject({
    federated: true,
    gateways: federatedNames,
    candidates: [],
  })
  expect(readOptions(['--federated', '--only', 'cosmo,tessera']).gateways).toEqual(['tessera', 'cosmo'])
  expect(() => readOptions(['--federated', '--only', 'mercurius'])).toThrow(
    /unknown: mercurius; expected some of tessera/,
  )
})

test.each(routerNames)('%s is absent, in words, if no variable names its binary', async (name) => {
  const setting = { supergraph: '', subgraphs: [], shares: true }
  await expect(startRouter(name, setting)).rejects.toThrow(/^TESSERA_BENCH_[A-Z_]+ names no file$/)
})
