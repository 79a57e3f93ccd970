/** What is counted of calls by agents. Names of tools are those that are listed, so they are few. */
import type { Registry } from 'prom-client'
import { durationsIn, sumsIn } from './series.ts'

export interface AgentCalled {
  readonly tool: string
  readonly outcome: string
  readonly units: number
  /** Of the answer. */
  readonly tokens: number
  readonly milliseconds: number
}

const seconds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]

export function agentSeriesIn(registry: Registry): (call: AgentCalled) => void {
  const calls = sumsIn(registry, {
    name: 'tessera_mcp_calls_total',
    help: 'Calls of tools by agents, by what came of them.',
    labelNames: ['tool', 'outcome'],
  })
  const units = sumsIn(registry, {
    name: 'tessera_mcp_units_total',
    help: 'Quota units that calls of tools spent.',
    labelNames: ['tool'],
  })
  const tokens = sumsIn(registry, {
    name: 'tessera_mcp_tokens_total',
    help: 'Tokens (of 4 bytes) of the answers of tools.',
    labelNames: ['tool'],
  })
  const durations = durationsIn(registry, {
    name: 'tessera_mcp_call_duration_seconds',
    help: 'How long calls of tools took.',
    labelNames: ['tool'],
    bounds: seconds,
  })
  return ({ tool, outcome, units: spent, tokens: sent, milliseconds }) => {
    calls(tool, outcome).add(1)
    if (spent > 0) units(tool).add(spent)
    tokens(tool).add(sent)
    durations(tool).add(milliseconds / 1000)
  }
}
