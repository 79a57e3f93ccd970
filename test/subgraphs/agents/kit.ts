/** The agents subgraph in front of a scripted service. */

import { createAgentsSubgraph } from '../../../subgraphs/agents/index.ts'
import type { ServiceOptions } from '../../../subgraphs/kit/subgraph.ts'
import type { TestRequest } from '../../support/request.ts'
import { type Arrived, type Scripted, startScripted } from '../../support/scripted-service.ts'
import { type Outcome, run } from '../../support/subgraph.ts'

export interface Agents extends AsyncDisposable {
  readonly arrived: Arrived[]
  run(operation: string, variables?: Record<string, unknown>, request?: TestRequest): Promise<Outcome>
}

export async function agentsOver(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
  options: Partial<ServiceOptions> = {},
): Promise<Agents> {
  const service = await startScripted(answer)
  const subgraph = createAgentsSubgraph({ baseUrl: service.url, credential: { kind: 'none' }, ...options })
  return {
    arrived: service.arrived,
    run: (operation, variables, request) => run(subgraph, operation, variables, request),
    async [Symbol.asyncDispose]() {
      await subgraph.close()
      await service[Symbol.asyncDispose]()
    },
  }
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
