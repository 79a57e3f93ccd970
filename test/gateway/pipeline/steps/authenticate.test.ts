import { expect, test } from 'vitest'
import { authenticate } from '../../../../gateway/pipeline/steps/authenticate.ts'
import { anonymous, type Identity } from '../../../../shared/identity.ts'
import { arriving } from './kit.ts'

test('an identity that the transport knows is not asked for again, because a proof is good once', async () => {
  const ada: Identity = { subject: 'ada', scopes: new Set(), claims: {}, authenticated: true }
  const authenticator = { authenticate: () => anonymous, close: async () => {} }
  const context = arriving({ identity: async () => ada })
  await authenticate.run(context, { authenticator })
  expect(context.identity).toBe(ada)
})
