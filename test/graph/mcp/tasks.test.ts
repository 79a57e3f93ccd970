/**
 * Work that goes on after the change that began it, as a task: by the client of the protocol's extension, and message by
 * message.
 */
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client'
import { beforeAll, expect, test } from 'vitest'
import { send, startAgent } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { keep, keepForFile } from '../../support/keep.ts'
import { startScripted } from '../../support/scripted-service.ts'

const extension = 'io.modelcontextprotocol/tasks'
const takes = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [extension]: {} } } }

const graph = keepForFile(await startGraph({ file: { mcp: { changes: 'confirm' } } }))
const exported =
  'mutation { exportAgent(input: { project: "demo", agentUri: "gs://archives/b" }) { agentUri } }'
beforeAll(async () => {
  expect((await graph.ask(exported)).errors).toEqual([])
})

type Params = Readonly<Record<string, unknown>>

const importing = (uri: string): string =>
  `mutation { importAgent(input: { project: "demo", agentUri: "${uri}" }) { operation { name done } } }`
const exporting = 'mutation { exportAgent(input: { project: "demo" }) { operation { name done } } }'

const asked = (method: string, params: Params, scope: string | null = allScopes) =>
  send(graph, method, { ...params, _meta: takes }, { scope })

/** Arguments that confirm a change. */
async function confirmed(document: string): Promise<{ document: string; confirmation: string }> {
  const first = await send(
    graph,
    'tools/call',
    { name: 'execute_operation', arguments: { document } },
    { scope: allScopes },
  )
  const { confirmation } = JSON.parse(first.json.result.content[0].text)
  return { document, confirmation }
}

async function begun(document: string): Promise<Record<string, string>> {
  const { json } = await asked('tools/call', {
    name: 'execute_operation',
    arguments: await confirmed(document),
  })
  expect(json.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 86_400_000 })
  return json.result
}

test('the client of the extension gets a task for an import, and waits for its result', async () => {
  await using agent = await startAgent(graph)
  const session = createTaskSessionFromClient(agent.client, {
    endpointId: 'test',
    async rawDispatch(request) {
      const { method, params } = request as unknown as { method: string; params: Params }
      const { json } = await send(graph, method, params, { scope: allScopes })
      return json.error === undefined
        ? { kind: 'result', result: json.result }
        : { kind: 'error', error: json.error }
    },
    v2RequestFraming: {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'test-agent', version: '1' },
      clientCapabilities: {},
    },
  })
  const ended = async (uri: string) => {
    const execution = await session.callTool('execute_operation', await confirmed(importing(uri)))
    expect(execution.kind).toBe('task')
    const { outcome } = await execution.settle()
    return (outcome as unknown as { result: { content: { text: string }[]; isError?: boolean } }).result
  }
  const { content, isError } = await ended('gs://archives/b')
  expect(JSON.parse(content[0]?.text ?? '').data.agentOperation).toMatchObject({ done: true, error: null })
  expect(isError).toBeUndefined()
  // What fails at the service is a result too, marked as an error.
  const failed = await ended('gs://archives/none')
  expect(failed.isError).toBe(true)
  expect(JSON.parse(failed.content[0]?.text ?? '').data.agentOperation.error.status).toBe('NOT_FOUND')
  await session.close()
})

test('a task works until its operation has ended, and a client without tasks gets the answer', async () => {
  graph.sandbox.change('agents', { operationsLast: true })
  const params = { name: 'execute_operation', arguments: await confirmed(exporting) }
  // The same confirmation is the same change: by its answer and by its task.
  const plain = (await send(graph, 'tools/call', params, { scope: allScopes })).json.result
  expect(plain.resultType).toBe('complete')
  const { name, done } = JSON.parse(plain.content[0].text).data.exportAgent.operation
  expect(done).toBe(false)
  const task = (await asked('tools/call', params)).json.result
  const state = async () => (await asked('tasks/get', { taskId: task.taskId })).json.result
  expect(await state()).toMatchObject({
    resultType: 'complete',
    status: 'working',
    createdAt: task.createdAt,
  })
  // No service ends what has begun: both are acknowledged, and change nothing.
  for (const method of ['tasks/cancel', 'tasks/update'])
    expect((await asked(method, { taskId: task.taskId })).json.result.resultType).toBe('complete')
  expect((await state()).status).toBe('working')
  graph.sandbox.change('agents', { finish: name })
  graph.sandbox.change('agents', { operationsLast: false })
  const { status, statusMessage, result } = await state()
  // An archive fits into no answer.
  expect([status, statusMessage]).toEqual(['completed', expect.stringMatching(/response is too long/)])
  expect(JSON.parse(result.content[0].text).data.agentOperation).toMatchObject({ name, done: true })
})

