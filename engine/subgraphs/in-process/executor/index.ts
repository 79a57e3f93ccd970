/**
 * Executes operations on the schema of a subgraph in this process, and introspection on the API schema. It follows
 * the algorithm of graphql's `execute` and has the same results. It is our own because errors and completed data must
 * be limited during an execution.
 */
import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { hasConditions } from '../../../../shared/graphql/conditions.ts'
import type { ErrorBehavior } from '../../../../shared/graphql/error-behavior.ts'
import { fragmentsOf } from '../../../../shared/graphql/selections.ts'
import { serviceOf } from '../../../../shared/graphql/service-schema.ts'
import { withStreamedLists } from '../../../../shared/graphql/streamed-list.ts'
import { writeMember } from '../../../../shared/json/members.ts'
import type { LaterFields, LaterResults } from '../../../executor/later-results.ts'
import type { Variables } from '../../../operation/variables.ts'
import { compileArguments } from './arguments.ts'
import { collectFields } from './collect.ts'
import { afterOthers, completeValue, whenWhole } from './complete.ts'
import {
  type ExecutedField,
  fail,
  infoOf,
  type ObjectFields,
  type Path,
  type Program,
  SubgraphExecution,
} from './execution.ts'
import { introspectionField } from './introspection-fields.ts'
import { ownResultTest } from './own-results.ts'
import { compileResolverVariables } from './variables.ts'

export interface ExecutorResult extends ExecutionResult {
  readonly moreErrors?: boolean
  /** Whether the data exceeded its bound and is incomplete. */
  readonly tooLarge?: boolean
  readonly later?: LaterResults<GraphQLError>
}

/**
 * `mostBytes` bounds the approximate JSON size of the data; unbounded by default. `rootValue` is the source of root
 * fields: the event of a subscription. `onError` is the error behavior, `PROPAGATE` by default.
 */
export type Execute = (
  context: object,
  variables: Variables,
  mostBytes?: number,
  rootValue?: unknown,
  onError?: ErrorBehavior,
) => ExecutorResult | Promise<ExecutorResult>

/**
 * Prepares an operation for its executions. What is selected is found out once, unless it depends on variables. `later`
 * are the fields that may be delivered later.
 */
export function createExecutor(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  later?: ReadonlyMap<string, LaterFields>,
): Execute {
  const fragments = Object.fromEntries(fragmentsOf(document))
  const program: Program = { schema, operation, fragments, service: serviceOf(schema) }
  const root = schema.getRootType(operation.operation)
  if (root == null) throw new Error(`The schema has no type for a ${operation.operation}.`)
  /** Objects that are executed one after the other. */
  const selectedRoots = (variables: Variables): readonly ObjectFields[] => {
    const fields = fieldsOf(program, root, [operation.selectionSet], variables, later)
    return operation.operation === 'mutation' ? fields.map((field) => objectOf([field])) : [objectOf(fields)]
  }
  const isConditional = hasConditions(document)
  let known: readonly ObjectFields[] | undefined
  const rootsFor = (variables: Variables): readonly ObjectFields[] => {
    if (isConditional) return selectedRoots(variables)
    known ??= selectedRoots(variables)
    return known
  }
  const coerce = compileResolverVariables(schema, operation)
  return (
    context,
    given,
    mostBytes = Number.POSITIVE_INFINITY,
    rootValue = undefined,
    onError = 'PROPAGATE',
  ) => {
    const { variables, errors } = coerce(given)
    if (errors !== undefined) return { errors }
    const execution = new SubgraphExecution(context, variables, mostBytes, onError, later !== undefined)
    const failed = (error: unknown): ExecutorResult => {
      execution.add(error as GraphQLError, undefined)
      return resultOf(execution, null)
    }
    try {
      const roots = rootsFor(variables)
      const [only] = roots
      const data =
        roots.length === 1 && only !== undefined
          ? only(execution, rootValue, undefined)
          : executeSerially(roots, execution)
      return data instanceof Promise
        ? data.then((late) => resultOf(execution, late), failed)
        : resultOf(execution, data)
    } catch (error) {
      return failed(error)
    }
  }
}

function resultOf(
  { errors, moreErrors, tooLarge, later }: SubgraphExecution,
  data: Record<string, unknown> | null,
): ExecutorResult {
  if (later !== undefined) {
    const first = later.takeErrors()
    return {
      data,
      later,
      ...(first.length === 0 ? {} : { errors: first }),
      ...(moreErrors ? { moreErrors } : {}),
    }
  }
  if (tooLarge) return { errors, data, moreErrors, tooLarge }
  if (moreErrors) return { errors, data, moreErrors }
  return errors.length === 0 ? { data } : { errors, data }
}

function executeSerially(
  roots: readonly ObjectFields[],
  execution: SubgraphExecution,
): ReturnType<ObjectFields> {
  const data: Record<string, unknown> = Object.create(null)
  const from = (start: number): ReturnType<ObjectFields> => {
    for (let at = start; at < roots.length; at++) {
      const root = roots[at]?.(execution, undefined, undefined)
      if (root instanceof Promise) {
        return root.then((late) => {
          Object.assign(data, late)
          return from(at + 1)
        })
      }
      Object.assign(data, root)
    }
    return data
  }
  return from(0)
}

