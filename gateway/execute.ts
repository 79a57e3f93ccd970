/**
 * Walks a plan: fetches in parallel and in order, entities by representation, results merged into one tree
 * of data, errors at the places of the response that they belong to. A plan is compiled to closures once;
 * nothing waits that need not wait.
 */
import { type FieldNode, GraphQLError, Kind, parse } from 'graphql'
import { errorCodes } from '../subgraphs/lib/errors.ts'
import { type Data, isObject, mergeInto, readKey } from './execute/data.ts'
import { gather, type ResponsePath } from './execute/entities.ts'
import { applyRewrites, rewritePath } from './execute/rewrite.ts'
import type { TypeFamilies } from './execute/types.ts'
import type { EntitiesNode, FetchNode, FetchOperation, PlanNode } from './plan.ts'
import type { GatewayRequest } from './request.ts'
import type { SubgraphError, SubgraphResult, Transport } from './transport.ts'

export interface ExecutionState {
  data: Data
  readonly errors: GraphQLError[]
  readonly variables: Record<string, unknown>
  readonly request: GatewayRequest
  /** Objects that a look-up said do not exist, without an error. */
  absent: Set<object> | undefined
}

/** Runs a part of a plan; a promise only where something has to be waited for. */
export type Step = (state: ExecutionState) => Promise<void> | undefined

export interface ExecutionParts {
  readonly transportOf: (service: string) => Transport
  readonly types: TypeFamilies
}

/** The most errors that one failed fetch is spread over. */
const mostErrorsOfOneFetch = 100

export function compilePlan(node: PlanNode | undefined, parts: ExecutionParts): Step {
  if (node === undefined) return () => undefined
  switch (node.kind) {
    case 'fetch':
      return compileRootFetch(node, parts)
    case 'entities':
      return compileEntityFetch(node, parts)
    case 'sequence':
      return inSequence(node.nodes.map((child) => compilePlan(child, parts)))
    case 'parallel':
      return inParallel(node.nodes.map((child) => compilePlan(child, parts)))
    case 'condition': {
      const whenTrue = compilePlan(node.whenTrue, parts)
      const whenFalse = compilePlan(node.whenFalse, parts)
      return (state) => (state.variables[node.variable] === true ? whenTrue(state) : whenFalse(state))
    }
  }
}

function inSequence(steps: readonly Step[]): Step {
  const runFrom = (state: ExecutionState, first: number): Promise<void> | undefined => {
    for (let i = first; i < steps.length; i++) {
      if (state.request.cancelled) return undefined
      const waiting = steps[i]?.(state)
      if (waiting !== undefined) return waiting.then(() => runFrom(state, i + 1))
    }
    return undefined
  }
  return (state) => runFrom(state, 0)
}

function inParallel(steps: readonly Step[]): Step {
  return (state) => {
    let waiting: Promise<void>[] | undefined
    for (const step of steps) {
      const one = step(state)
      if (one === undefined) continue
      if (waiting === undefined) waiting = [one]
      else waiting.push(one)
    }
    if (waiting === undefined) return undefined
    return waiting.length === 1 ? waiting[0] : Promise.all(waiting).then(() => undefined)
  }
}

function variablePicker(
  names: readonly string[],
): (variables: Record<string, unknown>) => Record<string, unknown> {
  return (variables) => {
    const picked: Record<string, unknown> = {}
    for (const name of names) {
      const value = variables[name]
      if (value !== undefined) picked[name] = value
    }
    return picked
  }
}

/** The response keys of an operation's root fields. */
function rootKeys(fields: readonly FieldNode[]): string[] {
  return fields.map((field) => field.alias?.value ?? field.name.value)
}

function rootFieldsOf(operation: FetchOperation): {
  document: ReturnType<typeof parse>
  fields: readonly FieldNode[]
} {
  const document = parse(operation.text, { noLocation: true })
  const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  const selections = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : []
  const fields: FieldNode[] = []
  const visit = (list: typeof selections): void => {
    for (const selection of list) {
      if (selection.kind === Kind.FIELD) fields.push(selection)
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet.selections)
    }
  }
  visit(selections)
  return { document, fields }
}

function errorAt(error: SubgraphError, path: ResponsePath | undefined, service: string): GraphQLError {
  const { extensions = {} } = error
  const named =
    typeof extensions.code === 'string' &&
    Object.hasOwn(errorCodes, extensions.code) &&
    extensions.service === undefined
      ? extensions
      : { service, ...extensions }
  const original = error instanceof GraphQLError ? (error.originalError ?? undefined) : undefined
  return new GraphQLError(error.message, {
    ...(path === undefined ? {} : { path: [...path] }),
    extensions: { ...named },
    ...(original === undefined ? {} : { originalError: original }),
  })
}

