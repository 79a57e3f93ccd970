/**
 * The engine: any Federation 2 supergraph and a transport for each of its subgraphs make operations that
 * can be executed. It knows neither services nor callers; what a caller may see comes in as a filtered
 * document and the refusals that belong to it.
 */

import type { GraphQLSchema } from 'graphql'
import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
} from 'graphql'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import { stringifyRaw } from '../subgraphs/lib/raw-json.ts'
import { typeFamiliesOf } from './execute/types.ts'
import { compilePlan, type ExecutionState } from './execute.ts'
import { plannable } from './plan/plannable.ts'
import { createPlanner, type Plan, printPlan } from './plan.ts'
import type { GatewayRequest } from './request.ts'
import { compileShape, type Refusal } from './shape.ts'
import type { Supergraph } from './supergraph.ts'
import type { Transport } from './transport.ts'

export interface EngineOptions {
  readonly supergraph: Supergraph
  /** One for each subgraph, by its name. */
  readonly transports: ReadonlyMap<string, Transport>
  /** What introspection shows; the supergraph's API schema unless said. */
  readonly schema?: GraphQLSchema | undefined
}

export interface CompileInput {
  readonly document: DocumentNode
  readonly operationName: string | undefined
  /** What may be fetched; null is nothing. The whole document unless said. */
  readonly allowed?: DocumentNode | null | undefined
  readonly refusals?: readonly Refusal[] | undefined
}

export interface OperationResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export interface CompiledOperation {
  readonly plan: Plan
  printPlan(): string
  execute(
    variables: Record<string, unknown>,
    request: GatewayRequest,
  ): OperationResult | Promise<OperationResult>
  /** The result as the body of a response. */
  stringify(result: OperationResult): string
}

export interface Engine {
  readonly schema: GraphQLSchema
  /** For a document that is valid against the schema; planning happens off the event loop. */
  compile(input: CompileInput): Promise<CompiledOperation>
}

interface Parts {
  readonly fetched: DocumentNode | undefined
  readonly introspection: DocumentNode | undefined
}

export function createEngine(options: EngineOptions): Engine {
  const { supergraph, transports } = options
  const schema = options.schema ?? supergraph.apiSchema
  const planner = createPlanner(supergraph.sdl)
  const types = typeFamiliesOf(supergraph.document)
  const byAnyName = new Map<string, Transport>()
  for (const { name, graph } of supergraph.subgraphs) {
    const transport = transports.get(name)
    if (transport === undefined) throw new Error(`The subgraph ${name} has no transport`)
    for (const alias of [name, graph, graph.toLowerCase()])
      if (!byAnyName.has(alias)) byAnyName.set(alias, transport)
  }
  const transportOf = (service: string): Transport => {
    const transport = byAnyName.get(service) ?? byAnyName.get(service.toUpperCase())
    if (transport === undefined)
      throw new Error(`The plan names a subgraph that the supergraph does not: ${service}`)
    return transport
  }
  const queryType = schema.getQueryType()
  const absentAt = (type: { readonly name: string }, field: string): boolean =>
    type.name === queryType?.name &&
    (field === 'node' || field === 'nodes') &&
    namedInterface(queryType.getFields()[field]?.type) === 'Node'

  return {
    schema,
    async compile({ document, operationName, allowed = document, refusals = [] }) {
      const operation = getOperationAST(document, operationName)
      if (operation === null || operation === undefined) throw new Error('The document has no such operation')
      const { fetched, introspection } = allowed === null ? nothing : split(allowed, operationName)
      const plan = fetched === undefined ? undefined : await planner.plan(fetched, operationName)
      const run = compilePlan(plan, { transportOf, types })
      const shape = compileShape({
        schema,
        operation,
        fragments: fragmentsOf(document),
        refusals,
        provided: providedBy(plan, (service) => transportOf(service).trusted),
        absentAt,
      })
      const definitions = operation.variableDefinitions ?? []

      const introspect = (variables: Record<string, unknown>): Record<string, unknown> => {
        if (introspection === undefined) return {}
        const { data } = executeSync({
          schema,
          document: introspection,
          variableValues: variables,
          operationName: operationName ?? null,
        })
        return { ...data }
      }

      return {
        plan,
        printPlan: () => printPlan(plan),
        execute(raw, request) {
          let variables = raw
          if (definitions.length > 0) {
            const values = getVariableValues(schema, definitions, raw, { maxErrors: 20 })
            if (values.errors !== undefined) return { errors: values.errors.map(asBadInput) }
            variables = values.coerced
          }
          const state: ExecutionState = {
            data: introspect(raw),
            errors: [],
            variables,
            request,
            absent: undefined,
          }
          const finish = (): OperationResult => {
            const data = shape(state.data, state)
            return state.errors.length === 0 ? { data } : { data, errors: state.errors }
          }
          const waiting = run(state)
          return waiting === undefined ? finish() : waiting.then(finish)
        },
        stringify: stringifyRaw,
      }
    },
  }
}

