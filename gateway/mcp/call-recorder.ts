/** Records each call of an agent, however it ends: a line in the log, counts, and a span. */
import { hash } from 'node:crypto'
import { headerOf } from '../../shared/http/headers.ts'
import type { Logger } from '../telemetry/log.ts'
import type { AgentCall } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import type { AgentRequest, ResourceListener } from './agent-request.ts'
import { type CallNotes, type ToolResult, tokensIn } from './tools/tool.ts'

export type RecordCall = ReturnType<typeof createCallRecorder>

interface CallRecorderOptions {
  readonly called: (call: AgentCall) => void
  readonly traces?: Traces | undefined
  readonly log: Logger
}

export function createCallRecorder({ called, traces, log }: CallRecorderOptions) {
  /** Runs what an agent asked for by `method`; `name` is the tool, or the kind of resource. */
  return <T extends ToolResult | ResourceListener | undefined>(
    method: string,
    name: string,
    agentRequest: AgentRequest,
    run: (notes: CallNotes) => Promise<T>,
  ): Promise<T> => {
    const tool = method === 'tools/call' ? name : `${method} ${name}`
    const noted = async (ended: (call: AgentCall) => void): Promise<T> => {
      const notes: CallNotes = {
        variables: [],
        used: { calls: 0, units: 0 },
        outcome: 'ok',
        idempotencyKey: undefined,
        isChange: false,
      }
      const started = performance.now()
      let answer: ToolResult | undefined
      try {
        const result = await run(notes)
        if (result !== undefined && 'text' in result) answer = result
        return result
      } catch (error) {
        if (notes.outcome === 'ok') notes.outcome = 'failed'
        throw error
      } finally {
        const call = callOf(tool, notes, answer, performance.now() - started)
        called(call)
        log.info(lineOf(call, agentRequest, notes), 'agent call')
        ended(call)
      }
    }
    if (traces === undefined) return noted(() => {})
    const header = (key: string): string | undefined => headerOf(agentRequest.http.headers, key)
    return traces.request(header, (span) => {
      span.rename(`${method} ${name}`)
      // The span of the operation is below this one.
      agentRequest.trace = traces.headers()
      return noted(({ outcome, units, tokens }) => {
        span.set({
          'mcp.method.name': method,
          'tessera.tool': tool,
          'tessera.outcome': outcome,
          'tessera.units': units,
          'tessera.tokens': tokens,
        })
        if (!succeeded.has(outcome)) span.failed([outcome])
      })
    })
  }
}

const succeeded: ReadonlySet<string> = new Set(['ok', 'partial', 'asked'])

function callOf(
  tool: string,
  { used, outcome }: CallNotes,
  answer: ToolResult | undefined,
  milliseconds: number,
): AgentCall {
  const tokens = answer === undefined ? 0 : tokensIn(answer.text)
  const isMistake = outcome === 'ok' && answer?.isError === true
  return { tool, outcome: isMistake ? 'mistake' : outcome, units: used.units, tokens, milliseconds }
}

const mostNames = 20

/** The line in the log. No value of a variable is in it. */
function lineOf(
  { tool, outcome, units, tokens, milliseconds }: AgentCall,
  { http, identity, caller, client }: AgentRequest,
  { used, variables, idempotencyKey }: CallNotes,
): object {
  return {
    request: http.id,
    tool,
    // A hash, because the caller may be a subject or an address.
    caller: hash('sha256', caller, 'hex').slice(0, 16),
    scopes: [...identity.scopes],
    ...(client === undefined ? {} : { client: client.name, client_version: client.version }),
    ...(variables.length === 0 ? {} : { variables: variables.slice(0, mostNames) }),
    calls: used.calls,
    units,
    tokens,
    outcome,
    ...(idempotencyKey === undefined ? {} : { key: idempotencyKey }),
    ms: Math.round(milliseconds * 10) / 10,
  }
}
