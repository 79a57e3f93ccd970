/**
 * Completes values as `execute` of graphql does: promises, errors and their propagation, lists, abstract types. There
 * are three differences. Errors are limited in number. The completed data can be bounded (`execution.ts`). In a
 * schema in front of a service, a value that violates the schema is the service's error, and a failed item of a list
 * of non-null items is left out (`shared/graphql/service-schema.ts`).
 */
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  locatedError,
  responsePathAsArray,
} from 'graphql'
import { inspect } from 'graphql/jsutils/inspect.js'
import { tesseraError } from '../../../../shared/errors.ts'
import { StreamedList } from '../../../../shared/graphql/streamed-list.ts'
import { isTooDeep } from '../../../../shared/json/too-deep.ts'
import { isPromise } from '../../../../shared/runtime/is-promise.ts'
import {
  type ExecutedField,
  fail,
  infoOf,
  type ObjectFields,
  type Path,
  type SubgraphExecution,
  unlisted,
} from './execution.ts'

/** Completes the result of a resolver. Returns a promise if it is asynchronous. */
export function completeValue(
  execution: SubgraphExecution,
  field: ExecutedField,
  path: Path,
  value: unknown,
): unknown {
  return completeOrFail(execution, field, field.definition.type, path, value)
}

/** Completes a value at a path. Returns a promise if it is asynchronous. */
type Completion<Type = GraphQLOutputType> = (
  execution: SubgraphExecution,
  field: ExecutedField,
  type: Type,
  path: Path,
  value: unknown,
) => unknown

/** Handles a later failure of a completed value at this field, if its type is nullable. */
const handleLateFailure: Completion = (execution, field, type, path, completed) =>
  completed instanceof Promise
    ? completed.then(undefined, (error: unknown) => fail(execution, field, type, path, error))
    : completed

/** Completes a value or a promise of one, and handles failures if the type is nullable. */
const completeOrFail: Completion = (execution, field, type, path, value) => {
  if (!isPromise(value)) return completeNow(execution, field, type, path, value)
  return Promise.resolve(value).then(
    (late) => completeNow(execution, field, type, path, late),
    (error: unknown) => fail(execution, field, type, path, error),
  )
}

const completeNow: Completion = (execution, field, type, path, value) => {
  try {
    return handleLateFailure(execution, field, type, path, complete(execution, field, type, path, value))
  } catch (error) {
    return fail(execution, field, type, path, error)
  }
}

const complete: Completion = (execution, field, type, path, value) => {
  if (value instanceof Error) throw value
  if (isNonNullType(type)) {
    const completed = complete(execution, field, type.ofType, path, value)
    if (completed === null) {
      if (execution.moreErrors) throw unlisted
      throw fault(
        field,
        `Cannot return null for non-nullable field ${field.parent.name}.${field.definition.name}.`,
      )
    }
    return completed
  }
  if (value === null || value === undefined) return null
  if (isListType(type)) return completeList(execution, field, type.ofType, path, value)
  if (isLeafType(type)) return completeLeaf(field, type, value)
  if (isAbstractType(type)) return completeAbstract(execution, field, type, path, value)
  return completeObject(execution, field, type, path, value)
}

/** The error for a value that violates the schema: the service's, if there is one behind it. */
function fault({ program: { service } }: ExecutedField, message: string): Error {
  return service === undefined
    ? new Error(message)
    : tesseraError('UPSTREAM_BAD_RESPONSE', message, { service })
}

function serializedLeaf(field: ExecutedField, type: GraphQLLeafType, value: unknown): unknown {
  if (field.program.service === undefined) return type.serialize(value)
  try {
    const serialized: unknown = type.serialize(value)
    if (!isTooDeep(serialized)) return serialized
  } catch (error) {
    const { code, service } = error instanceof GraphQLError ? error.extensions : {}
    if (service !== undefined) throw error
    // A scalar that several services share does not know whose value it refuses.
    if (code === 'UPSTREAM_BAD_RESPONSE' && error instanceof Error) throw fault(field, error.message)
  }
  throw fault(field, `The service answered a value that ${type.name} does not have.`)
}

function completeLeaf(field: ExecutedField, type: GraphQLLeafType, value: unknown): unknown {
  const serialized = serializedLeaf(field, type, value)
  if (serialized === null || serialized === undefined) {
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
    )
  }
  return serialized
}

const completeList: Completion = (execution, field, type, path, value) => {
  if (value instanceof StreamedList) return completeStreamed(execution, field, type, path, value)
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
    const message = `Expected Iterable, but did not find one for field "${field.parent.name}.${field.definition.name}".`
    throw field.program.service === undefined ? new GraphQLError(message) : fault(field, message)
  }
  const items: unknown[] = []
  let late = false
  try {
    for (const item of value as Iterable<unknown>) {
      if (execution.tooLarge) break
      const at: Path = { prev: path, key: items.length, typename: undefined }
      const completed = completeItem(execution, field, type, at, item)
      if (completed instanceof Promise) late = true
      items.push(completed)
    }
  } catch (error) {
    // Nobody waits for the other items: their rejections must not count as unhandled.
    Promise.all(items).catch(() => {})
    throw error
  }
  if (!leavesOut(execution, field, type)) return late ? whenWhole(items) : items
  return late ? whenWhole(items).then(present) : present(items)
}

