/** A tool: its definition, as clients list it, and the function that runs it. */
import { isObject } from '../../../shared/json/is-object.ts'
import type { AgentRequest, Usage } from '../agent-request.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
  }
}

/** The result of a call: one text, which is JSON unless it is an error in words. */
export interface ToolResult {
  readonly text: string
  readonly isError?: boolean | undefined
  /** JSON pointers into the text, to what strangers wrote. */
  readonly strangers?: readonly string[] | undefined
  /** Instead of the text: a question for the user, and what comes back with what the user says. */
  readonly ask?: { readonly message: string; readonly state: string } | undefined
  /** Work that continues after the call. A client that accepts tasks gets a task instead of the text. */
  readonly startedWork?: StartedWork | undefined
  /** The same as an object, if the configuration requests that. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined
}

/** What a call adds to its line in the log. Values of variables are never in it. */
export interface CallNotes {
  variables: readonly string[]
  used: Usage
  outcome: string
  idempotencyKey: string | undefined
  isChange: boolean
}

export interface CallContext {
  readonly agentRequest: AgentRequest
  readonly notes: CallNotes
}

export interface Tool {
  readonly definition: ToolDefinition
  call(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<ToolResult>
}

/** Four bytes of a definition or an answer are counted as one token. */
export const bytesOfToken = 4

export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesOfToken)

export const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A result that says what was wrong with the call, so that the model can correct it. */
export const toolError = (text: string): ToolResult => ({ text, isError: true })

/** Work that continues: an operation of the agent service by its name, or an upload by its address. */
export interface StartedWork {
  readonly kind: 'operation' | 'upload'
  readonly name: string
}

/**
 * The work that a change of our own graph has started and that continues. Undefined if there is none, if the change
 * returns anything else, or if the document does not select the fields that identify it.
 */
export function workStartedBy(data: Readonly<Record<string, unknown>>): StartedWork | undefined {
  const [payload, ...others] = Object.values(data).filter(isObject)
  if (payload === undefined || others.length > 0) return undefined
  const { operation, upload } = payload
  if (isObject(operation) && operation.done === false && typeof operation.name === 'string')
    return { kind: 'operation', name: operation.name }
  if (isObject(upload) && typeof upload.url === 'string') return { kind: 'upload', name: upload.url }
  return undefined
}
