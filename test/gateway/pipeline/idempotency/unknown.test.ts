/** What an attempt leaves under a key that an earlier one of unknown outcome had, and what becomes of who waits for it. */
import { buildSchema, GraphQLError, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createGatewayRequest } from '../../../../engine/request.ts'
import type { GrantedOperation } from '../../../../gateway/auth/granted-operation.ts'
import { doneWith, errorsOf } from '../../../../gateway/pipeline/idempotency/entry.ts'
import {
  asUnknown,
  changedNothing,
  type FieldResult,
  outcomeOf,
} from '../../../../gateway/pipeline/idempotency/field-results.ts'
import { createIdempotency, createOutcomes } from '../../../../gateway/pipeline/idempotency/index.ts'
import { openSlot } from '../../../../gateway/pipeline/idempotency/slot.ts'
import { objectForm } from '../../../../gateway/pipeline/index.ts'
import { memoryStores } from '../../../../gateway/stores/index.ts'
import { tesseraError } from '../../../../shared/errors.ts'
import { CancelledError } from '../../../../shared/http/cancellation.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const allowed = normalisedOf(
  buildSchema('type Query { a: Int } type Mutation { f: Int }'),
  parse('mutation { f }'),
)
const whole = { allowed, refusals: [] }

test('a field that returned null is done if only fields below it are refused', () => {
  const message = 'F.secret requires `a`.'
  const extensions = { code: 'UNAUTHORIZED_FIELD_OR_TYPE', authorization: { required: [['a']] } }
  const refusal = { field: 1, parentType: '*', message, extensions }
  const error = new GraphQLError(message, { path: ['f'], extensions: { ...extensions } })
  const result: FieldResult = { json: '{"f":null}', errors: [error], isReplayed: false }
  expect(outcomeOf('f', result, 7, { allowed, refusals: [refusal] })).toMatchObject({ kind: 'done' })
  // It was refused itself, by the gateway or by its service.
  expect(outcomeOf('f', result, 7, { allowed: null, refusals: [refusal] })).toBeUndefined()
  expect(outcomeOf('f', result, 7, whole)).toBeUndefined()
  const inOurWords = { ...refusal, extensions: { ...extensions, authorization: { required: [['a']] } } }
  expect(outcomeOf('f', result, 7, { allowed, refusals: [inOurWords] })).toBeUndefined()
})

test('an error of a kept answer does not say that nothing was changed', () => {
  const error = tesseraError('FORBIDDEN', 'No.')
  const outcome = doneWith('{"f":null}', [error], '')
  if (outcome.kind !== 'done') throw new Error('it is kept')
  const [kept] = errorsOf(outcome)
  expect(kept?.extensions).toEqual(error.extensions)
  expect([error, kept as GraphQLError].map(changedNothing)).toEqual([true, false])
})

test('a refusal says nothing about the attempt before it: its errors say that the outcome is unknown', () => {
  const refusal: FieldResult = {
    json: '{"f":null}',
    errors: [tesseraError('UPSTREAM_TIMEOUT', 'Too late.')],
    isReplayed: false,
  }
  expect(outcomeOf('f', refusal, 7, whole)).toBeUndefined()
  const [error] = asUnknown(refusal).errors
  expect(error?.extensions).toEqual({ code: 'UPSTREAM_TIMEOUT', outcome: 'unknown' })
  expect(outcomeOf('f', asUnknown(refusal), 7, whole)).toEqual({ kind: 'unknown', since: 7 })
})

test('a request that waits for a key and runs out of time gets the error that it is in use', async () => {
  const store = createOutcomes(memoryStores, { mostCharacters: 1e6 })
  const slotFor = (ms: number) => {
    const by = createGatewayRequest({ id: 'a', deadline: performance.now() + ms, header: () => undefined })
    return openSlot(store, 60_000, { key: { caller: 'c', key: 'k' }, request: 'r', fields: ['f'], by })
  }
  await slotFor(10_000)
  const error = await slotFor(60).catch((each: unknown) => each)
  expect(error).not.toBeInstanceOf(CancelledError)
  expect(error).toMatchObject({ extensions: { code: 'IDEMPOTENCY_KEY_IN_USE' } })
})

test('a repeat is executed although the store has gone away since it took the key', async () => {
  const outcomes = createOutcomes(memoryStores, { mostCharacters: 1e6 })
  let asked = 0
  const store = { ...outcomes, now: () => (++asked > 2 ? Promise.reject(new Error('away')) : outcomes.now()) }
  const idempotency = createIdempotency({ store, keptMs: 60_000, settleMs: 10_000, findsOut: () => true })
  const granted = {
    operation: { hash: 'h', normalised: allowed },
    compiled: { plan: () => undefined },
    ...whole,
  } as unknown as GrantedOperation
  const left: unknown[] = []
  const execute = idempotency.guard(async (_, __, { earlierAttempt }) => {
    left.push(earlierAttempt?.leftMs)
    const error = tesseraError('UPSTREAM_TIMEOUT', 'Too late.', { extensions: { outcome: 'unknown' } })
    return { data: { f: null }, errors: [error] }
  }, objectForm)
  const ask = () =>
    execute(
      granted,
      {},
      createGatewayRequest({
        id: 'a',
        deadline: performance.now() + 20_000,
        header: (name) => (name === 'authorization' ? 'Bearer a' : undefined),
        identity: { scopes: new Set(), claims: { sub: 'a' }, authenticated: true },
        idempotencyKeys: 'k',
      }),
    )
  await ask()
  await ask()
  expect(left).toEqual([undefined, expect.closeTo(10_000, -4)])
})
