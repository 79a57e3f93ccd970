/**
 * What this server implements of the protocol: its tools and resources, requests for the user's confirmation, and the
 * extension for tasks (`io.modelcontextprotocol/tasks`). The library passes the messages of the extension on, but does
 * not implement them. `tasks/get` returns a task. A running task never needs input from the client, and no service can
 * cancel a task, so `tasks/update` and `tasks/cancel` are acknowledged and change nothing.
 */
import { z } from 'zod'
import { isObject } from '../../../shared/json/is-object.ts'
import type { AgentRequest } from '../agent-request.ts'
import type { ResourceResult, Resources } from '../resources/index.ts'
import type { Tasks } from '../tasks.ts'
import type { ToolDefinition, ToolResult } from '../tools/tool.ts'
import { ProtocolFault, rpcCodes } from './errors.ts'
import type { Serve } from './sdk.ts'

export interface ServerOptions {
  readonly version: string
  readonly instructions: string
  /** The longest that clients may keep a list, in milliseconds. */
  readonly listMs: number
  tools(agentRequest: AgentRequest): Promise<readonly ToolDefinition[]>
  /** Throws a `ProtocolFault` if there is no such tool. */
  call(name: string, args: Readonly<Record<string, unknown>>, agentRequest: AgentRequest): Promise<ToolResult>
  resources(agentRequest: AgentRequest): Promise<Pick<Resources, 'definitions' | 'templates'>>
  /** Throws a `ProtocolFault` if there is no such resource, or it cannot be read. */
  read(uri: string, agentRequest: AgentRequest): Promise<ResourceResult>
  readonly tasks: Tasks
  /** What a client is told of an error that was not thrown on purpose. */
  unexpected(error: unknown, agentRequest: AgentRequest): string
}

/** Runs a handler. What it throws becomes an error of the protocol, which tells nothing that is not for clients. */
type Guard = <T>(run: () => Promise<T>) => Promise<T>

export const serverFor =
  (options: ServerOptions): Serve =>
  (library, agentRequest, isModern) => {
    const lists = { ttlMs: options.listMs, cacheScope: 'public' } as const
    const server = new library.Server(serverInfo(options.version), {
      capabilities: isModern ? capabilities : legacyCapabilities,
      instructions: options.instructions,
      cacheHints: {
        'tools/list': lists,
        'resources/list': lists,
        'resources/templates/list': lists,
        'server/discover': lists,
      },
    })
    const guard: Guard = async (run) => {
      try {
        return await run()
      } catch (error) {
        if (error instanceof ProtocolFault)
          throw new library.ProtocolError(error.code, error.message, error.data)
        throw new library.ProtocolError(rpcCodes.internal, options.unexpected(error, agentRequest))
      }
    }
    server.setRequestHandler('tools/list', () =>
      guard(async () => ({
        tools: (await options.tools(agentRequest)).map((tool) => ({ ...tool })) as never,
      })),
    )
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { envelope, inputResponses } = mcpReq
      agentRequest.elicits = takesForms(capabilitiesIn(envelope).elicitation)
      agentRequest.takesTasks = isModern && declaresTasks(envelope)
      if (inputResponses !== undefined)
        agentRequest.answered = {
          state: mcpReq.requestState<string>(),
          isAccepted: library.acceptedContent(inputResponses, question)?.[agreed] === true,
        }
      return guard(async () => {
        const answer = await options.call(params.name, params.arguments ?? {}, agentRequest)
        if (answer.startedWork !== undefined && agentRequest.takesTasks)
          // The library knows no results of tools without content.
          return {
            resultType: 'task',
            content: [],
            ...(await options.tasks.begin(answer.startedWork, agentRequest)),
          }
        if (answer.ask === undefined) return resultOf(answer)
        const { message, state } = answer.ask
        return library.inputRequired({
          inputRequests: { [question]: library.inputRequired.elicit({ message, requestedSchema }) },
          requestState: state,
        })
      })
    })
    serveResources(server, options, agentRequest, guard)
    if (isModern) serveTasks(server, options.tasks, agentRequest, guard)
    return server
  }

