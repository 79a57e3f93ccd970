/** Who holds a subscription, over the renewal of a token without a subject. */
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createAuthenticator, type ProofMaterial } from '../../../gateway/auth/authenticate/index.ts'
import { Caller } from '../../../gateway/subscriptions/caller.ts'

const secret = 'the secret that the issuer and this server share'
const nothingShown: ProofMaterial = { header: () => undefined, peer: () => undefined }

const token = async (claims: Record<string, unknown>): Promise<string> => {
  const jwt = new SignJWT({
    exp: 4_102_444_800,
    iss: 'https://id.example.com',
    ...claims,
  }).setProtectedHeader({ alg: 'HS256' })
  return `Bearer ${await jwt.sign(new TextEncoder().encode(secret))}`
}

test('a token without a subject is renewed by one of the same program, and counts for the same caller', async () => {
  const authenticator = createAuthenticator({ key: { kind: 'secret', secret } })
  const headers = { authorization: await token({ client_id: 'app', jti: '1' }) }
  const caller = new Caller(authenticator, { headers })
  caller.noteEnd(await caller.identity())
  const before = caller.key()
  await caller.renew(await token({ client_id: 'app', jti: '2' }), nothingShown)
  const after = await caller.identity()
  expect(after.claims.jti).toBe('2')
  expect(caller.key()).toBe(before)
  for (const other of [
    { client_id: 'other' },
    { username: 'app' },
    { client_id: 'app', iss: 'https://b.example' },
  ])
    await expect(caller.renew(await token(other), nothingShown)).rejects.toMatchObject({
      extensions: { code: 'UNAUTHENTICATED' },
    })
  await authenticator.close()
})

test('a token that has expired is renewed by one of the same subject, and no other', async () => {
  const exp = 4_102_444_800
  let seconds = exp - 10
  const authenticator = createAuthenticator({ key: { kind: 'secret', secret }, now: () => seconds * 1000 })
  const caller = new Caller(authenticator, { headers: { authorization: await token({ sub: 'ada', exp }) } })
  caller.noteEnd(await caller.identity())
  seconds = exp + 60
  const later = exp + 600
  await expect(caller.renew(await token({ sub: 'bob', exp: later }), nothingShown)).rejects.toMatchObject({
    extensions: { code: 'UNAUTHENTICATED' },
  })
  await caller.renew(await token({ sub: 'ada', exp: later }), nothingShown)
  expect((await caller.identity()).subject).toBe('ada')
  await authenticator.close()
})

test('a token ends for a subscription when it ends for a request: after the accepted difference of clocks', async () => {
  const exp = 4_102_444_800
  const now = () => (exp + 20) * 1000
  const authenticator = createAuthenticator({ key: { kind: 'secret', secret }, clockTolerance: 30, now })
  const caller = new Caller(authenticator, { headers: { authorization: await token({ sub: 'ada', exp }) } })
  caller.noteEnd(await caller.identity())
  expect(caller.until).toBe((exp + 30) * 1000)
  await authenticator.close()
})