function definitionOf(
  { schema }: Program,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  }
  return introspectionField(type, name) ?? type.getFields()[name]
}

/** A field of an object, or its type name. */
interface Member {
  readonly key: string
  readonly field: ExecutedField | undefined
  readonly typeName: string
  /** Its delivery group, if it may be delivered later. */
  readonly deliveryGroup: string | undefined
}

function fieldsOf(
  program: Program,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  variables: Variables,
  later?: ReadonlyMap<string, LaterFields>,
): readonly Member[] {
  const fields = collectFields(program.schema, program.fragments, type, sets, variables)
  return [...fields].flatMap(([key, nodes]): Member[] => {
    const name = (nodes[0] as FieldNode).name.value
    if (name === '__typename')
      return [{ key, field: undefined, typeName: type.name, deliveryGroup: undefined }]
    const definition = definitionOf(program, type, name)
    if (definition === undefined) return []
    const below = nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]))
    const known = new Map<GraphQLObjectType, ObjectFields>()
    const own = later?.get(key)
    const objects = {
      get(of: GraphQLObjectType): ObjectFields {
        let fields = known.get(of)
        if (fields === undefined) {
          fields = objectOf(fieldsOf(program, of, below, variables, own?.below))
          known.set(of, fields)
        }
        return fields
      },
    }
    const field: ExecutedField = {
      ...{ program, key, nodes, parent: type, definition, objects, later: own },
      isProperty:
        (definition.resolve ?? defaultFieldResolver) === defaultFieldResolver && definition.args.length === 0,
      isNullable: !isNonNullType(definition.type),
      readArguments: compileArguments(definition, nodes[0] as FieldNode),
      isResult: ownResultTest(definition.type),
    }
    return [{ key, field, typeName: type.name, deliveryGroup: own?.deliveryGroup }]
  })
}

function objectOf(members: readonly Member[]): ObjectFields {
  return (execution, source, path) => {
    const object: Record<string, unknown> = {}
    let late = false
    try {
      for (const { key, field, typeName, deliveryGroup } of members) {
        const value = field === undefined ? typeName : executeField(execution, field, source, path)
        execution.count(key, value)
        if (value instanceof Promise) {
          if (deliveryGroup !== undefined && execution.later !== undefined) {
            execution.later.addField(deliveryGroup, setWhenComplete(execution, object, key, value))
            continue
          }
          late = true
        }
        writeMember(object, key, value)
      }
    } catch (error) {
      if (!late) throw error
      return afterOthers(Object.values(object), error)
    }
    return late ? whenWhole(object) : object
  }
}

/** Sets a field in its object when it is complete. The shape of the response handles nulls in non-null positions. */
function setWhenComplete(
  execution: SubgraphExecution,
  object: Record<string, unknown>,
  key: string,
  value: Promise<unknown>,
): Promise<void> {
  return value.then(
    (late) => {
      writeMember(object, key, late)
    },
    (error: unknown) => {
      writeMember(object, key, null)
      execution.errors.push(error as GraphQLError)
    },
  )
}

function executeField(
  execution: SubgraphExecution,
  field: ExecutedField,
  source: unknown,
  prev: Path | undefined,
): unknown {
  if (execution.tooLarge) return null
  const { isProperty, isNullable, isResult } = field
  let path: Path | undefined
  let value: unknown
  try {
    if (isProperty) value = propertyOf(source, field.definition.name)
    if (!isProperty || typeof value === 'function') {
      path = pathOf(field, prev)
      value = resolve(execution, field, source, path)
    }
  } catch (error) {
    return fail(execution, field, field.definition.type, path ?? pathOf(field, prev), error)
  }
  if (isNullable && (value === null || value === undefined)) return null
  if (isResult?.(value) === true) return value
  return completeValue(execution, field, path ?? pathOf(field, prev), value)
}

function propertyOf(source: unknown, name: string): unknown {
  const hasProperties = (typeof source === 'object' && source !== null) || typeof source === 'function'
  return hasProperties ? (source as Record<string, unknown>)[name] : undefined
}

const pathOf = ({ key, parent }: ExecutedField, prev: Path | undefined): Path => ({
  prev,
  key,
  typename: parent.name,
})

function resolve(execution: SubgraphExecution, field: ExecutedField, source: unknown, path: Path): unknown {
  const { definition, readArguments } = field
  const info = infoOf(execution, field, path)
  return (definition.resolve ?? defaultFieldResolver)(
    source,
    readArguments(execution.variables),
    execution.context,
    hasLaterList(field) ? withStreamedLists(info) : info,
  )
}

/** Whether items of a list directly below may be delivered later. */
function hasLaterList({ later }: ExecutedField): boolean {
  if (later === undefined) return false
  for (const { initialCount } of later.below.values()) if (initialCount !== undefined) return true
  return false
}
