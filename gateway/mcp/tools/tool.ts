/** A tool: its definition, as clients list it, and the function that runs it. */
import { isObject } from '../../../shared/json/is-object.ts'
import type { Exchange, Used } from '../exchange.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
  }
}

/** What a call answers: one text, which is JSON unless it is an error in words. */
export interface ToolAnswer {
  readonly text: string
  readonly isError?: boolean | undefined
  /** JSON pointers into the text, to what strangers wrote. */
  readonly strangers?: readonly string[] | undefined
  /** Instead of the text: a question for the user, and what comes back with what the user says. */
  readonly ask?: { readonly message: string; readonly state: string } | undefined
  /** What goes on after it: a client that takes tasks gets one instead. */
  readonly begun?: Begun | undefined
  /** The same as an object, if the configuration wants it twice. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined
}

/** What the line of the audit tells beside what the MCP server knows by itself. Values of variables are never in it. */
export interface CallNotes {
  variables: readonly string[]
  used: Used
  outcome: string
  idempotencyKey: string | undefined
  isChange: boolean
}

export interface CallContext {
  readonly exchange: Exchange
  readonly notes: CallNotes
}

export interface Tool {
  readonly definition: ToolDefinition
  call(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<ToolAnswer>
}

/** Four bytes of a definition or an answer are counted as one token. */
export const bytesOfToken = 4

export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesOfToken)

export const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** An answer that says what was wrong with the call, so that the model can make it better. */
export const mistake = (text: string): ToolAnswer => ({ text, isError: true })

/** Work that goes on: an operation of the agent service by its name, or an upload by its address. */
export interface Begun {
  readonly kind: 'operation' | 'upload'
  readonly name: string
}

/**
 * What a change of our own graph has begun and what goes on. Undefined if nothing does, if the change has anything else
 * to tell, or if the document has not asked for what tells it.
 */
export function begunBy(data: Readonly<Record<string, unknown>>): Begun | undefined {
  const [payload, ...others] = Object.values(data).filter(isObject)
  if (payload === undefined || others.length > 0) return undefined
  const { operation, upload } = payload
  if (isObject(operation) && operation.done === false && typeof operation.name === 'string')
    return { kind: 'operation', name: operation.name }
  if (isObject(upload) && typeof upload.url === 'string') return { kind: 'upload', name: upload.url }
  return undefined
}
