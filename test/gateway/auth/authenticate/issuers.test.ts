/** Several issuers side by side, and tokens that are bound to certificates. */
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  createAuthenticator,
  createProofMemory,
  type IssuerOptions,
  type ProofMaterial,
} from '../../../../gateway/auth/authenticate/index.ts'
import { createRedisStores } from '../../../../gateway/stores/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { makeCertificate } from '../../../support/certificate.ts'
import { startRedis, withRedis } from '../../../support/redis.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { outcomeOf } from './outcome.ts'

const secretOf = (name: string): string => `the secret that ${name} and this server share`

function token(claims: Record<string, unknown>, secret: string): Promise<string> {
  return new SignJWT({ sub: 'ada', exp: 4_102_444_800, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
}

describe('several issuers', () => {
  const issuer = (name: string, more: Partial<IssuerOptions> = {}): IssuerOptions => ({
    key: { kind: 'secret', secret: secretOf(name) },
    issuer: `https://${name}.example.com`,
    audience: `for ${name}`,
    ...more,
  })
  const on = createAuthenticator({
    ...issuer('one', { aliases: { read: ['metrics.read'] } }),
    others: [issuer('two', { aliases: { read: ['agents.read'] } })],
  })
  const ask = async (claims: Record<string, unknown>, secret: string): Promise<unknown> => {
    const { identity, reason } = await outcomeOf(on, `Bearer ${await token(claims, secret)}`)
    return identity === undefined ? reason : [...identity.scopes]
  }
  const of = (name: string) => ({ iss: `https://${name}.example.com`, aud: `for ${name}`, scope: 'read' })

  it('each have their key, audience and scopes', async () => {
    expect(await ask(of('one'), secretOf('one'))).toEqual(['read', 'metrics.read'])
    expect(await ask(of('two'), secretOf('two'))).toEqual(['read', 'agents.read'])
  })

  it('cannot speak for each other', async () => {
    expect(await ask(of('one'), secretOf('two'))).toBe('signature')
    expect(await ask({ ...of('two'), aud: 'for one' }, secretOf('two'))).toBe('audience')
    expect(await ask({ ...of('three') }, secretOf('one'))).toBe('issuer')
    expect(await ask({ ...of('one'), iss: undefined }, secretOf('one'))).toBe('issuer')
  })
})

describe('a token that is bound to a certificate', () => {
  const folder = temporaryFolder()
  const certificateOf = (name: string): string => {
    makeCertificate(folder, name)
    return readFileSync(join(folder, `${name}.pem`), 'utf8')
  }
  const [own, foreign] = [certificateOf('own'), certificateOf('foreign')]
  const der = new X509Certificate(own).raw
  const digest = createHash('sha256').update(der)
  const thumbprint = digest.copy().digest('base64url')
  const on = createAuthenticator({
    key: { kind: 'secret', secret: secretOf('one') },
    possession: { certificates: { header: 'client-cert', proxies: ['127.0.0.1', '10.0.0.0/8', '::1'] } },
  })
  const ask = async (value: string | undefined, peer: string | undefined): Promise<unknown> => {
    const shown: ProofMaterial = {
      peer: () => peer,
      header: (name) => (name === 'client-cert' ? value : undefined),
    }
    const text = await token({ cnf: { 'x5t#S256': thumbprint } }, secretOf('one'))
    const { identity, reason } = await outcomeOf(on, `Bearer ${text}`, shown)
    return identity === undefined ? reason : identity.subject
  }

  it.each([
    ['RFC 9440', `:${der.toString('base64')}:`],
    ['PEM, percent-encoded', encodeURIComponent(own)],
    ['PEM in one line', own.trim().replaceAll('\n', ' ')],
    ['Envoy', `By=spiffe://b;Hash=${digest.copy().digest('hex')};Subject="x"`],
    [
      'Envoy, with the whole subject',
      `Hash=${digest.copy().digest('hex')};Subject="CN=a \\"b\\", c,OU=d;Hash=x,C=US";URI=spiffe://a`,
    ],
  ])('is taken with it, as %s', async (_, value) => {
    for (const peer of ['127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', '::1'])
      expect(await ask(value, peer)).toBe('ada')
    for (const peer of ['192.168.0.1', '::ffff:11.0.0.1', undefined])
      expect(await ask(value, peer)).toBe('binding')
  })

  it.each([
    ['another one', encodeURIComponent(foreign)],
    ['none', undefined],
    ['something else', 'abc'],
    ['what cannot be decoded', '%E0%A4%A'],
    ['the thumbprint itself', thumbprint],
    [
      'another one whose subject names it',
      `Hash=${'0'.repeat(64)};Subject="O=\\"x,Hash=${digest.copy().digest('hex')};\\",CN=y,Hash=${digest.copy().digest('hex')};"`,
    ],
    ...[',', ';', ',By=spiffe://b;', '",'].map((before): [string, string] => [
      `another one whose URI names it after ${before}`,
      `By=spiffe://b;Hash=${'0'.repeat(64)};Subject="CN=x";URI=spiffe://a${before}Hash=${digest.copy().digest('hex')}`,
    ]),
  ])('is refused with %s', async (_, value) => {
    expect(await ask(value, '127.0.0.1')).toBe('binding')
  })
})

describe.skipIf(!withRedis('DPoP proofs over replicas'))('the memory of proofs in Redis', () => {
  it('is one for all replicas, and each has its own while Redis is away', async () => {
    await using redis = await startRedis()
    const log = createLogger({ level: 'silent' })
    const [one, two] = [0, 1].map(() => createProofMemory(createRedisStores({ url: redis.url, log })))
    if (one === undefined || two === undefined) throw new Error('two replicas')
    expect(await one.take('a', 60_000)).toBe(true)
    expect([await two.take('a', 60_000), await one.take('a', 60_000)]).toEqual([false, false])
    await redis.stop()
    expect([await one.take('b', 60_000), await one.take('b', 60_000)]).toEqual([true, false])
    await Promise.all([one.close(), two.close()])
  })
})