test('a task whose service does not answer is not reported as unknown', async () => {
  const { taskId } = await begun(importing('gs://archives/b'))
  graph.sandbox.fail({ kind: 'status', status: 403, operation: 'agents.operations.get' })
  const { json } = await asked('tasks/get', { taskId })
  expect(json.error.message).toContain('"code":"FORBIDDEN"')
  expect((await asked('tasks/get', { taskId })).json.result.status).toBe('completed')
})

test('an operation that ended immediately, or does not say whether it continues, is no task', async () => {
  for (const document of [exporting, importing('gs://archives/b').replace('name done', 'name')]) {
    const params = { name: 'execute_operation', arguments: await confirmed(document) }
    expect((await asked('tools/call', params)).json.result.resultType).toBe('complete')
  }
  const query = '{ agentOperation(name: "projects/demo/operations/none") { name done } }'
  const read = await asked('tools/call', { name: 'execute_operation', arguments: { document: query } })
  expect(read.json.result.resultType).toBe('complete')
})

test('a change that has more to tell than what it has begun is no task', async () => {
  const begins =
    'a: importAgent(input: { project: "demo", agentUri: "gs://archives/b" }) { operation { name done } }'
  const ends = 'b: exportAgent(input: { project: "demo", agentUri: "gs://archives/b" }) { agentUri }'
  const fails = 'b: deleteIntent(input: { name: "projects/demo/agent/intents/none" }) { __typename }'
  for (const other of [ends, fails]) {
    const params = {
      name: 'execute_operation',
      arguments: await confirmed(`mutation { ${begins} ${other} }`),
    }
    const { result } = (await asked('tools/call', params)).json
    expect([other, result.resultType]).toEqual([other, 'complete'])
    const { data, errors = [] } = JSON.parse(result.content[0].text)
    expect(data.a.operation.done).toBe(false)
    expect(other === ends ? [data.b.agentUri] : errors.map((each: { path: unknown }) => each.path)).toEqual(
      other === ends ? [expect.stringContaining('gs://archives/b')] : ['b'],
    )
  }
})

test('a task is only its caller’s, cannot be altered, and needs the scopes of its operation', async () => {
  const { taskId = '' } = await begun(importing('gs://archives/b'))
  const expected = { code: -32602, message: expect.stringContaining('expected the taskId that a call') }
  const foreign = { authorization: `Bearer ${await graph.token(allScopes, 'somebody-else')}` }
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    for (const id of ['x', `${taskId.slice(0, -8)}AAAAAAAA`])
      expect((await asked(method, { taskId: id })).json.error).toMatchObject(expected)
    const { json } = await send(graph, method, { taskId, _meta: takes }, { headers: foreign })
    expect(json.error).toMatchObject(expected)
    expect((await asked(method, { taskId: 7 })).json.error.message).toMatch(/expected string/)
  }
  const lacking = await asked('tasks/get', { taskId }, 'agents.read')
  expect([lacking.status, lacking.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('scope="agents.read agents.write"'),
  ])
})

test('a client that does not say that it takes tasks may not ask for them', async () => {
  const { taskId = '' } = await begun(importing('gs://archives/b'))
  const expected = { code: -32021, data: { requiredCapabilities: { extensions: { [extension]: {} } } } }
  const calls: [method: string, params: Params][] = [
    ['tasks/get', { taskId }],
    ['tasks/update', { taskId }],
    ['tasks/cancel', { taskId }],
    ['subscriptions/listen', { notifications: { taskIds: [taskId] } }],
  ]
  for (const [method, params] of calls) {
    const { status, json } = await send(graph, method, params, { scope: allScopes })
    expect([method, status, json.error]).toEqual([method, 400, expect.objectContaining(expected)])
  }
})

test('an upload is a task until its last byte has arrived', async () => {
  const task = await begun(
    'mutation { insertVideo(input: { snippet: { title: "By an agent" }, contentType: "video/mp4", contentLength: 4 }) { upload { url } } }',
  )
  // Nothing follows the address, so that a program can cut it out at the spaces.
  const [, url = ''] = / to (\S+)$/.exec(task.statusMessage ?? '') ?? []
  const state = async () => (await asked('tasks/get', { taskId: task.taskId })).json.result
  expect(await state()).toMatchObject({ status: 'working', statusMessage: '0 of 4 bytes have arrived.' })
  const sent = await fetch(url, { method: 'PUT', body: 'abcd', headers: { 'content-type': 'video/mp4' } })
  expect(sent.status).toBe(201)
  const { status, result } = await state()
  expect(status).toBe('completed')
  expect(JSON.parse(result.content[0].text).data.videoUpload).toMatchObject({ complete: true })
})

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
  const ask = async (method: string, params: Params) =>
    (await send(graph, method, { ...params, _meta: takes }, { scope: allScopes })).json
  await graph.ask(exported)
  const document = importing('gs://archives/b')
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
