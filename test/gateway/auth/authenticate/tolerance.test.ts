/** The configured difference between the clocks of an issuer and of this server. */
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { authenticatorFrom } from '../../../../gateway/auth/from-config.ts'
import { readConfig } from '../../../../gateway/config/index.ts'
import { outcomeOf } from './outcome.ts'

const secret = 'the secret that the issuer and this server share'

async function outcome(env: Record<string, string>, claims: Record<string, number>): Promise<unknown> {
  const { config, faults } = readConfig({ TESSERA_JWT_SECRET: secret, ...env })
  if (faults !== undefined) throw new Error(faults.join('; '))
  const authenticator = authenticatorFrom(config)
  const jwt = new SignJWT({ sub: 'ada', ...claims }).setProtectedHeader({ alg: 'HS256' })
  const text = await jwt.sign(new TextEncoder().encode(secret))
  const { identity, reason } = await outcomeOf(authenticator, `Bearer ${text}`)
  await authenticator.close()
  return identity === undefined ? reason : identity.subject
}

test('a token is accepted within the tolerance after its end and before its beginning', async () => {
  const now = Math.floor(Date.now() / 1000)
  const wide = { TESSERA_TOKEN_CLOCK_TOLERANCE_SECONDS: '300' }
  const none = { TESSERA_TOKEN_CLOCK_TOLERANCE_SECONDS: '0' }
  expect(await outcome(wide, { exp: now - 100 })).toBe('ada')
  expect(await outcome(wide, { exp: now - 400 })).toBe('expired')
  expect(await outcome({}, { exp: now - 100 })).toBe('expired')
  expect(await outcome(none, { exp: now - 1 })).toBe('expired')
  expect(await outcome(wide, { exp: now + 1000, nbf: now + 100 })).toBe('ada')
  expect(await outcome({}, { exp: now + 1000, nbf: now + 100 })).not.toBe('ada')
})

test('the tolerance may be from 0 to 300 seconds', () => {
  for (const wrong of ['-1', '301', '1.5', 'long'])
    expect(readConfig({ TESSERA_TOKEN_CLOCK_TOLERANCE_SECONDS: wrong }).faults?.join('')).toMatch(
      /TESSERA_TOKEN_CLOCK_TOLERANCE_SECONDS/,
    )
})
