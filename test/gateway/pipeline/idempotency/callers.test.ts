/** Whose a key is. */
import { buildSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createGatewayRequest } from '../../../../engine/request.ts'
import type { GrantedOperation } from '../../../../gateway/auth/granted-operation.ts'
import { createIdempotency, createOutcomes } from '../../../../gateway/pipeline/idempotency/index.ts'
import { objectForm } from '../../../../gateway/pipeline/index.ts'
import { memoryStores } from '../../../../gateway/stores/index.ts'
import { anonymous, type Identity } from '../../../../shared/identity.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const document = parse('mutation { pay }')
const normalised = normalisedOf(buildSchema('type Query { a: Int } type Mutation { pay: Int }'), document)
const granted = {
  operation: { hash: 'h', name: undefined, document, normalised },
  allowed: normalised,
  refusals: [],
} as unknown as GrantedOperation

function open() {
  const idempotency = createIdempotency({
    store: createOutcomes(memoryStores, { mostCharacters: 1e6 }),
    keptMs: 60_000,
    settleMs: 0,
    findsOut: () => false,
  })
  let paid = 0
  const execute = idempotency.guard(async () => {
    paid += 1
    return { data: { pay: paid } }
  }, objectForm)
  const pay = async (
    identity: Identity,
    authorization: string,
    key: string | undefined,
  ): Promise<unknown> => {
    const request = createGatewayRequest({
      id: 'test',
      deadline: performance.now() + 20_000,
      header: (name) => (name === 'authorization' ? authorization : undefined),
      identity,
      idempotencyKeys: key,
    })
    try {
      const { data } = await execute(granted, {}, request)
      return data?.pay
    } catch (error) {
      return (error as { extensions: { code: string } }).extensions.code
    }
  }
  return { pay, paid: () => paid }
}

const caller = (claims: Identity['claims']): Identity => ({ scopes: new Set(), claims, authenticated: true })

test('a key without a caller is refused, and nothing is executed; without a key the mutation is executed as usual', async () => {
  const { pay, paid } = open()
  expect(await pay(anonymous, '', 'k')).toBe('BAD_REQUEST')
  expect(paid()).toBe(0)
  expect(await pay(anonymous, '', undefined)).toBe(1)
})

test.each(['username', 'client_id'])(
  'a key outlives the renewal of a token that names only a %s',
  async (claim) => {
    const { pay, paid } = open()
    expect(await pay(caller({ iss: 'i', [claim]: 'x', jti: '1' }), 'Bearer one', 'k')).toBe(1)
    expect(await pay(caller({ iss: 'i', [claim]: 'x', jti: '2' }), 'Bearer two', 'k')).toBe(1)
    expect(await pay(caller({ iss: 'i', [claim]: 'y', jti: '3' }), 'Bearer two', 'k')).toBe(2)
    expect(paid()).toBe(2)
  },
)

test('a token that names nobody stands for itself', async () => {
  const { pay } = open()
  expect(await pay(caller({ iss: 'i' }), 'Bearer one', 'k')).toBe(1)
  expect(await pay(caller({ iss: 'i' }), 'Bearer one', 'k')).toBe(1)
  expect(await pay(caller({ iss: 'i' }), 'Bearer two', 'k')).toBe(2)
})

test('a key of callers whom a hook lets in without a name or token is refused, because they may be many', async () => {
  const { pay, paid } = open()
  expect(await pay(caller({ tenant: 'one' }), '', 'k')).toBe('BAD_REQUEST')
  expect(await pay(caller({ tenant: 'two' }), '', 'k')).toBe('BAD_REQUEST')
  expect(paid()).toBe(0)
})
