/** A reload while an agent is answered. */
import { expect, test } from 'vitest'
import { send } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { startScripted } from '../../support/scripted-service.ts'

const _meta = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}

test('a task that asks the graph twice is answered by the same one both times', async () => {
  let held: PromiseWithResolvers<void> | undefined
  let reached = Promise.withResolvers<void>()
  const coprocessor = keep(
    await startScripted(async () => {
      const wait = held
      held = undefined
      reached.resolve()
      await wait?.promise
      return { body: { version: 1, control: 'continue' } }
    }),
  )
  const graph = keep(
    await startGraph({
      file: {
        mcp: { changes: 'free' },
        coprocessor: { url: coprocessor.url, timeoutMs: 600_000, stages: { operation: {} } },
      },
    }),
  )
  const ask = async (method: string, params: Readonly<Record<string, unknown>>) =>
    (await send(graph, method, { ...params, _meta }, { scope: allScopes })).json
  await graph.ask(
    'mutation { exportAgent(input: { project: "demo", agentUri: "gs://archives/b" }) { agentUri } }',
  )
  const document =
    'mutation { importAgent(input: { project: "demo", agentUri: "gs://archives/b" }) { operation { name done } } }'
  const begun = await ask('tools/call', { name: 'execute_operation', arguments: { document } })
  expect(begun.result).toMatchObject({ resultType: 'task' })
  const { taskId } = begun.result
  held = Promise.withResolvers<void>()
  const { resolve } = held
  reached = Promise.withResolvers<void>()
  const answering = ask('tasks/get', { taskId })
  await reached.promise
  expect(await graph.gateway.reload()).toMatchObject({ kind: 'done' })
  resolve()
  const { result, error } = await answering
  expect([error, result?.status]).toEqual([undefined, 'completed'])
})
