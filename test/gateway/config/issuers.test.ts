/** Whose tokens are taken, as variables and file say it. */
import { expect, test } from 'vitest'
import { readConfig } from '../../../gateway/config/index.ts'
import { temporaryFile } from '../../support/temporary.ts'

const secret = 'what the issuer and this server share'

function fileOf(text: string): Record<string, string> {
  const file = temporaryFile('tessera.yaml', text)
  return { TESSERA_CONFIG: file }
}

test('issuers of the file stand beside the one of the variables', () => {
  const file = fileOf(`
TESSERA_JWT_SECRET: ${secret}
TESSERA_JWT_ISSUER: https://one.example.com
issuers:
  - issuer: https://two.example.com
    jwksUrl: https://two.example.com/keys
    scopes: { read: [metrics.read] }
  - issuer: https://three.example.com
    introspection: { url: 'https://three.example.com/introspect', clientId: a, clientSecret: b }
`)
  const { config } = readConfig(file)
  expect(config?.trustedIssuers).toMatchObject([
    { issuer: 'https://one.example.com', key: { kind: 'secret' } },
    { key: { kind: 'jwks', url: 'https://two.example.com/keys' }, aliases: { read: ['metrics.read'] } },
    { introspection: { clientId: 'a', cacheMs: 30_000 } },
  ])
})

test.each([
  [{ TESSERA_JWT_ISSUER: 'a' }, /^TESSERA_JWT_ISSUER: needs one of/],
  [{ TESSERA_JWT_TYPE: 'at+jwt' }, /^TESSERA_JWT_TYPE: needs one of/],
  [
    { TESSERA_INTROSPECTION_URL: 'http://127.0.0.1:1' },
    /^TESSERA_INTROSPECTION_URL, TESSERA_INTROSPECTION_CLIENT_ID and one of .* are required/,
  ],
  [{ TESSERA_CLIENT_CERTIFICATE_HEADER: 'Client-Cert' }, /^TESSERA_CLIENT_CERTIFICATE_PROXIES: required/],
  [
    { TESSERA_CLIENT_CERTIFICATE_PROXIES: '10.0.0.0/33' },
    /^TESSERA_CLIENT_CERTIFICATE_PROXIES: expected addresses/,
  ],
  [{ TESSERA_DPOP: 'accept', TESSERA_WORKERS: '2' }, /^TESSERA_REDIS_URL: required/],
  [
    { TESSERA_DPOP: 'accept', TESSERA_DPOP_NONCE: 'true', TESSERA_WORKERS: 'auto' },
    /^TESSERA_DPOP_NONCE_SECRET: required/,
  ],
  [{ TESSERA_DPOP: 'maybe' }, /^TESSERA_DPOP: expected off, accept or require/],
  [
    fileOf(`TESSERA_JWT_SECRET: ${secret}\nissuers: [{ issuer: a, secret: ${secret} }]`),
    /^TESSERA_JWT_ISSUER: required/,
  ],
  [
    fileOf(`issuers: [{ issuer: a, secret: ${secret} }, { issuer: a, secret: ${secret} }]`),
    /each issuer once/,
  ],
  [fileOf('issuers: [{ issuer: a }]'), /expected one of jwksUrl, publicKey and secret/],
  [fileOf('issuers: [{ issuer: a, secret: short }]'), /expected at least 32 characters/],
  [fileOf('issuers: [{ isuer: a }]'), /isuer: no such key; did you mean issuer/],
])('%j is refused', (env, message) => {
  const { faults } = readConfig(env)
  expect(
    faults?.some((fault) => message.test(fault)),
    String(faults),
  ).toBe(true)
  expect(String(faults)).not.toContain(secret)
})
