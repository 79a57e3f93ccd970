/**
 * Long operations as tasks of the protocol's extension: an export, an import or an upload that continues after the
 * change that started it. Nothing is stored about a task. Its id is sealed, and contains the kind and the name of the
 * work, and the caller. Each request for a task asks the service, like the call of a tool.
 */
import { isObject } from '../../shared/json/is-object.ts'
import type { AgentRequest } from './agent-request.ts'
import type { RecordCall } from './call-recorder.ts'
import type { McpSettings } from './config.ts'
import { ProtocolFault, rpcCodes } from './protocol/errors.ts'
import type { Seal } from './seal.ts'
import { type Execution, execute } from './tools/execute.ts'
import type { StartedWork, ToolResult } from './tools/tool.ts'

type Task = ReturnType<typeof taskFrom>

export type Tasks = ReturnType<typeof createTasks>

interface TasksOptions {
  readonly seal: Seal
  readonly settings: Pick<McpSettings, 'maxTokens'>
  readonly recordCall: RecordCall
  readonly execution: (agentRequest: AgentRequest) => Promise<Execution>
}

/** The most characters of an id. It is large because the id of an upload contains an address. */
export const mostTaskIdCharacters = 6_000

/** How long the id of a task is valid. */
const seconds = 86_400

/** The time between two requests for a task. It grows with the age of the task, within these bounds. */
const leastPollMs = 1_000
const mostPollMs = 30_000

interface Kind {
  /** The query for the state of the work. Its result is small enough for every bound. */
  readonly state: string
  readonly result: string
  /** A smaller query, used if the result does not fit into an answer. */
  readonly bare?: string
  /** Reads the data of `state`; undefined if the service does not know the work. */
  look(data: Fields): { isDone: boolean; hasFailed?: boolean; message: string } | undefined
}

type Fields = Readonly<Record<string, unknown>>

const kinds: Readonly<Record<StartedWork['kind'], Kind>> = {
  operation: {
    state: 'query task($name: ID!) { agentOperation(name: $name) { done error { code } } }',
    result:
      'query task($name: ID!) { agentOperation(name: $name) { name done error { code status message } response metadata } }',
    bare: 'query task($name: ID!) { agentOperation(name: $name) { name done error { code status message } metadata } }',
    look({ agentOperation: found }) {
      if (!isObject(found)) return undefined
      const hasFailed = isObject(found.error)
      const message = hasFailed ? 'The operation has failed.' : 'The operation has ended.'
      return { isDone: found.done === true, hasFailed, message: found.done === true ? message : working }
    },
  },
  upload: {
    state: 'query task($name: String!) { videoUpload(url: $name) { receivedBytes totalBytes complete } }',
    result:
      'query task($name: String!) { videoUpload(url: $name) { receivedBytes totalBytes complete video { videoId snippet { title } } } }',
    look({ videoUpload: found }) {
      if (!isObject(found)) return undefined
      const arrived = `${String(found.receivedBytes)} of ${String(found.totalBytes)} bytes have arrived.`
      return { isDone: found.complete === true, message: arrived }
    },
  },
}

const working = 'The operation goes on at the service.'

export function createTasks({ seal, settings, recordCall, execution }: TasksOptions) {
  async function opened(
    taskId: string,
    agentRequest: AgentRequest,
  ): Promise<StartedWork & { readonly at: number }> {
    const { caller, kind, name, at } = (await seal.read(taskId)) ?? {}
    if (
      caller !== agentRequest.caller ||
      (kind !== 'operation' && kind !== 'upload') ||
      typeof name !== 'string' ||
      typeof at !== 'number'
    )
      throw unknownTask()
    return { kind, name, at }
  }

  return {
    async begin({ kind, name }: StartedWork, { caller }: AgentRequest): Promise<Task> {
      const at = Date.now()
      const taskId = await seal.write({ caller, kind, name, at }, seconds)
      const message =
        kind === 'operation'
          ? working
          : `The bytes are awaited: send them by PUT, whole or in parts with Content-Range, to ${name}`
      return taskFrom(taskId, at, 'working', message)
    },
    /** The current state of a task. Throws a `ProtocolFault` if there is no such task, or the service cannot be asked. */
    async get(
      taskId: string,
      agentRequest: AgentRequest,
    ): Promise<{ readonly task: Task; readonly answer?: ToolResult }> {
      const { kind, name, at } = await opened(taskId, agentRequest)
      const { state, result, bare, look } = kinds[kind]
      const parts = await execution(agentRequest)
      const ask = (query: string): Promise<ToolResult> =>
        recordCall('tasks/get', kind, agentRequest, async (notes) => {
          notes.variables = ['name']
          const asked = { query, operationName: 'task', variables: { name }, refusesParts: true }
          return execute(parts, asked, settings.maxTokens, { agentRequest, notes })
        })
      const found = await ask(state)
      // This is an error of the request. It says nothing about the work, so the task has not failed.
      if (found.isError === true) throw new ProtocolFault(rpcCodes.refused, found.text)
      const seen = look((JSON.parse(found.text) as { readonly data: Fields }).data)
      if (seen === undefined) throw unknownTask()
      if (!seen.isDone) return { task: taskFrom(taskId, at, 'working', seen.message) }
      let answer = await ask(result)
      let { message } = seen
      // An answer that does not fit is a sentence instead of JSON.
      if (answer.isError === true && !answer.text.startsWith('{') && bare !== undefined) {
        answer = await ask(bare)
        message = `${message} Its response is too long for an answer.`
      }
      // A later request may succeed, so the task has not failed.
      if (answer.isError === true) throw new ProtocolFault(rpcCodes.refused, answer.text)
      return {
        task: taskFrom(taskId, at, 'completed', message),
        answer: seen.hasFailed === true ? { ...answer, isError: true } : answer,
      }
    },
    /** Throws a `ProtocolFault` if there is no such task. */
    async check(taskId: string, agentRequest: AgentRequest): Promise<void> {
      await opened(taskId, agentRequest)
    },
  }
}

const unknownTask = (): ProtocolFault =>
  new ProtocolFault(
    rpcCodes.invalidParams,
    'There is no such task: expected the taskId that a call of a tool gave to this caller within a day.',
  )

function taskFrom(taskId: string, at: number, status: 'working' | 'completed', statusMessage: string) {
  const now = Date.now()
  const pollIntervalMs = Math.round(Math.min(mostPollMs, Math.max(leastPollMs, (now - at) / 4)))
  return {
    taskId,
    status,
    statusMessage,
    createdAt: new Date(at).toISOString(),
    lastUpdatedAt: new Date(now).toISOString(),
    ttlMs: seconds * 1_000,
    pollIntervalMs,
  }
}
