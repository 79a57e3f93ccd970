/**
 * The methods of the extension for tasks (`io.modelcontextprotocol/tasks`). The library passes their messages on, but
 * does not implement them. `tasks/get` returns a task. A running task never needs input from the client, and no service
 * can cancel a task, so `tasks/update` and `tasks/cancel` are acknowledged and change nothing.
 */
import { z } from 'zod'
import type { Exchange } from '../exchange.ts'
import type { Tasks } from '../tasks.ts'
import { ProtocolFault, rpcCodes } from './errors.ts'
import type { Serve } from './library.ts'
import { resultOf } from './results.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** Whether a client accepts tasks, by the capabilities that it declares in each message. */
export function declaresTasks(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as { readonly extensions?: Readonly<Record<string, unknown>> }
  return extensions?.[tasksExtension] !== undefined
}

/** The error for a client that uses tasks without declaring that it accepts them. */
export const tasksNotDeclared = (): ProtocolFault =>
  new ProtocolFault(
    rpcCodes.missingCapability,
    `Missing required client capability: expected ${tasksExtension} among the extensions in clientCapabilities.`,
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  )

/** The bound is above the length of every id that the gateway makes. */
const params = z.looseObject({ taskId: z.string().min(1).max(16_384) })

export function serveTasks(
  server: ReturnType<Serve>,
  tasks: Tasks,
  exchange: Exchange,
  faultFrom: (error: unknown) => unknown,
): void {
  const handle = (method: string, run: (taskId: string) => Promise<Record<string, unknown>>): void => {
    server.setRequestHandler(method, { params }, async ({ taskId }, { mcpReq }) => {
      try {
        const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
        if (!declaresTasks(envelope?.['io.modelcontextprotocol/clientCapabilities'])) throw tasksNotDeclared()
        return await run(taskId)
      } catch (error) {
        throw faultFrom(error)
      }
    })
  }
  handle('tasks/get', async (taskId) => {
    const { task, answer } = await tasks.get(taskId, exchange)
    if (answer === undefined) return { ...task }
    // The result of a call, with its type, which clients of the extension require here.
    return { ...task, result: { resultType: 'complete', ...resultOf(answer) } }
  })
  for (const method of ['tasks/update', 'tasks/cancel'])
    handle(method, async (taskId) => {
      await tasks.check(taskId, exchange)
      return {}
    })
}
