/** What the operations of one HTTP request have in common. */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { startGraph } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { signToken, tokenSecret } from '../../support/token.ts'

test('one DPoP proof is good for all operations of a batch, and for no other request', async () => {
  await using graph = await startGraph({
    env: {
      TESSERA_JWT_SECRET: tokenSecret,
      TESSERA_MAX_BATCH: '3',
      TESSERA_DPOP: 'require',
      TESSERA_DPOP_NONCE: 'true',
    },
  })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const token = await signToken({ scope: 'metrics.read', cnf: { jkt: await calculateJwkThumbprint(jwk) } })
  const proof = (nonce?: string) =>
    new SignJWT({
      htm: 'POST',
      htu: graph.url,
      jti: randomUUID(),
      ath: createHash('sha256').update(token).digest('base64url'),
      ...(nonce === undefined ? {} : { nonce }),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey)
  const operation = { query: '{ metrics { buildInfo { version } } }' }
  const send = async (dpop: string) => {
    const headers = { authorization: `DPoP ${token}`, dpop }
    const response = await postJson(graph.url, [operation, operation, operation], headers)
    const answers = (await response.json()) as { errors?: { extensions: object }[] }[]
    return {
      nonce: response.headers.get('dpop-nonce') ?? undefined,
      reasons: answers.map(({ errors }) => errors?.[0]?.extensions),
    }
  }
  const refused = (reason: string) => ({ code: 'UNAUTHENTICATED', authentication: { reason } })

  const { nonce, reasons } = await send(await proof())
  expect(reasons).toEqual(Array.from({ length: 3 }, () => refused('nonce')))
  const good = await proof(nonce)
  expect((await send(good)).reasons).toEqual([undefined, undefined, undefined])
  expect((await send(good)).reasons).toEqual(Array.from({ length: 3 }, () => refused('proof')))
})
