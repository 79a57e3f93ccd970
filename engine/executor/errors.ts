/**
 * Reports errors of subgraphs at the paths of the client's response. An error of an entity is reported at every place
 * of that entity. An error without a path, or the failure of the whole fetch, is reported at every field that was
 * requested. No more paths are computed once the list of errors is full.
 */
import { type DocumentNode, GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { readMember } from '../../shared/json/members.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import type { Rename } from '../planner/index.ts'
import type { GatewayRequest } from '../request.ts'
import type { SubgraphError } from '../subgraphs/index.ts'
import { mostErrors } from './error-list.ts'
import type { Execution, JsonObject } from './execution.ts'
import type { ObjectsAtPath } from './objects-at-path.ts'
import { type PossibleTypes, renamedPath } from './renames.ts'
import { selectedKeys } from './selected-keys.ts'

export interface ReportedFetch {
  readonly service: string
  readonly document: DocumentNode
  readonly possibleTypes: PossibleTypes
}

export interface EntitiesField {
  readonly alias: string
  readonly objectsAt: readonly ObjectsAtPath[]
  readonly renames: readonly Rename[]
}

interface RequestedEntities {
  readonly group: EntitiesField
  readonly objects: readonly JsonObject[]
  readonly indices: readonly number[]
}

export type Path = readonly (string | number)[]

/** The error of a fetch that was not sent, because the request was cancelled or its deadline passed. */
export function notSentError(service: string, request: GatewayRequest): SubgraphError {
  const late = performance.now() >= request.deadline
  return tesseraError(
    'UPSTREAM_TIMEOUT',
    late
      ? 'The deadline of this request passed before the service was called.'
      : 'The request was cancelled before the service was called.',
    { service },
  )
}

/** The most characters of a subgraph's message, and of its extensions as JSON. */
const mostCharacters = 4000

function addError({ errors }: Execution, error: SubgraphError, path: Path | undefined): void {
  if (!errors.hasRoom()) return
  const { message, extensions, originalError } = error
  errors.add(
    new GraphQLError(message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : message, {
      path: path ?? null,
      extensions: extensions && boundedExtensions(extensions),
      originalError: originalError ?? null,
    }),
  )
}

/** The extensions. If they are too long, only the code and the service. */
const boundedExtensions = memoByObject((extensions: Readonly<Record<string, unknown>>) => {
  const { code, service } = extensions
  return isTooDeep(extensions) || JSON.stringify(extensions).length > mostCharacters
    ? { code, service }
    : extensions
})

/** The number of path keys that lead to a null before the end of the path. Undefined if there is no such null. */
export function nullWithin(data: unknown, path: Path): number | undefined {
  let value = data
  for (const [index, key] of path.entries()) {
    if (value === null) return index
    value = valueAt(value, key)
  }
  return undefined
}

/** The member of an object, or the item of a list. Undefined if there is none. */
export function valueAt(value: unknown, key: string | number): unknown {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined
  return isObject(value) ? readMember(value, key) : undefined
}

function noteNulled(execution: Execution, path: Path): void {
  execution.nulledPlaces ??= new Set()
  execution.nulledPlaces.add(JSON.stringify(path))
}

/**
 * Reports the errors of a fetch of root fields. `data` is its data before renames. If it is null, all fields of the
 * fetch are null because of these errors.
 */
export function reportRootErrors(
  execution: Execution,
  fetch: ReportedFetch,
  errors: readonly SubgraphError[],
  data: JsonObject | null | undefined,
  renames: readonly Rename[],
): void {
  const failed = data == null
  const keys = failed
    ? selectedKeys(fetch.document, execution.variables).map((key) => renamedPath([key], renames))
    : []
  for (const [key] of keys) noteFailed(execution, key)
  for (const error of errors) {
    if (!execution.errors.hasRoom()) return
    if (error.path !== undefined && error.path.length > 0) {
      const path = renamedPath(error.path, renames)
      addError(execution, error, path)
      const length = nullWithin(data, error.path)
      if (length) noteNulled(execution, path.slice(0, length))
    } else if (failed) for (const path of keys) addError(execution, error, path)
    else addError(execution, error, undefined)
  }
}

const none: readonly unknown[] = []

/** The entities in the data of a fetch, under this response key. */
export function answersOf(data: JsonObject | null | undefined, alias: string): readonly unknown[] {
  const answers = data == null ? undefined : readMember(data, alias)
  return Array.isArray(answers) ? answers : none
}

export function reportEntityErrors(
  execution: Execution,
  fetch: ReportedFetch,
  requested: readonly RequestedEntities[],
  errors: readonly SubgraphError[],
  data: JsonObject | null | undefined,
): void {
  const failed = data == null
  if (failed)
    for (const { group } of requested)
      for (const { rootKey } of group.objectsAt) if (rootKey !== undefined) noteFailed(execution, rootKey)
  for (const error of errors) {
    if (!execution.errors.hasRoom()) return
    const [alias, ...within] = error.path ?? []
    const about = requested.find(({ group }) => group.alias === alias)
    const entities = about === undefined ? none : answersOf(data, about.group.alias)
    const [first, ...others] = within
    const [concerned, rest] =
      typeof first === 'number' ? [[first], others] : [nullsAt(entities, within), within]
    if (about !== undefined && concerned.length > 0) {
      for (const index of concerned) {
        if (!execution.errors.hasRoom()) return
        reportAt(execution, fetch, about, error, { index, rest, entity: entities[index] })
      }
    } else if (about !== undefined || failed) {
      for (const each of about === undefined ? requested : [about])
        reportEverywhere(execution, fetch, each, error)
    } else addError(execution, error, undefined)
  }
}

/**
 * The indices of the entities that are null at this path. Some servers leave the index out of the path of an error:
 * gqlgen writes `["_entities"]`, and async-graphql `["_entities", "name"]`, without the field in the data.
 */
function nullsAt(entities: readonly unknown[], path: Path): number[] {
  return entities.flatMap((entity, index) => (path.reduce(valueAt, entity) == null ? [index] : []))
}

/** Reports the error of an entity, at `rest` below every place of it. */
function reportAt(
  execution: Execution,
  fetch: ReportedFetch,
  { group, objects, indices }: RequestedEntities,
  error: SubgraphError,
  { index, rest, entity }: { readonly index: number; readonly rest: Path; readonly entity: unknown },
): void {
  const below = renamedPath(rest, group.renames)
  const concerned = new Set(objects.filter((_, i) => indices[i] === index))
  const length = nullWithin(entity, rest)
  for (const { object, path } of located(execution, group, concerned)) {
    addError(execution, error, [...path, ...below])
    if (length) noteNulled(execution, [...path, ...below.slice(0, length)])
    // The whole entity is null, so the fields that this fetch selected are missing from objects of other fetches.
    if (length === 0)
      for (const key of keysOf(execution, fetch, group, object)) noteNulled(execution, [...path, ...key])
  }
  if (concerned.size === 0) addError(execution, error, undefined)
}

function noteFailed(execution: Execution, rootKey: string | number | undefined): void {
  execution.failedRoots ??= new Set()
  execution.failedRoots.add(String(rootKey))
}

function located(
  { data }: Execution,
  group: EntitiesField,
  objects: ReadonlySet<JsonObject>,
): { object: JsonObject; path: (string | number)[] }[] {
  return data === undefined ? [] : group.objectsAt.flatMap((at) => at.locate(data, objects, mostErrors))
}

/** The paths of the fields that the fetch selects of the object. */
function keysOf(
  { variables }: Execution,
  { document, possibleTypes }: ReportedFetch,
  { alias, renames }: EntitiesField,
  object: JsonObject,
): Path[] {
  const type = typeof object.__typename === 'string' ? object.__typename : ''
  return selectedKeys(document, variables, { alias, type, possibleTypes }).map((key) =>
    renamedPath([key], renames),
  )
}

/** Reports the error at every selected field of every object of the fetch. */
function reportEverywhere(
  execution: Execution,
  fetch: ReportedFetch,
  { group, objects, indices }: RequestedEntities,
  error: SubgraphError,
): void {
  const represented = new Set(objects.filter((_, i) => (indices[i] ?? -1) >= 0))
  for (const { object, path } of located(execution, group, represented)) {
    const keys = keysOf(execution, fetch, group, object)
    for (const key of keys) {
      if (!execution.errors.hasRoom()) return
      addError(execution, error, [...path, ...key])
    }
    if (keys.length === 0) addError(execution, error, path)
  }
}
