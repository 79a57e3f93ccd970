import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { authorize } from '../../../../gateway/pipeline/steps/authorize.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { authorized, partsOf, prepared } from './kit.ts'

const none = partsOf({})
const { granted } = authorized()

test('a refused token is reported before everything else if the operation needs any scope', () => {
  const tokenFault = tesseraError('UNAUTHENTICATED', 'expired')
  const context = prepared(
    { text: 'mutation { a }', queriesOnly: true },
    { requirements: { open: false } as never, grantedTo: () => granted as never },
  )
  context.identity = { scopes: new Set(), claims: {}, authenticated: false, tokenFault }
  expect(() => authorize.run(context, none)).toThrow(tokenFault)
})

test('a subscription without a transport for its events is explained on request', () => {
  const explained = prepared(
    { text: 'subscription { a }', sentHeaders: { 'tessera-explain': '1' } },
    { grantedTo: () => granted as never },
  )
  expect(authorize.run(explained, partsOf({ pricing: {} as never }))).toBeUndefined()
  expect(explained.isExplained).toBe(true)
})

test('one refused field refuses the whole operation on request: each reason once', () => {
  const refusal = { message: 'No.', extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }
  const context = prepared(
    { refusesParts: true },
    { grantedTo: () => ({ ...granted, refusals: [refusal, refusal] }) as never },
  )
  const end = authorize.run(context, none)
  expect(end).toEqual({ errors: [new GraphQLError('No.', { extensions: refusal.extensions })] })
})