/** Whether a failed item is left out of its list. */
function leavesOut(
  { onError }: SubgraphExecution,
  { program: { service } }: ExecutedField,
  type: GraphQLOutputType,
): boolean {
  return onError === 'PROPAGATE' && isNonNullType(type) && service !== undefined
}

/** Completes an item of a list. Null if it is left out, with its error reported. */
const completeItem: Completion = (execution, field, type, path, item) => {
  if (!isNonNullType(type) || !leavesOut(execution, field, type))
    return completeOrFail(execution, field, type, path, item)
  const given =
    item ?? fault(field, `Cannot return null in the list ${field.parent.name}.${field.definition.name}.`)
  return completeOrFail(execution, field, type.ofType, path, given)
}

function present(items: unknown[]): unknown[] {
  return items.includes(null) ? items.filter((item) => item !== null) : items
}

/** Completes as many items as must come at once, with the rest of their page. The others are registered for later. */
const completeStreamed = async (
  execution: SubgraphExecution,
  field: ExecutedField,
  type: GraphQLOutputType,
  path: Path,
  list: StreamedList<unknown>,
): Promise<unknown> => {
  const { later } = execution
  const count = field.later?.initialCount
  if (later === undefined || count === undefined)
    return completeList(execution, field, type, path, await list.whole())
  const pages = list.pages()
  let index = 0
  /** An error if the list may lack items from here on. */
  const next = async (): Promise<readonly unknown[] | Error | undefined> => {
    const page = await pages.next()
    if (page.done === true) return page.value instanceof Error ? page.value : undefined
    const items = await Promise.all(
      page.value.map(async (item) =>
        completeItem(execution, field, type, { prev: path, key: index++, typename: undefined }, item),
      ),
    )
    return leavesOut(execution, field, type) ? present(items) : items
  }
  const items: unknown[] = []
  let broken: Error | undefined
  do {
    const more = await next()
    if (more === undefined) return items
    if (more instanceof Error) broken = more
    else items.push(...more)
  } while (items.length < count && broken === undefined)
  const further = async (): Promise<readonly unknown[] | undefined> => {
    const more = broken ?? (await next())
    if (more instanceof Error) throw more
    return more
  }
  later.addList(items, () =>
    further().catch((error: unknown) => {
      // The path of the next item, because the list itself was returned.
      throw locatedError(error, field.nodes, [...responsePathAsArray(path), index])
    }),
  )
  return items
}

const completeAbstract: Completion<GraphQLAbstractType> = (execution, field, type, path, value) => {
  const found = (type.resolveType ?? defaultTypeResolver)(
    value,
    execution.context,
    infoOf(execution, field, path),
    type,
  )
  if (isPromise(found)) {
    return Promise.resolve(found).then((name) =>
      completeObject(execution, field, objectType(field, type, name), path, value),
    )
  }
  return completeObject(execution, field, objectType(field, type, found), path, value)
}

/** The object type of this name, which must be a possible type of the abstract type. */
function objectType(
  { program: { schema }, nodes, parent, definition }: ExecutedField,
  type: GraphQLAbstractType,
  name: unknown,
): GraphQLObjectType {
  const found = typeof name === 'string' ? schema.getType(name) : undefined
  if (isObjectType(found) && schema.isSubType(type, found)) return found
  throw new GraphQLError(
    `The value of "${parent.name}.${definition.name}" was resolved to the type ${inspect(name)}: expected the name of an object type of "${type.name}", by "__typename", "resolveType" or "isTypeOf".`,
    { nodes },
  )
}

const completeObject: Completion<GraphQLObjectType> = (execution, field, type, path, value) => {
  const fields = field.objects.get(type)
  if (fields === undefined) throw new Error(`no code was written for ${type.name}`)
  // Otherwise all of its fields would be null, as if the service had returned nulls.
  if (typeof value !== 'object' && field.program.service !== undefined)
    throw fault(
      field,
      `Expected an object, but did not find one for field "${field.parent.name}.${field.definition.name}".`,
    )
  if (type.isTypeOf === undefined || type.isTypeOf === null) return fields(execution, value, path)
  const check = (is: boolean): ReturnType<ObjectFields> => {
    if (is) return fields(execution, value, path)
    throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, {
      nodes: field.nodes,
    })
  }
  const is = type.isTypeOf(value, execution.context, infoOf(execution, field, path))
  return isPromise(is) ? Promise.resolve(is).then(check) : check(is)
}

/** Resolves with an object or a list when its pending members are in place. One promise for all of them. */
export function whenWhole<Whole extends object>(whole: Whole): Promise<Whole> {
  const members = whole as Record<string, unknown>
  return new Promise((resolve, reject) => {
    let left = 0
    for (const key of Object.keys(members)) {
      const member = members[key]
      if (!(member instanceof Promise)) continue
      left += 1
      member.then((late) => {
        members[key] = late
        left -= 1
        if (left === 0) resolve(whole)
      }, reject)
    }
  })
}

/** Rejects with the error of a field after the other fields have ended, as graphql does. */
export function afterOthers(values: readonly unknown[], error: unknown): Promise<never> {
  const rethrow = (): never => {
    throw error
  }
  return Promise.all(values).then(rethrow, rethrow)
}
