/** Subscriptions to long-running operations, over the sandbox. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleAgents } from '../../../sandbox/agents/index.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import { eventually, type HeldClock, heldClock, subscribeTo } from '../../support/live.ts'
import { run } from '../../support/subgraph.ts'

let sandbox: Sandbox
let clock: HeldClock
let subgraph: Subgraph
beforeEach(async () => {
  sandbox = await startSandbox()
  clock = heldClock()
  subgraph = createAgentsSubgraph({ baseUrl: sandbox.url, credential: { kind: 'none' }, live: { clock } })
})
afterEach(async () => {
  await subgraph.close()
  await sandbox.close()
})
const watch = (name: string) =>
  subscribeTo(
    subgraph,
    'subscription ($name: ID!) { agentOperationChanged(name: $name) { done metadata } }',
    { name },
  )
const polls = () => sandbox.journal.filter(({ path }) => path.includes('/operations/')).length

test('an export is followed until it is done, and not requested after that', async () => {
  sandbox.change('agents', { operationsLast: true })
  const { data } = await run(
    subgraph,
    `mutation { exportAgent(input: { project: "${sampleAgents.project}" }) { operation { name } } }`,
  )
  const { name } = data.exportAgent.operation
  const [one, two] = await Promise.all([watch(name), watch(name)])
  one.read()
  two.read()
  clock.pass(50)
  await Promise.all([one.until(1), two.until(1)])
  await eventually(() => clock.waiting > 0)
  sandbox.change('agents', { progress: name, percent: 40 })
  clock.pass(30_000)
  await one.until(2)
  await eventually(() => clock.waiting > 0)
  sandbox.change('agents', { finish: name })
  clock.pass(30_000)
  await one.until(3)
  await eventually(() => one.ended !== undefined && two.ended !== undefined)
  expect(one.ended).toBeNull()
  expect(one.seen.map(({ data: each }) => each.agentOperationChanged.done)).toEqual([false, false, true])
  expect(two.seen).toHaveLength(3)
  expect(clock.waiting).toBe(0)
  expect(polls()).toBe(3)
})

test('an operation that there is not ends it, and a malformed name makes no call', async () => {
  const watching = await watch(`projects/${sampleAgents.project}/operations/none`)
  watching.read()
  clock.pass(50)
  await eventually(() => watching.ended !== undefined)
  expect(watching.ended).toMatchObject({ extensions: { code: 'NOT_FOUND' } })
  const made = polls()
  await expect(watch('nonsense')).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
  expect(polls()).toBe(made)
  expect(clock.waiting).toBe(0)
})
