import { expect, test } from 'vitest'
import { authenticate } from '../../../../gateway/pipeline/steps/authenticate.ts'
import { anonymous, type Identity } from '../../../../shared/identity.ts'
import { arriving } from './kit.ts'

const ada: Identity = { subject: 'ada', scopes: new Set(), claims: {}, authenticated: true }

test('the token identifies the caller, with what the request shows besides', () => {
  const context = arriving({ sentHeaders: { authorization: 'Bearer t', dpop: 'p' }, method: 'POST' })
  const asked: unknown[] = []
  const made = authenticate.run(context, {
    authenticator: {
      authenticate(header, shown) {
        asked.push(header, shown?.method, shown?.header('dpop'))
        return ada
      },
      close: async () => {},
    },
  })
  expect(made).toBeUndefined()
  expect(asked).toEqual(['Bearer t', 'POST', 'p'])
  expect(context.identity).toBe(ada)
})

test('an identity that the transport knows is not asked for again; one that comes late is waited for', async () => {
  const authenticator = { authenticate: () => anonymous, close: async () => {} }
  const context = arriving({ identity: async () => ada })
  const made = authenticate.run(context, { authenticator })
  expect(made).toBeInstanceOf(Promise)
  await made
  expect(context.identity).toBe(ada)
})
