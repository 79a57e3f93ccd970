/**
 * The federation engine: any Federation 2 supergraph, its subgraphs behind transports, operations in, responses
 * out. An operation is compiled once (planned, its fetches prepared, its shape worked out) and then executed
 * with variables and a request.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql'
import { gatherRaw, type JsonText, stringifyRaw } from '../subgraphs/lib/raw-json.ts'
import { asWireText, jsonText } from '../subgraphs/lib/wire-text.ts'
import { removeAbsent, unsureRoots } from './engine/absent-nodes.ts'
import { createIntrospection } from './engine/introspection.ts'
import { compileVariables, type Variables } from './engine/variables.ts'
import { createVariants, type Prepared } from './engine/variants.ts'
import { compilePlan, type Run } from './execute.ts'
import { createPlanner, type Plan, type Planner } from './plan.ts'
import type { GatewayRequest } from './request.ts'
import { createShape, type Refusal, type Shape } from './shape.ts'
import type { Supergraph } from './supergraph.ts'
import type { Transport } from './transport.ts'

export interface EngineOptions {
  readonly supergraph: Supergraph
  /** One for each subgraph, by the subgraph's name. */
  readonly transports: ReadonlyMap<string, Transport>
  /** What introspection tells, where that is more than the supergraph itself says (descriptions). */
  readonly schema?: GraphQLSchema | undefined
  /**
   * Whether objects of `Query.node` and `Query.nodes` that turn out to exist in no subgraph are null, as Relay
   * expects. Off, they are objects without fields, as Federation has it.
   */
  readonly absentNodes?: boolean | undefined
  /** The execution of an operation from which on answers may be sent on unread; 16 unless given. */
  readonly passedAfter?: number | undefined
  /** Stands around the making of each plan. */
  readonly aroundPlan?: ((make: () => Promise<Plan>) => Promise<Plan>) | undefined
}

export interface CompileInput {
  /** Valid against the API schema. */
  readonly document: DocumentNode
  readonly operationName?: string | undefined
  /** The part of it that is fetched, where that is not all; null where nothing is left. */
  readonly allowed?: DocumentNode | null | undefined
  /** What of it is null with an error. */
  readonly refusals?: readonly Refusal[] | undefined
}

