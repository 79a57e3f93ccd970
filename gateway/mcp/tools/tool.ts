/** What a tool is: its definition, as clients list it, and what a call of it does. */
import type { Exchange, Used } from '../exchange.ts'
import type { Begun } from './begun.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint?: boolean
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

/** What the line of the audit tells beside what the door knows by itself. Values of variables are never in it. */
export interface CallNotes {
  operationHash: string | undefined
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

/** An answer that says what was wrong with the call, so that the model can make it better. */
export const mistake = (text: string): ToolAnswer => ({ text, isError: true })
