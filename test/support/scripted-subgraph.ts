/** One subgraph in front of a scripted service. */
import type { Subgraph } from '../../shared/subgraph.ts'
import type { TestRequest } from './request.ts'
import { type Arrived, type Scripted, startScripted } from './scripted-service.ts'
import { type Outcome, run } from './subgraph.ts'

export interface ScriptedSubgraph extends AsyncDisposable {
  /** The requests that reached the service. */
  readonly arrived: Arrived[]
  run(operation: string, variables?: Record<string, unknown>, request?: TestRequest): Promise<Outcome>
}

/** `create` makes the subgraph over the service's address. */
export async function subgraphOver(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
  create: (baseUrl: string) => Subgraph,
): Promise<ScriptedSubgraph> {
  const service = await startScripted(answer)
  const subgraph = create(service.url)
  return {
    arrived: service.arrived,
    run: (operation, variables, request) => run(subgraph, operation, variables, request),
    async [Symbol.asyncDispose]() {
      await subgraph.close()
      await service[Symbol.asyncDispose]()
    },
  }
}