export interface OperationResult {
  /** Not there where nothing was executed, because of the variables. */
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A result whose data is already JSON. */
export interface JsonResult {
  readonly data?: JsonText | null | undefined
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export interface CompiledOperation {
  /**
   * What is fetched for these variables, of which only those of `@skip` and `@include` matter. Rejects with a
   * `PlanError` where there is no plan, as executing does.
   */
  plan(variables?: Variables): Promise<Plan>
  execute(variables: Variables, request: GatewayRequest): OperationResult | Promise<OperationResult>
  /** The same, with the data as JSON, made in one pass where there is nothing to tell but the data. */
  executeToJson(variables: Variables, request: GatewayRequest): JsonResult | Promise<JsonResult>
}

export interface Engine {
  readonly schema: GraphQLSchema
  readonly planner: Planner
  /** Does not wait for the plan, which is made off the event loop: whoever executes first does. */
  compile(input: CompileInput): CompiledOperation
}

/** A result whose data is JSON, as the body of a response. */
export function responseBody({
  data,
  errors,
  extensions,
}: Omit<JsonResult, 'errors'> & { errors?: readonly { readonly message: string }[] | undefined }): JsonText {
  const parts: string[] = []
  if (errors !== undefined && errors.length > 0) parts.push(`"errors":${jsonText(errors)}`)
  if (extensions !== undefined) parts.push(`"extensions":${jsonText(extensions)}`)
  const others = parts.length === 0 ? '' : `${parts.join()},`
  if (data === undefined) return asWireText(`{${parts.join()}}`)
  if (data === null || typeof data === 'string') return asWireText(`{${others}"data":${data ?? 'null'}}`)
  return [asWireText(`{${others}"data":`), ...data, asWireText('}')]
}

export function createEngine(options: EngineOptions): Engine {
  const { supergraph, transports, schema = supergraph.apiSchema, absentNodes = true, passedAfter } = options
  const missing = supergraph.subgraphs.filter(({ name }) => !transports.has(name))
  if (missing.length > 0) {
    throw new Error(`There is no transport for: ${missing.map(({ name }) => name).join(', ')}.`)
  }
  const own = createPlanner(supergraph.sdl)
  const { aroundPlan } = options
  const planner: Planner =
    aroundPlan === undefined
      ? own
      : { plan: (document, operationName) => aroundPlan(() => own.plan(document, operationName)) }
  const { possibleTypes } = supergraph

  return {
    schema,
    planner,
    compile({ document, operationName, allowed = document, refusals = [] }) {
      const operation = operationOf(document, operationName)
      const variants = createVariants({
        document: allowed,
        operation: allowed === null ? operation : operationOf(allowed, operationName),
        planner,
        possibleTypes,
        prepare(plan) {
          const unsure = absentNodes ? unsureRoots(schema, document, operation, plan) : noKeys
          return { plan, unsure, step: compilePlan(plan, { transports, possibleTypes, unsureRoots: unsure }) }
        },
      })
      const coerce = compileVariables(schema, operation)
      const shape = createShape({
        schema,
        document,
        operation,
        refusals,
        introspect: createIntrospection(schema, document, operation),
        passedAfter,
      })

      const inform = (run: Run, { unsure }: Prepared): OperationResult => {
        settle(run, shape, unsure)
        const data = shape.complete(run)
        return run.errors.length === 0 ? { data } : { data, errors: run.errors }
      }
      const write = (run: Run, { unsure }: Prepared): JsonResult => {
        if (run.unread !== undefined && run.unread.length > 0) {
          const passed = gatherRaw(() => shape.passOn(run))
          if (passed !== undefined) return { data: passed }
          for (const answer of run.unread) answer.read()
        }
        settle(run, shape, unsure)
        const written = gatherRaw(() => shape.write(run))
        if (written !== undefined) return { data: written }
        const data = shape.complete(run)
        const json = data === null ? null : stringifyRaw(data)
        return run.errors.length === 0 ? { data: json } : { data: json, errors: run.errors }
      }
      const run = <Made>(
        given: Variables,
        request: GatewayRequest,
        finish: (run: Run, prepared: Prepared) => Made,
        leaveUnread: boolean,
      ): Made | { errors: readonly GraphQLError[] } | Promise<Made> => {
        const { variables, errors } = coerce(given)
        if (errors !== undefined) return { errors }
        const started: Run = {
          data: undefined,
          errors: [],
          variables,
          request,
          moreErrors: false,
          absent: undefined,
          unread: leaveUnread ? [] : undefined,
        }
        const start = (prepared: Prepared): Made | Promise<Made> => {
          const pending = prepared.step?.(started)
          return pending === undefined
            ? finish(started, prepared)
            : pending.then(() => finish(started, prepared))
        }
        const prepared = variants.for(variables)
        return prepared instanceof Promise ? prepared.then(start) : start(prepared)
      }

      return {
        plan: async (variables = {}) => (await variants.for(variables)).plan,
        execute: (given, request) => run(given, request, inform, false),
        executeToJson: (given, request) => run(given, request, write, shape.passes()),
      }
    },
  }
}

/** What the fetches brought, before it becomes the response. */
function settle(run: Run, shape: Shape, unsure: ReadonlySet<string>): void {
  if (run.absent !== undefined) removeAbsent(run, unsure)
  if (run.errors.length === 0) return
  const seen = new Set<string>()
  const visible = run.errors.flatMap((error) => {
    if (error.path === undefined) return [error]
    const path = shape.visiblePath(error.path)
    const known = JSON.stringify([path, error.message])
    if (seen.has(known)) return []
    seen.add(known)
    return [path.length === error.path.length ? error : withPath(error, path)]
  })
  run.errors.splice(0, run.errors.length, ...visible)
}

const noKeys: ReadonlySet<string> = new Set()

function operationOf(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (operation == null) throw new Error(`The document has no operation ${name ?? 'that could be meant'}.`)
  if (operation.operation === 'subscription') throw new Error('Subscriptions are not executed.')
  return operation
}

function withPath(error: GraphQLError, path: readonly (string | number)[]): GraphQLError {
  return new GraphQLError(error.message, {
    ...(path.length === 0 ? {} : { path }),
    extensions: error.extensions,
    ...(error.originalError == null ? {} : { originalError: error.originalError }),
  })
}
