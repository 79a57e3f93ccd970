/** What an earlier attempt made is found in the form in which the service shows it. */
import { expect, test } from 'vitest'
import { testRequest } from '../../support/request.ts'
import { agentsOver, failed } from './kit.ts'

const name = 'projects/demo/agent/intents/i'
const repeat = (given: string) =>
  `mutation { createIntent(input: { project: "demo", displayName: "D", ${given} }) { intent { name } } }`

test.for([
  ['isFallback: false, mlDisabled: true', { mlDisabled: true }],
  ['webhookState: WEBHOOK_STATE_UNSPECIFIED', {}],
  ['priority: 0', {}],
  ['priority: 0', { priority: 500_000 }],
  ['priority: 3', { priority: 3 }],
] as const)('an intent with %s is found as %j', async ([given, shown]) => {
  await using agents = await agentsOver({ body: { intents: [{ name, displayName: 'D', ...shown }] } })
  const request = { ...testRequest(), earlierAttempt: { since: 0, leftMs: 0 } }
  const { data, errors } = await agents.run(repeat(given), {}, request)
  expect([data, errors]).toEqual([{ createIntent: { intent: { name } } }, []])
  expect(agents.arrived.map(({ method }) => method)).toEqual(['GET'])
})

test.for([
  ['priority: 3', {}],
  ['priority: 3', { priority: 500_000 }],
  ['webhookState: WEBHOOK_STATE_ENABLED', {}],
  ['isFallback: false', { isFallback: true }],
  ['action: "X_UNSPECIFIED"', {}],
] as const)("an intent with %s is somebody else's as %j", async ([given, shown]) => {
  await using agents = await agentsOver(({ method }) =>
    method === 'GET'
      ? { body: { intents: [{ name, displayName: 'D', ...shown }] } }
      : { body: { name: `${name}2`, displayName: 'D' } },
  )
  const request = { ...testRequest(), earlierAttempt: { since: 0, leftMs: 0 } }
  const { data } = await agents.run(repeat(given), {}, request)
  expect(data.createIntent.intent.name).toBe(`${name}2`)
})

test.for([
  [failed(404, 'NOT_FOUND', ''), { project: 'demo' }, []],
  [{ status: 404 }, null, ['unknown']],
  [{ status: 404, body: { error: 'Not Found' } }, null, ['unknown']],
] as const)(
  "an agent counts as deleted only after the service's own 404 (%#)",
  async ([answer, payload, outcomes]) => {
    await using agents = await agentsOver(answer)
    const request = { ...testRequest(), earlierAttempt: { since: 0, leftMs: 0 } }
    const repeated = 'mutation { deleteAgent(input: { project: "demo" }) { project } }'
    const { data, errors } = await agents.run(repeated, {}, request)
    expect(data).toEqual({ deleteAgent: payload })
    expect(errors.map(({ extensions }) => extensions.outcome)).toEqual(outcomes)
    expect(agents.arrived.map(({ method }) => method)).toEqual(['GET'])
  },
)
