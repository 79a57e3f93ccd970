/**
 * Fetches required values again that a failed field took along. A subgraph returns null for an object if a non-null
 * field of it fails. Another field may `@require` a value of that object, which is lost although it did not fail. The
 * value is requested once more, without the other fields. If it does not come either, the null is removed, because it
 * is not the value of the field and must not be sent as one.
 *
 * With `onError: NULL` the null is at the failed field itself. If that field is the required one, it is not requested
 * again.
 */
import { type DocumentNode, Kind, print, type SelectionNode, type SelectionSetNode } from 'graphql'
import { responseKey, variablesIn } from '../../shared/graphql/selections.ts'
import { isObject } from '../../shared/json/is-object.ts'
import { readMember, writeMember } from '../../shared/json/members.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import type { NoteBytes } from '../cache-memory.ts'
import type { FetchOperation, Rename } from '../planner/index.ts'
import type { GatewayRequest } from '../request.ts'
import type { SubgraphFetch, SubgraphResult, Transport } from '../subgraphs/index.ts'
import { nullWithin, type Path, valueAt } from './errors.ts'
import type { JsonObject } from './execution.ts'
import type { RequiredPlace } from './required-places.ts'

/**
 * Completes the result of a fetch that was sent with these variables: the required values are in it, or are removed if
 * they are known to be missing. A promise only if they are requested once more.
 */
export type RestoreRequired = (
  result: SubgraphResult,
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
) => void | Promise<void>

/** The required values of a fetch that are restored. */
export interface Required {
  readonly renames: readonly Rename[]
  /**
   * The fields that other fetches require of its response (`RequiredPlaces.at`). Known once the whole plan is
   * compiled.
   */
  required(plain?: boolean): RequiredPlace | undefined
}

interface Lost {
  readonly places: readonly Path[]
  /** Whether a second request may return some of the values. */
  readonly mayCome: boolean
}

const none: Lost = { places: [], mayCome: false }

export function createRestore(
  operation: FetchOperation,
  document: DocumentNode,
  { renames, required: requiredOf }: Required,
  transport: Transport,
  noteBytes: NoteBytes | undefined,
): RestoreRequired {
  const ownKeys = new Map(renames.map(({ path, to }) => [path.at(-1) ?? to, to]))
  const keyOf = (key: string): string => ownKeys.get(key) ?? key

  let send: SubgraphFetch | undefined
  const prepare = (place: RequiredPlace): SubgraphFetch | undefined => {
    // Mutations are not sent twice.
    if (operation.kind !== 'query') return undefined
    const reduced = reducedDocument(document, place, keyOf)
    if (reduced === undefined) return undefined
    const names = variablesIn(reduced)
    const prepared = transport.prepare({
      ...operation,
      text: print(reduced),
      document: reduced,
      variableNames: operation.variableNames.filter((name) => names.has(name)),
      later: undefined,
      noteBytes,
    })
    return (variables, request) =>
      prepared(Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name))), request)
  }

  /** The places of nulls that took required values along. */
  const lostIn = ({ data, errors }: SubgraphResult, { onError }: GatewayRequest): Lost => {
    if (errors === undefined || errors.length === 0 || data == null) return none
    const lost = new Map<string, Path>()
    let mayCome = false
    for (const { path } of errors) {
      if (path === undefined || path.length === 0) continue
      const above = nullWithin(data, path)
      const isOwn =
        above === undefined && onError === 'NULL' && path.reduce(valueAt, data as unknown) === null
      const length = isOwn ? path.length : above
      if (!length) continue
      const required = requiredOf(isOwn)
      const place = path.slice(0, length)
      if (required === undefined || !isRequiredAt(required, place, keyOf)) continue
      lost.set(JSON.stringify(place), place)
      if (!isOwn) mayCome = true
    }
    return { places: [...lost.values()], mayCome }
  }

  return (result, variables, request) => {
    const { places: lost, mayCome } = lostIn(result, request)
    if (lost.length === 0) return undefined
    const finish = (again: SubgraphResult): void => {
      for (const place of lost) restoreAt(result.data, again.data, place)
    }
    if (!mayCome) return finish({})
    const required = requiredOf()
    if (required !== undefined) send ??= prepare(required)
    return send === undefined || request.cancelled ? finish({}) : whenReady(send(variables, request), finish)
  }
}

function isRequiredAt(required: RequiredPlace, path: Path, keyOf: (key: string) => string): boolean {
  let place: RequiredPlace | undefined = required
  for (const step of path) if (typeof step === 'string') place = place?.below.get(keyOf(step))
  return place?.isRequired === true
}

/** The document, reduced to the required fields and the keys of the objects above them. */
function reducedDocument(
  document: DocumentNode,
  place: RequiredPlace,
  keyOf: (key: string) => string,
): DocumentNode | undefined {
  const [definition] = document.definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return undefined
  const selectionSet = reduced(definition.selectionSet, place, keyOf)
  if (selectionSet === undefined) return undefined
  const whole = { ...definition, selectionSet, variableDefinitions: [] }
  const names = variablesIn(whole)
  const variableDefinitions = (definition.variableDefinitions ?? []).filter(({ variable }) =>
    names.has(variable.name.value),
  )
  return { kind: Kind.DOCUMENT, definitions: [{ ...whole, variableDefinitions }] }
}

function reduced(
  set: SelectionSetNode,
  place: RequiredPlace,
  keyOf: (key: string) => string,
): SelectionSetNode | undefined {
  const selections = set.selections.flatMap((node): SelectionNode[] => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return []
    if (node.kind === Kind.FIELD && node.name.value === '__typename') return [node]
    const below = node.kind === Kind.FIELD ? place.below.get(keyOf(responseKey(node))) : place
    if (below === undefined) return []
    if (node.selectionSet === undefined) return [node]
    const selectionSet = reduced(node.selectionSet, below, keyOf)
    return selectionSet === undefined ? [] : [{ ...node, selectionSet }]
  })
  return selections.length === 0 ? undefined : { ...set, selections }
}

/** Copies the value at the path from the second response, if the objects above it are the same in both. */
function restoreAt(data: unknown, again: unknown, path: Path): void {
  let here = data
  let there = again
  for (const step of path.slice(0, -1)) {
    if (!isSame(here, there)) there = undefined
    here = valueAt(here, step)
    there = valueAt(there, step)
  }
  const last = path.at(-1)
  if (last === undefined) return
  const value = isSame(here, there) ? (valueAt(there, last) ?? undefined) : undefined
  if (Array.isArray(here) && typeof last === 'number') here[last] = value
  else if (!isObject(here) || typeof last !== 'string') return
  else if (value === undefined) delete here[last]
  else writeMember(here, last, value)
}

/** Whether nothing shows that these are different objects, or lists of different ones. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length
  return isObject(one) && isObject(other) && Object.keys(other).every((key) => isEqual(one, other, key))
}

function isEqual(one: JsonObject, other: JsonObject, key: string): boolean {
  const [mine, its] = [readMember(one, key), readMember(other, key)]
  return mine === its || typeof its === 'object' || typeof mine === 'object'
}
