import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Config, readConfig, settings } from '../../../gateway/config/index.ts'
import { defaults } from '../../../gateway/config/defaults.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'

function configOf(env: Record<string, string>): Config {
  const { config, faults } = readConfig(env)
  expect(faults).toBeUndefined()
  return config as Config
}

/** With FILE for the path of the file. */
const faultsOf = (env: Record<string, string>): readonly string[] =>
  (readConfig(env).faults ?? []).map((fault) => fault.replace(env.TESSERA_CONFIG ?? 'FILE', 'FILE'))

test('nothing configured is every service from the sandbox, on 127.0.0.1:4000', () => {
  const config = configOf({})
  expect([config.server.host, config.server.port, config.trustedIssuers]).toEqual(['127.0.0.1', 4000, []])
  expect(Object.values(config.services)).toEqual(
    [
      { namespace: 'media' },
      {},
      { vocabulary: 'tweet' },
      { interval: '15s', server: 'auto', delay: 'auto' },
    ].map((own) => ({ credential: { kind: 'none' }, ...own })),
  )
})

test('the defaults can be kept as data, as bundles keep them', () => {
  expect(JSON.parse(JSON.stringify(defaults))).toEqual(defaults)
  expect(settings.every(({ schema }) => schema instanceof z.ZodType)).toBe(true)
})

test('a password of Redis that is not percent-encoded is a fault', () => {
  expect(faultsOf({ TESSERA_REDIS_URL: 'redis://:50%off@127.0.0.1:6379' })).toEqual([
    'TESSERA_REDIS_URL: expected user and password percent-encoded: % is written %25',
  ])
  expect(faultsOf({ TESSERA_REDIS_URL: 'redis://:50%25off@127.0.0.1:6379' })).toEqual([])
})

test.each([
  [
    'a certificate of clients without TLS',
    { TESSERA_TLS_CLIENT_CA: 'CA' },
    /^TESSERA_TLS_CERT: required with TESSERA_TLS_CLIENT_CA/,
  ],
  [
    'an explorer that signs in nowhere',
    { TESSERA_EXPLORER_CLIENT_ID: 'page' },
    /^TESSERA_JWT_ISSUER: must be an address if TESSERA_EXPLORER_CLIENT_ID/,
  ],
  [
    'workers with a cache for each',
    { TESSERA_RESPONSE_CACHE_BYTES: '1000000', TESSERA_WORKERS: '2' },
    /^TESSERA_RESPONSE_CACHE_REDIS_URL: required if several workers cache responses/,
  ],
  [
    'half of a key for S3',
    { TESSERA_SUPERGRAPH: 's3://bucket/supergraph.graphql', AWS_ACCESS_KEY_ID: 'id' },
    /^AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: give both or neither/,
  ],
  [
    'assertions without a key',
    { TESSERA_SUBGRAPH_CALLER: 'assertion' },
    /^TESSERA_SUBGRAPH_SECRET: required if TESSERA_SUBGRAPH_CALLER is assertion/,
  ],
  [
    'a key of assertions that nobody makes',
    { TESSERA_SUBGRAPH_ASSERTION_JWKS_URL: 'https://a.test/keys' },
    /^TESSERA_SUBGRAPH_CALLER: must be assertion if TESSERA_SUBGRAPH_ASSERTION_JWKS_URL is given/,
  ],
])('settings that need each other: %s', (_, env: Record<string, string>, fault) => {
  expect(faultsOf(env)).toEqual([expect.stringMatching(fault)])
})

test('every fault is named in one message, by variable, with what was expected', () => {
  const faults = faultsOf({
    PORT: '99999',
    TESSERA_VIDEOS_URL: 'ftp://x',
    TESSERA_METRICS_CREDENTIAL: 'password',
    TESSERA_SCOPE_ALIASES: '[1]',
    TESSERA_JWT_ALGORITHM: 'RS256',
  })
  expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
    'PORT',
    'TESSERA_JWT_ALGORITHM',
    'TESSERA_METRICS_CREDENTIAL',
    'TESSERA_SCOPE_ALIASES',
    'TESSERA_VIDEOS_URL',
  ])
  expect(faults.join('\n')).toMatch(/did you mean TESSERA_JWT_ALGORITHMS\?/)
  for (const fault of faults) expect(fault).toMatch(/expected|must be|did you mean/)
})

test('variables that configure the tests are not checked', () => {
  configOf({ TESSERA_TEST_SEED: '9001', TESSERA_TEST_NODES: '/usr/bin/node:' })
  expect(faultsOf({ TESSERA_TESTED: 'x' }).join()).toContain('TESSERA_TESTED: no such variable')
})

test('a fault never repeats the value, which might be a secret', () => {
  const secret = 'hunter2hunter2'
  const faults = faultsOf({
    TESSERA_JWT_SECRET: secret,
    TESSERA_SUBGRAPH_SECRET: 'hunter2',
    TESSERA_VIDEOS_CREDENTIAL: `bearer${secret}`,
    TESSERA_REDIS_URL: `http://user:${secret}@host`,
  })
  expect(faults.length).toBe(4)
  expect(faults.join('\n')).not.toContain('hunter2')
})

