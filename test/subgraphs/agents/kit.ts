/** The agents subgraph in front of a scripted service. */
import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import type { ServiceOptions } from '../../../subgraphs/kit/subgraph.ts'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import { type ScriptedSubgraph, subgraphOver } from '../../support/scripted-subgraph.ts'

export function agentsOver(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
  options: Partial<ServiceOptions> = {},
): Promise<ScriptedSubgraph> {
  return subgraphOver(answer, (baseUrl) =>
    createAgentsSubgraph({ baseUrl, credential: { kind: 'none' }, ...options }),
  )
}

/** Method, path and query of what arrived, in one line each. */
export function lines(arrived: readonly Arrived[]): string[] {
  return arrived.map(({ method, path, query }) => {
    const search = Object.entries(query).map(([name, value]) => `${name}=${value}`)
    return `${method} ${path}${search.length === 0 ? '' : `?${search.join('&')}`}`
  })
}

export const failed = (status: number, name: string, message: string, details: unknown[] = []): Scripted => ({
  status,
  body: { error: { code: status, status: name, message, details } },
})
