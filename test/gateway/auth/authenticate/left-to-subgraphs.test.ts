/** `Authorization` that subgraphs check themselves. */
import { expect, it } from 'vitest'
import { authenticatorFrom } from '../../../../gateway/auth/from-config.ts'
import { type Config, readConfig } from '../../../../gateway/config/index.ts'

const headers = { subgraphs: { products: { request: [{ propagate: { named: 'Authorization' } }] } } }
const shown = ['Basic YTpi', 'Bearer opaque', 'ApiKey 123', 'whatever']
const secret = 'a secret of more than thirty-two characters'

function authenticator(environment: Record<string, string>, sections: Partial<Config>) {
  const { config } = readConfig({ PORT: '0', ...environment })
  if (config === undefined) throw new Error('the configuration is wrong')
  return authenticatorFrom({ ...config, ...sections })
}

it('without a key, and with a rule that forwards the token, every caller is anonymous to the gateway', async () => {
  const on = authenticator({}, { headers })
  for (const header of shown) expect((await on.authenticate(header)).authenticated).toBe(false)
  await on.close()
})

it('without such a rule, or with a key, the token is checked', async () => {
  const unruled = authenticator({}, {})
  const keyed = authenticator({ TESSERA_JWT_SECRET: secret }, { headers })
  for (const header of shown) {
    expect(() => unruled.authenticate(header)).toThrow()
    await expect(async () => keyed.authenticate(header)).rejects.toThrow()
  }
  await Promise.all([unruled.close(), keyed.close()])
})
