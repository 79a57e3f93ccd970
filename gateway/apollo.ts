/**
 * The graph inside of Apollo Server: `new ApolloServer({ gateway: tesseraGateway(options) })`, for those who
 * live among its plugins. Apollo Server parses, validates and answers; the same token check, scopes, limits,
 * budgets and engine as in `tessera serve` do the rest. Its context may be anything: it is not looked at.
 */
import { randomUUID } from 'node:crypto'
import type { ApolloServerOptions, BaseContext } from '@apollo/server'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { CallRecord } from '../subgraphs/lib/request.ts'
import { type Assembly, assemble, type GatewayOptions } from './index.ts'
import { checkValue } from './limits.ts'
import { maskError } from './mask.ts'
import { isRefused } from './operations.ts'
import { createGatewayRequest } from './request.ts'

/** What Apollo Server takes as its `gateway`. */
export type ApolloGateway = NonNullable<ApolloServerOptions<BaseContext>['gateway']>

type Executor = NonNullable<Awaited<ReturnType<ApolloGateway['load']>>['executor']>
type RequestContext = Parameters<Executor>[0]

function answererOf(
  { authenticator, operations, limits, pricing, measures, log }: Assembly,
  timeoutMs: number,
): Executor {
  async function answer(
    { request: asked, source, operationName }: RequestContext,
    id: string,
  ): Promise<ExecutionResult> {
    const headers = asked.http?.headers
    const header = (name: string): string | undefined => headers?.get(name) ?? undefined
    const identity = await authenticator.authenticate(header('authorization'))
    const operation = operations.get(source, operationName ?? undefined)
    if (isRefused(operation)) return { errors: operation }
    const variables = asked.variables ?? {}
    const long = checkValue(variables, limits)
    if (long !== undefined) return { errors: [long] }
    const granted = await operation.grantedTo(identity)
    if (isRefused(granted)) return { errors: granted }
    const calls: CallRecord[] = []
    const request = createGatewayRequest({
      id,
      deadline: performance.now() + timeoutMs,
      header,
      identity,
      meter: { call: (record) => calls.push(record) },
    })
    const priced = await pricing.before(granted, variables, request)
    if (priced instanceof GraphQLError) return { errors: [priced] }
    try {
      const { data, errors = [], extensions } = await granted.compiled.execute(variables, request)
      const told = [...errors.map((error) => maskError(error, id, log)), ...(granted.report ?? [])]
      return {
        ...(data === undefined ? {} : { data }),
        ...(told.length === 0 ? {} : { errors: told }),
        ...(extensions === undefined ? {} : { extensions }),
      }
    } finally {
      await pricing.after(priced, request, calls)
    }
  }

  return async (context) => {
    const started = performance.now()
    const id = context.request.http?.headers.get('x-request-id') ?? randomUUID()
    let result: ExecutionResult
    try {
      result = await answer(context, id)
    } catch (error) {
      result = { errors: [maskError(error, id, log)] }
    }
    measures.request({
      operationName: context.operationName ?? undefined,
      status: 200,
      milliseconds: performance.now() - started,
    })
    return result
  }
}

/** Apollo Server loads it when it starts, and closes it when it stops. */
export function tesseraGateway(options: GatewayOptions): ApolloGateway {
  const { values } = options.config
  let assembly: Assembly | undefined
  const listeners = new Set<Parameters<ApolloGateway['onSchemaLoadOrUpdate']>[0]>()
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      assembly ??= assemble(options, () => values.TESSERA_PUBLIC_URL ?? '')
      const { schema, supergraph } = assembly
      for (const listener of listeners) listener({ apiSchema: schema, coreSupergraphSdl: supergraph.sdl })
      return { executor: answererOf(assembly, values.TESSERA_REQUEST_TIMEOUT_MS) }
    },
    async stop() {
      await assembly?.close()
    },
  }
}
