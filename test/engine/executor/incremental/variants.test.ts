/**
 * What an operation with `@defer` or `@stream` is made into for the values of its variables is chosen by clients: it is
 * made in the turns in which new operations are, and bounded in number and memory.
 */
import { type DocumentNode, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../../../../engine/index.ts'
import type { Transport } from '../../../../engine/subgraphs/index.ts'
import { PreparationQueue } from '../../../../gateway/pipeline/preparation-queue.ts'
import { type Federation, startFederation, testGatewayRequest } from '../../../support/federation.ts'
import { mergeEngine } from '../../../support/incremental.ts'

const ids = ['1', '2', '3', '4']
const services = {
  items: {
    sdl: /* GraphQL */ `
      type Query { items: [Item!]! }
      type Item @key(fields: "id") { id: ID! name: String }
    `,
    resolvers: { Query: { items: () => ids.map((id) => ({ id, name: `Item ${id}` })) } },
  },
  prices: {
    sdl: /* GraphQL */ `
      type Item @key(fields: "id") { id: ID! price: Int! }
    `,
    resolvers: { Item: { price: ({ id }: { id: string }) => Number(id) * 10 } },
  },
}

const document = parse(/* GraphQL */ `
  query ($count: Int!, $later: Boolean!) {
    items @stream(initialCount: $count) { name ... @defer(if: $later) { price } }
  }
`)
const whole = { items: ids.map((id) => ({ name: `Item ${id}`, price: Number(id) * 10 })) }

interface Stage extends AsyncDisposable {
  readonly engine: Engine
  /** How many operations were planned in parts. */
  readonly planned: () => number
}

async function startStage(preparations?: PreparationQueue): Promise<Stage> {
  const transports = new Map<string, Transport>()
  const federation: Federation = await startFederation(services, {
    wrap(transport) {
      transports.set(transport.name, transport)
      return transport
    },
  })
  let planned = 0
  const engine = createEngine({
    supergraph: federation.supergraph,
    transports,
    aroundPlan(make) {
      planned += 1
      return make()
    },
    prepare: preparations && (() => preparations.joining()),
  })
  return { engine, planned: () => planned, [Symbol.asyncDispose]: () => federation[Symbol.asyncDispose]() }
}

type Run = (variables: Record<string, unknown>) => ReturnType<typeof mergeEngine>

function runOf({ engine }: Stage, of: DocumentNode, noteBytes?: (bytes: number) => void): Run {
  const { executeIncrementally } = engine.compile({ document: of, noteBytes })
  if (executeIncrementally === undefined) throw new Error('The operation has no parts.')
  return async (variables) => mergeEngine(await executeIncrementally(variables, testGatewayRequest()))
}

test('new values of variables wait in the line of new operations, and beyond it are refused', async () => {
  const mostWaiting = 3
  await using stage = await startStage(new PreparationQueue(mostWaiting))
  const run = runOf(stage, document)
  const asked = Array.from({ length: 10 }, (_, count) => run({ count, later: true }))
  const outcomes = await Promise.allSettled(asked)
  const answered = outcomes.filter((each) => each.status === 'fulfilled')
  const refused = outcomes.filter((each) => each.status === 'rejected')
  // The first one begins immediately. If it takes long, it waits for its other steps in the same line.
  expect([mostWaiting, 1 + mostWaiting]).toContain(answered.length)
  expect(refused).toHaveLength(asked.length - answered.length)
  expect(stage.planned()).toBe(answered.length)
  for (const { value } of answered) expect(value.data).toEqual(whole)
  for (const { reason } of refused)
    expect(reason).toMatchObject({ extensions: { code: 'SERVICE_BUSY', retryAfter: 1 } })
})

test('values that are known need no turn, and what several wait for is made once', async () => {
  await using stage = await startStage(new PreparationQueue(1))
  const run = runOf(stage, document)
  await run({ count: 0, later: true })
  const many = Array.from({ length: 20 }, (_, index) => run({ count: index % 2, later: true }))
  for (const { data } of await Promise.all(many)) expect(data).toEqual(whole)
  expect(stage.planned()).toBe(2)
})

test('keeps the last of very many values, and gives the memory of the others back', async () => {
  await using stage = await startStage()
  let kept = 0
  const run = runOf(stage, document, (bytes) => {
    kept += bytes
  })
  const without = kept
  await run({ count: 0, later: true })
  const one = kept - without
  expect(one).toBeGreaterThan(0)
  for (let count = 1; count < 200; count++) {
    expect((await run({ count, later: true })).data).toEqual(whole)
    expect(kept - without).toBeLessThanOrEqual(16 * one * 1.1)
  }
  expect(stage.planned()).toBe(200)
  await run({ count: 199, later: true })
  expect(stage.planned()).toBe(200)
  await run({ count: 0, later: true })
  expect(stage.planned()).toBe(201)
})

test('an operation that cannot be divided is refused without being divided again', async () => {
  await using stage = await startStage()
  let divided = 0
  const fragments = Array.from({ length: 201 }, (_, at) => `... @defer(if: $later) { a${at}: name }`).join(
    ' ',
  )
  const run = runOf(stage, parse(`query ($later: Boolean!) { items { ${fragments} } }`), (bytes) => {
    divided += bytes
  })
  const before = divided
  const refusals: unknown[] = []
  for (let turn = 0; turn < 3; turn++)
    await run({ later: true }).catch((error: unknown) => refusals.push(error))
  expect(refusals).toHaveLength(3)
  expect(refusals[0]).toMatchObject({ extensions: { code: 'OPERATION_TOO_LARGE', maximum: 200 } })
  // The same refusal, and nothing is kept of it.
  expect(new Set(refusals).size).toBe(1)
  expect(divided).toBe(before)
})
