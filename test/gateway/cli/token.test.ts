/** `tessera token`: tokens for the sandbox, and tokens of a key that the user has. */
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runInProcess as run, startInProcess } from '../../support/in-process-command.ts'
import { postJson } from '../../support/post-json.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { folder, standInFolder } from './command-line.ts'

standInFolder()

const opens = async (url: string, token: string): Promise<unknown> => {
  const response = await postJson(url, '{"query":"{ metrics { buildInfo { version } } }"}', {
    authorization: `Bearer ${token.trim()}`,
  })
  return response.json()
}
const opened = { data: { metrics: { buildInfo: { version: expect.any(String) } } } }

describe('tessera token', () => {
  test('opens a refused field in the sandbox that shares its folder', async () => {
    await using serve = startInProcess(['serve', '--port', '0'])
    const url = await serve.said('graph')
    const { out } = await run(['token', '--scope', 'metrics.read'])
    expect(await opens(url, out)).toMatchObject(opened)
  })

  test.each([
    ['one service is real', { TESSERA_METRICS_URL: 'http://127.0.0.1:9090' }],
    ['another supergraph is served', { TESSERA_SUPERGRAPH: 'supergraph.graphql' }],
  ])('mints nothing if %s', async (_, env) => {
    const { code, out, err } = await run(['token', '--scope', 'a'], env)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/only if every service is the sandbox/)
    expect(err).toMatch(/TESSERA_JWT_SECRET/)
  })
})

describe('a token of a key that the user has', () => {
  test('opens a field of a gateway that shares the secret, or checks with the public key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const file = temporaryFile('private.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const secret = { TESSERA_JWT_SECRET: 'what the issuer and this server share' }
    const pair = {
      TESSERA_JWT_PUBLIC_KEY: String(publicKey.export({ type: 'spki', format: 'pem' })),
      TESSERA_JWT_ISSUER: 'me',
    }
    const ways: [Record<string, string>, Record<string, string>, string[]][] = [
      [secret, secret, []],
      [secret, { MINE: secret.TESSERA_JWT_SECRET }, ['--secret-env', 'MINE']],
      [pair, pair, ['--key', file]],
    ]
    for (const [gateway, env, args] of ways) {
      await using serve = startInProcess(['serve', '--port', '0'], gateway)
      const url = await serve.said('graph')
      const { code, out, err } = await run(['token', '--scope', 'metrics.read', ...args], env)
      expect([code, err]).toEqual([0, ''])
      expect(await opens(url, out)).toMatchObject(opened)
    }
  })

  test('is not made with a secret that is too short for the gateway', async () => {
    const args = ['token', '--scope', 'a', '--secret-env', 'MINE']
    const { code, out, err } = await run(args, { MINE: 'hunter2' })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^tessera token: MINE: expected at least 32 characters, as for TESSERA_JWT_SECRET\n/)
    expect(err).not.toContain('hunter2')
  })

  test('is not made with a key that is too short for the algorithm, which names what is expected', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const file = temporaryFile('short.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    const { code, out, err } = await run(['token', '--scope', 'a', '--key', file])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`--key ${file}: expected an RSA key of at least 2048 bits, or a P-256`)
  })

  test('is not made with an invalid key, and the fault does not repeat it', async () => {
    const file = temporaryFile('garbage.pem', 'hunter2')
    for (const [key, expected] of [
      [file, 2],
      [join(folder, 'missing.pem'), 1],
    ] as const) {
      const { code, out, err } = await run(['token', '--scope', 'a', '--key', key])
      expect([code, out]).toEqual([expected, ''])
      expect(err).toMatch(new RegExp(`${key}(: expected a private key| cannot be read)`))
      expect(err).not.toMatch(/hunter2| at /)
    }
  })
})