const nothing: Parts = { fetched: undefined, introspection: undefined }

function asBadInput(error: GraphQLError): GraphQLError {
  return tesseraError('BAD_USER_INPUT', error.message)
}

function namedInterface(type: unknown): string | undefined {
  let named = type as { ofType?: unknown; name?: string } | undefined
  while (named?.ofType !== undefined) named = named.ofType as typeof named
  return named?.name
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  return fragments
}

/** Takes an operation apart: what subgraphs answer, and what the schema itself does. */
function split(document: DocumentNode, operationName: string | undefined): Parts {
  const operation = getOperationAST(document, operationName)
  if (operation === null || operation === undefined) return nothing
  const fragments = fragmentsOf(document)

  function filter(
    selections: readonly SelectionNode[],
    keep: (field: FieldNode) => boolean,
  ): SelectionNode[] {
    return selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FIELD) return keep(selection) ? [selection] : []
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) return []
      const inner = filter(fragment.selectionSet.selections, keep)
      if (inner.length === 0) return []
      return [
        {
          kind: Kind.INLINE_FRAGMENT,
          ...(fragment.typeCondition === undefined ? {} : { typeCondition: fragment.typeCondition }),
          ...(selection.directives === undefined ? {} : { directives: selection.directives }),
          selectionSet: { kind: Kind.SELECTION_SET, selections: inner },
        },
      ]
    })
  }

  const withOnly = (selections: readonly SelectionNode[]): DocumentNode | undefined => {
    if (selections.length === 0) return undefined
    const changed: OperationDefinitionNode = {
      ...operation,
      selectionSet: { kind: Kind.SELECTION_SET, selections },
    }
    return {
      kind: Kind.DOCUMENT,
      definitions: [changed, ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)],
    }
  }

  const introspection = filter(
    operation.selectionSet.selections,
    ({ name }) => name.value === '__schema' || name.value === '__type',
  )
  return { fetched: plannable(document, operation), introspection: withOnly(introspection) }
}

/** The root fields that one trusted fetch alone provides, by response key. */
function providedBy(plan: Plan, isTrusted: (service: string) => boolean): Map<string, FieldNode> {
  const provided = new Map<string, FieldNode>()
  const touched = new Set<string>()
  const visit = (node: Plan, conditional: boolean): void => {
    if (node === undefined) return
    switch (node.kind) {
      case 'sequence':
      case 'parallel':
        for (const child of node.nodes) visit(child, conditional)
        return
      case 'condition':
        visit(node.whenTrue, true)
        visit(node.whenFalse, true)
        return
      case 'entities':
        for (const { paths } of node.groups) {
          for (const [first] of paths) if (first?.kind === 'field') touched.add(first.key)
        }
        return
      case 'fetch': {
        const [definition] = parse(node.operation.text, { noLocation: true }).definitions
        if (definition?.kind !== Kind.OPERATION_DEFINITION) return
        for (const selection of definition.selectionSet.selections) {
          if (selection.kind !== Kind.FIELD) continue
          const key = selection.alias?.value ?? selection.name.value
          if (
            provided.has(key) ||
            conditional ||
            node.outputRewrites.length > 0 ||
            !isTrusted(node.operation.service)
          ) {
            touched.add(key)
          }
          provided.set(key, selection)
        }
      }
    }
  }
  visit(plan, false)
  for (const key of touched) provided.delete(key)
  return provided
}