function serveResources(
  server: ReturnType<Serve>,
  options: ServerOptions,
  agentRequest: AgentRequest,
  guard: Guard,
): void {
  server.setRequestHandler('resources/list', () =>
    guard(async () => ({
      resources: [...(await options.resources(agentRequest)).definitions].map((each) => ({ ...each })),
    })),
  )
  server.setRequestHandler('resources/templates/list', () =>
    guard(async () => ({
      resourceTemplates: [...(await options.resources(agentRequest)).templates].map((each) => ({ ...each })),
    })),
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    guard(async () => {
      const { text, mimeType, strangers, isPublic } = await options.read(uri, agentRequest)
      return {
        contents: [{ uri, mimeType, text, ...metaOf(strangers) }],
        ttlMs: isPublic ? options.listMs : 0,
        cacheScope: isPublic ? ('public' as const) : ('private' as const),
      }
    }),
  )
}

const serverInfo = (version: string) => ({ name: 'tessera', title: 'Tessera', version })

/**
 * Returns the result of `subscriptions/listen` if this server has ended the stream (`ended`). It is the last message, and
 * a client takes the stream for lost without it. The library sends it only when it closes altogether.
 */
export const endOfListening = (id: unknown, version: string, ended: AbortSignal) => (): string | undefined =>
  ended.aborted
    ? JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: {
          resultType: 'complete',
          _meta: {
            'io.modelcontextprotocol/subscriptionId': id,
            'io.modelcontextprotocol/serverInfo': serverInfo(version),
          },
        },
      })
    : undefined

const tasksExtension = 'io.modelcontextprotocol/tasks'

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  extensions: { [tasksExtension]: {} },
}

/** Clients of 2025-11-25 get no notifications, because they have no stream here. */
const legacyCapabilities = { tools: {}, resources: {} }

/** What the user is asked, by the names that come back. */
const question = 'confirm'
const agreed = 'agree'
const requestedSchema = {
  type: 'object' as const,
  properties: { [agreed]: { type: 'boolean' as const, title: 'Make this change' } },
  required: [agreed],
}

/** What a client declares that it can do, in what it says about a message. */
function capabilitiesIn(meta: unknown): Readonly<Record<string, unknown>> {
  const declared = isObject(meta) ? meta['io.modelcontextprotocol/clientCapabilities'] : undefined
  return isObject(declared) ? declared : {}
}

/** Whether a client can show a form. One that names no mode of asking can. */
const takesForms = (elicitation: unknown): boolean =>
  isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)

export function declaresTasks(meta: unknown): boolean {
  const { extensions } = capabilitiesIn(meta)
  return isObject(extensions) && extensions[tasksExtension] !== undefined
}

export const tasksNotDeclared = (): ProtocolFault =>
  new ProtocolFault(
    rpcCodes.missingCapability,
    `Missing required client capability: expected ${tasksExtension} among the extensions in clientCapabilities.`,
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  )

/** The bound is above the length of every id that the gateway makes. */
const params = z.looseObject({ taskId: z.string().min(1).max(16_384) })

function serveTasks(server: ReturnType<Serve>, tasks: Tasks, agentRequest: AgentRequest, guard: Guard): void {
  const handle = (method: string, run: (taskId: string) => Promise<Record<string, unknown>>): void => {
    server.setRequestHandler(method, { params }, ({ taskId }, { mcpReq }) =>
      guard(async () => {
        if (!declaresTasks(mcpReq.envelope)) throw tasksNotDeclared()
        return run(taskId)
      }),
    )
  }
  handle('tasks/get', async (taskId) => {
    const { task, answer } = await tasks.get(taskId, agentRequest)
    if (answer === undefined) return { ...task }
    // The result of a call, with its type, which clients of the extension require here.
    return { ...task, result: { resultType: 'complete', ...resultOf(answer) } }
  })
  for (const method of ['tasks/update', 'tasks/cancel'])
    handle(method, async (taskId) => {
      await tasks.check(taskId, agentRequest)
      return {}
    })
}

function resultOf({ text, isError, strangers, structured }: ToolResult) {
  return {
    content: [{ type: 'text' as const, text }],
    ...(isError === true ? { isError } : {}),
    ...(structured === undefined ? {} : { structuredContent: { ...structured } }),
    ...metaOf(strangers),
  }
}

const metaOf = (strangers: ToolResult['strangers']) =>
  strangers === undefined ? {} : { _meta: { 'tessera/strangers': [...strangers] } }