function compileRootFetch(node: FetchNode, { transportOf, types }: ExecutionParts): Step {
  const { document, fields } = rootFieldsOf(node.operation)
  const keys = rootKeys(fields)
  const { service, variableNames } = node.operation
  const fetch = transportOf(service).prepare({ ...node.operation, document })
  const pick = variablePicker(variableNames)

  const finish = (state: ExecutionState, result: SubgraphResult): void => {
    const { data, errors } = result
    if (errors !== undefined) {
      for (const error of errors) {
        if (error.path !== undefined && error.path.length > 0) {
          state.errors.push(errorAt(error, rewritePath(error.path, node.outputRewrites), service))
        } else {
          for (const key of keys) {
            state.errors.push(errorAt(error, rewritePath([key], node.outputRewrites), service))
          }
        }
      }
    }
    if (data === null || data === undefined) return
    if (node.outputRewrites.length > 0) applyRewrites(data, node.outputRewrites, types)
    mergeInto(state.data, data)
  }

  return (state) => {
    const result = fetch(pick(state.variables), state.request)
    if (result instanceof Promise) return result.then((answer) => finish(state, answer))
    finish(state, result)
    return undefined
  }
}

function compileEntityFetch(node: EntitiesNode, { transportOf, types }: ExecutionParts): Step {
  const { document, fields } = rootFieldsOf(node.operation)
  const { service, variableNames } = node.operation
  const fetch = transportOf(service).prepare({ ...node.operation, document })
  const pick = variablePicker(variableNames)
  const targets = node.groups.map((target) => {
    const field = fields.find(
      (candidate) => (candidate.alias?.value ?? candidate.name.value) === target.alias,
    )
    return { target, keys: field === undefined ? [] : keysBelow(field) }
  })

  return (state) => {
    if (state.request.cancelled) return undefined
    const variables = pick(state.variables)
    let any = false
    const batches = targets.map(({ target, keys }) => {
      const batch = gather(state.data, target, types)
      variables[target.variable] = batch.representations
      if (batch.representations.length > 0) any = true
      return { target, keys, batch }
    })
    if (!any) return undefined

    const place = (error: SubgraphError): void => {
      const path = error.path ?? []
      const own = batches.find(({ target }) => target.alias === path[0])
      const index = path[1]
      if (own !== undefined && typeof index === 'number') {
        const rest = rewritePath(path.slice(2), own.target.outputRewrites)
        for (const found of own.batch.waiting[index] ?? []) {
          state.errors.push(errorAt(error, [...found.path, ...rest], service))
        }
        return
      }
      let left = mostErrorsOfOneFetch
      for (const { keys, batch, target } of own === undefined ? batches : [own]) {
        for (const found of batch.waiting.flat()) {
          for (const key of keys) {
            if (left-- <= 0) return
            const rest = rewritePath([key], target.outputRewrites)
            state.errors.push(errorAt(error, [...found.path, ...rest], service))
          }
        }
      }
    }

    const finish = ({ data, errors }: SubgraphResult): void => {
      if (errors !== undefined) for (const error of errors) place(error)
      if (data === null || data === undefined) return
      const failed = errors !== undefined && errors.length > 0
      for (const { target, batch } of batches) {
        const entities = readKey(data, target.alias)
        if (!Array.isArray(entities)) continue
        if (target.outputRewrites.length > 0) applyRewrites(entities, target.outputRewrites, types)
        for (let i = 0; i < batch.waiting.length; i++) {
          const entity: unknown = entities[i]
          for (const { object } of batch.waiting[i] ?? []) {
            if (isObject(entity)) {
              state.absent?.delete(object)
              mergeInto(object, entity)
            } else if (!failed) {
              state.absent ??= new Set()
              state.absent.add(object)
            }
          }
        }
      }
    }

    const result = fetch(variables, state.request)
    if (result instanceof Promise) return result.then(finish)
    finish(result)
    return undefined
  }
}

/** The response keys that an `_entities` field asks of its objects, type names left out. */
function keysBelow(field: FieldNode): string[] {
  const keys = new Set<string>()
  const visit = (selections: NonNullable<FieldNode['selectionSet']>['selections']): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet.selections)
      else if (selection.kind === Kind.FIELD && selection.name.value !== '__typename') {
        keys.add(selection.alias?.value ?? selection.name.value)
      }
    }
  }
  visit(field.selectionSet?.selections ?? [])
  return [...keys]
}
