/** How long a start takes is mostly loading: what a process does not use is not loaded. */
import { expect, test } from 'vitest'
import { sources, startProcess } from '../../support/process.ts'

const preload = new URL('../../support/loaded-packages.ts', import.meta.url).href

/** The most modules that a start may load: what it loaded when this was written, and 5 %. Lower it if it loads fewer. */
test.each([
  ['serve', ['serve'], 'graph', 1_520],
  ['subgraph', ['subgraph', 'nodes'], 'nodes', 1_469],
])('%s loads no package of a feature that is not configured', async (_command, command, started, most) => {
  const args = ['--import', preload, sources, ...command, '--port', '0']
  await using server = startProcess(process.execPath, args, { env: { TESSERA_LOG_LEVEL: 'silent' } })
  await server.said(started)
  server.child.kill('SIGTERM')
  expect(Number(await server.said('modules'))).toBeLessThanOrEqual(most)
  const loaded = (await server.said('packages')).split(',')
  expect(loaded).toEqual(expect.arrayContaining(['cors', 'graphql']))
  const unused = [
    '@apollo/server',
    '@opentelemetry/sdk-trace-node',
    '@theguild/federation-composition',
    'ajv',
    'fastify',
    'internal/deps/undici/undici',
    'ioredis',
    'oidc-provider',
    'yaml',
  ]
  expect(loaded.filter((name) => unused.includes(name))).toEqual([])
})
