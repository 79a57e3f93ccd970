/** One line in the log and one count for each call of a tool. No value of a variable is in either. */
import { hash } from 'node:crypto'
import type { Logger } from '../telemetry/log.ts'
import type { AgentCall } from '../telemetry/metrics/index.ts'
import type { Exchange } from './exchange.ts'
import { type CallNotes, type ToolAnswer, tokensIn } from './tools/tool.ts'

export type Audit = (
  tool: string,
  exchange: Exchange,
  notes: CallNotes,
  answer: ToolAnswer | undefined,
  milliseconds: number,
) => AgentCall

export const newNotes = (): CallNotes => ({
  operationHash: undefined,
  variables: [],
  used: { calls: 0, units: 0 },
  outcome: 'ok',
  idempotencyKey: undefined,
  isChange: false,
})

const mostNames = 20

export function createAudit(log: Logger, called: (call: AgentCall) => void): Audit {
  return (tool, { http, identity, caller, client }, notes, answer, milliseconds) => {
    const { used, variables, idempotencyKey } = notes
    const tokens = answer === undefined ? 0 : tokensIn(answer.text)
    const outcome = notes.outcome === 'ok' && answer?.isError === true ? 'mistake' : notes.outcome
    const call = { tool, outcome, units: used.units, tokens, milliseconds }
    called(call)
    log.info(
      {
        request: http.id,
        tool,
        // Neither a subject nor an address stands in it in the clear.
        caller: hash('sha256', caller, 'hex').slice(0, 16),
        scopes: [...identity.scopes],
        ...(client === undefined ? {} : { client: client.name, client_version: client.version }),
        ...(notes.operationHash === undefined ? {} : { hash: notes.operationHash }),
        ...(variables.length === 0 ? {} : { variables: variables.slice(0, mostNames) }),
        calls: used.calls,
        units: used.units,
        tokens,
        outcome,
        ...(idempotencyKey === undefined ? {} : { key: idempotencyKey }),
        ms: Math.round(milliseconds * 10) / 10,
      },
      'agent call',
    )
    return call
  }
}
