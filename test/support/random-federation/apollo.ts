/** The same graph behind `@apollo/gateway`: another planner that an answer, or a plan, can be held against. */
import { ApolloGateway, type GatewayConfig } from '@apollo/gateway'
import type { QueryPlan } from '@apollo/query-planner'
import { type DocumentNode, parse, print } from 'graphql'
import type { RandomGraph } from './graph.ts'
import type { Answer } from './judge.ts'
import { faultsOf } from './subgraph.ts'

export interface ApolloTrial {
  /** Rejects if there is no plan. */
  execute(document: DocumentNode, variables: Readonly<Record<string, unknown>>): Promise<Answer>
  /** The plan of the operation that was executed last. */
  readonly lastPlan: QueryPlan | undefined
  close(): Promise<void>
}

interface Sent {
  readonly query?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

export async function startApollo({ supergraph, subgraphs }: RandomGraph): Promise<ApolloTrial> {
  let lastPlan: QueryPlan | undefined
  const config = {
    supergraphSdl: supergraph.sdl,
    logger: silent,
    experimental_didResolveQueryPlan: ({ queryPlan }: { readonly queryPlan: QueryPlan }) => {
      lastPlan = queryPlan
    },
    buildService: ({ name }: { readonly name: string }) => ({
      async process({ request }: { readonly request: Sent }) {
        const subgraph = subgraphs.get(name)
        if (subgraph === undefined) throw new Error(`There is no subgraph ${name}.`)
        const document = parse(request.query ?? '')
        const errors = faultsOf(subgraph, document)
        if (errors.length > 0) return { errors, data: null }
        const sent = JSON.parse(JSON.stringify(request.variables ?? {})) as Record<string, unknown>
        return JSON.parse(JSON.stringify(await subgraph.execute(document, sent))) as Answer
      },
    }),
  }
  // Its types know neither a supergraph that is a text nor errors as values.
  const gateway = new ApolloGateway(config as unknown as GatewayConfig)
  const { executor } = await gateway.load()
  return {
    get lastPlan() {
      return lastPlan
    },
    async execute(document, variables) {
      const query = print(document)
      const context = {
        request: { query, variables, http: undefined },
        document,
        source: query,
        queryHash: query,
        operationName: null,
        operation: document.definitions[0],
        logger: silent,
        schema: undefined,
        context: {},
        metrics: {},
        cache: undefined,
      }
      const result = await executor(context as unknown as Parameters<typeof executor>[0])
      return {
        data: JSON.parse(JSON.stringify(result.data ?? null)),
        errors: (result.errors ?? []).map(({ message, path }) => ({ message, path })),
      }
    },
    close: () => gateway.stop(),
  }
}
