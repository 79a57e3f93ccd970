/** What is noted of each call of an agent, whatever comes of it: a line, counts, and a span. */
import { headerOf } from '../../shared/http/headers.ts'
import type { AgentCall } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import { type Audit, newNotes } from './audit.ts'
import type { Exchange, Heard } from './exchange.ts'
import type { CallNotes, ToolAnswer } from './tools/tool.ts'

/** Runs what an agent asked for by `method`; `name` is the tool, or the kind of resource. */
export type Observed = <T extends ToolAnswer | Heard | undefined>(
  method: string,
  name: string,
  exchange: Exchange,
  run: (notes: CallNotes) => Promise<T>,
) => Promise<T>

export function createObserved(audit: Audit, traces: Traces | undefined): Observed {
  return <T extends ToolAnswer | Heard | undefined>(
    method: string,
    name: string,
    exchange: Exchange,
    run: (notes: CallNotes) => Promise<T>,
  ) => {
    const label = method === 'tools/call' ? name : `${method} ${name}`
    const noted = async (ended: (call: AgentCall) => void): Promise<T> => {
      const notes = newNotes()
      const started = performance.now()
      let answer: ToolAnswer | undefined
      try {
        const result = await run(notes)
        if (result !== undefined && 'text' in result) answer = result
        return result
      } catch (error) {
        if (notes.outcome === 'ok') notes.outcome = 'failed'
        throw error
      } finally {
        ended(audit(label, exchange, notes, answer, performance.now() - started))
      }
    }
    if (traces === undefined) return noted(() => {})
    const header = (key: string): string | undefined => headerOf(exchange.http.headers, key)
    return traces.request(header, (span) => {
      span.rename(`${method} ${name}`)
      // The span of the operation is below this one.
      exchange.trace = traces.headers()
      return noted(({ tool, outcome, units, tokens }) => {
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