describe('rules over several variables', () => {
  test('a remote subgraph needs the shared secret', () => {
    const remote = { TESSERA_VIDEOS_SUBGRAPH_URL: 'http://127.0.0.1:4001/graphql' }
    expect(faultsOf(remote).join()).toMatch(/TESSERA_SUBGRAPH_SECRET/)
    const config = configOf({ ...remote, TESSERA_SUBGRAPH_SECRET: 'sixteen letters!' })
    expect(config.subgraph.urls).toEqual({ videos: 'http://127.0.0.1:4001/graphql' })
  })
  test('tokens are checked with one key, not several, and their issuer only with a key', () => {
    expect(
      faultsOf({ TESSERA_JWT_SECRET: 'x'.repeat(32), TESSERA_JWT_JWKS_URL: 'https://id.example.com/jwks' })
        .length,
    ).toBe(1)
    expect(faultsOf({ TESSERA_JWT_ISSUER: 'https://id.example.com' }).join()).toMatch(/TESSERA_JWT_ISSUER/)
  })
  test('trusted operations need their manifest', () => {
    expect(faultsOf({ TESSERA_PERSISTED: 'trusted' }).join()).toMatch(/TESSERA_PERSISTED_MANIFEST/)
  })
})

describe('the file', () => {
  const fileWith = (text: string): string => temporaryFile('tessera.yaml', text)
  test('gives the same keys, and the environment wins', () => {
    const TESSERA_CONFIG = fileWith(
      'PORT: 5000\nHOST: 127.0.0.2\nTESSERA_SCOPE_ALIASES:\n  theirs: [media.read]\n',
    )
    const config = configOf({ TESSERA_CONFIG, PORT: '6000' })
    expect([config.server.host, config.server.port]).toEqual(['127.0.0.2', 6000])
    expect(config.authorization.scopeAliases).toEqual({ theirs: ['media.read'] })
  })
  test('is a fault if it has an unknown key, is no mapping, or does not exist', () => {
    expect(faultsOf({ TESSERA_CONFIG: fileWith('PROT: 1\n') }).join()).toMatch(
      /PROT: no such key.*did you mean PORT\?/,
    )
    expect(faultsOf({ TESSERA_CONFIG: fileWith('- a\n') }).join()).toMatch(/YAML mapping/)
    expect(faultsOf({ TESSERA_CONFIG: '/no/such/file' }).join()).toMatch(/cannot be read/)
  })
  test('with a fault names its line and column, and repeats no value', () => {
    const faults = faultsOf({
      TESSERA_CONFIG: fileWith('HOST: 127.0.0.1\nPORT:   hunter2\nTESSERA_JWT_ALGORITHM: RS256\n'),
    })
    expect(faults).toEqual([
      'TESSERA_JWT_ALGORITHM: no such key; did you mean TESSERA_JWT_ALGORITHMS? (FILE:3:1)',
      expect.stringMatching(/^PORT: expected .* \(FILE:2:9\)$/),
    ])
    const broken = faultsOf({ TESSERA_CONFIG: fileWith('HOST: 127.0.0.1\nPORT: "hunter2\n') }).join()
    expect(broken).toMatch(/the file is not YAML: .* \(FILE:\d+:\d+\)/)
    expect(broken).not.toContain('hunter2')
    expect(faultsOf({ TESSERA_CONFIG: fileWith('PORT: 1\nPORT: 2\n') }).join()).toMatch(/\(FILE:2:1\)/)
  })
})

test.each([
  ['TESSERA_PORT', /PORT is the port/],
  ['TESSERA_HOST', /HOST is the address/],
])('%s is no variable, and the fault says which one is meant', (name, expected) => {
  expect(faultsOf({ [name]: '1' }).join()).toMatch(expected)
})

test('TESSERA_URL in the environment is for programs that ask a graph, and refuses nothing; in the file it is a fault', () => {
  expect(faultsOf({ TESSERA_URL: 'http://127.0.0.1:4000' })).toEqual([])
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tessera.yaml'), 'TESSERA_URL: http://127.0.0.1:4000\n')
  expect(faultsOf({ TESSERA_CONFIG: join(folder, 'tessera.yaml') }).join()).toMatch(
    /TESSERA_PUBLIC_URL is the address under which clients reach the gateway/,
  )
})

test('what Kubernetes sets for a Service of our name is one fault, with its cure', () => {
  const faults = faultsOf({
    TESSERA_SERVICE_HOST: '10.0.0.1',
    TESSERA_SERVICE_PORT: '4000',
    TESSERA_SERVICE_PORT_HTTP: '4000',
    TESSERA_PORT: 'tcp://10.0.0.1:4000',
    TESSERA_PORT_4000_TCP: 'tcp://10.0.0.1:4000',
    TESSERA_PORT_4000_TCP_ADDR: '10.0.0.1',
    TESSERA_VIDEOS_PORT: 'tcp://10.0.0.2:4001',
  })
  expect(faults).toEqual([
    "TESSERA_SERVICE_HOST and 6 more: not variables of Tessera; Kubernetes sets them for a Service of that name: set `enableServiceLinks: false` in the pod's spec",
  ])
})
