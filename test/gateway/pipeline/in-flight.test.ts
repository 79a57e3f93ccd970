/** Bounds of what is kept of operations under way, and of the memory of who changed something. */
import { expect, test } from 'vitest'
import { createGatewayRequest, type GatewayRequest } from '../../../engine/request.ts'
import type { GrantedOperation } from '../../../gateway/auth/granted-operation.ts'
import {
  createInFlight,
  createLastMutations,
  type InFlightOptions,
  SharedResult,
} from '../../../gateway/pipeline/in-flight.ts'
import type { Result } from '../../../gateway/pipeline/index.ts'
import { anonymous } from '../../../shared/identity.ts'
import { byteString } from '../../../shared/json/byte-string.ts'
import { textOf } from '../../support/sent-json.ts'

const plan = {
  kind: 'fetch',
  operation: { service: 'one', kind: 'query', text: '{a}', name: undefined, variableNames: [] },
  renames: [],
  path: undefined,
  when: undefined,
}
const granted = {
  operation: { normalised: { kind: 'query' } },
  compiled: { plan: () => plan },
} as unknown as GrantedOperation

const requestOf = (subject?: string): GatewayRequest =>
  createGatewayRequest({
    id: 'test',
    deadline: performance.now() + 20_000,
    header: () => undefined,
    identity:
      subject === undefined
        ? anonymous
        : { ...anonymous, subject, claims: { iss: 'me' }, authenticated: true },
  })

async function executed(
  variables: readonly Readonly<Record<string, unknown>>[],
  options: Partial<InFlightOptions>,
): Promise<{ readonly times: number; readonly results: readonly Result<unknown>[] }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let times = 0
  const execute = createInFlight({
    enabled: true,
    callerHeaders: () => [],
    timeoutMs: 1000,
    ...options,
  }).share(async () => {
    times += 1
    await promise
    return { data: byteString('{"a":"ü"}') }
  })
  const waiting = variables.map((each) => execute(granted, each, requestOf()))
  resolve()
  return { results: await Promise.all(waiting), times }
}

test('equal operations under way are executed once, within the bounds of what is remembered', async () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }]
  expect((await executed([a, a, b, a, b], {})).times).toBe(2)
  const long = { id: 'x'.repeat(65_536) }
  expect((await executed([long, long], {})).times).toBe(2)
  expect((await executed([a, a], { callerHeaders: () => undefined })).times).toBe(2)
  expect((await executed([a, a], { enabled: false })).times).toBe(2)
})

test('the bytes of a result are made once for all who wait for it', async () => {
  const { results } = await executed([{}, {}, {}], {})
  const [first] = results
  if (!(first instanceof SharedResult)) throw new Error('it was not shared')
  expect(results.every((result) => result === first)).toBe(true)
  expect(first.isPlain).toBe(true)
  expect(textOf(first.body)).toBe('{"data":{"a":"ü"}}')
  expect(textOf(first.data)).toBe('{"a":"ü"}')
})

test('a bounded number of callers who changed something is remembered, and beyond it the oldest bound holds for all', () => {
  const writers = createLastMutations(60_000)
  expect(writers.lastOf(requestOf('alice'))).toBe(0)
  writers.wrote(requestOf('alice'))
  const alice = writers.lastOf(requestOf('alice'))
  expect(alice).toBeGreaterThan(0)
  expect(writers.lastOf(requestOf('bob'))).toBe(0)
  expect(writers.lastOf(requestOf())).toBe(0)
  writers.wrote(requestOf())
  for (let n = 0; n < 9998; n++) writers.wrote(requestOf(`another ${n}`))
  expect(writers.lastOf(requestOf('bob'))).toBe(0)
  writers.wrote(requestOf('bob'))
  // Alice had to make room.
  expect(writers.lastOf(requestOf('alice'))).toBe(alice)
  expect(writers.lastOf(requestOf('carol'))).toBe(alice)
  expect(writers.lastOf(requestOf('bob'))).toBeGreaterThan(alice)
})

test('a caller who changed something is forgotten when nothing that began before can still run', () => {
  const writers = createLastMutations(-1)
  writers.wrote(requestOf('alice'))
  expect(writers.lastOf(requestOf('alice'))).toBe(0)
})
