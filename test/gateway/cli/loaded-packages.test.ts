/** How long a start takes is mostly loading: what a process does not use is not loaded. */
import { expect, test } from 'vitest'
import { sources, startProcess } from '../../support/process.ts'

const preload = new URL('../../support/loaded-packages.ts', import.meta.url).href

test('serve loads no package of a feature that is not configured', async () => {
  const args = ['--import', preload, sources, 'serve', '--port', '0']
  await using gateway = startProcess(process.execPath, args, { env: { TESSERA_LOG_LEVEL: 'silent' } })
  await gateway.said('graph')
  gateway.child.kill('SIGTERM')
  const loaded = (await gateway.said('packages')).split(',')
  expect(loaded).toEqual(expect.arrayContaining(['cors', 'graphql', 'undici']))
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
