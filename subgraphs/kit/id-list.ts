/**
 * Lists of ids in arguments. Each position is answered by itself: a malformed id becomes null with an error of its
 * own, so that a client can tell which one is wrong. The bound on the errors of an operation holds for these too. A
 * list that is too long is refused as a whole.
 */
import { badInput } from '../../shared/errors.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'

/** The most ids of one list by default. */
export const defaultMaxIds = 500

/** A list of ids in an argument, and how each of them is read. */
export interface IdList<Value> {
  /** The argument's name, for error messages. */
  readonly argument: string
  readonly ids: readonly string[]
  /** The most ids that the list may have. */
  readonly maxIds: number
  /** The expected form of an id, for error messages: `1 to 64 letters`. */
  readonly expected: string
  isId(id: string): boolean
  /** Reads these ids and returns their values in the same order. It is called with well-formed ids only. */
  readAll(ids: readonly string[]): Awaitable<readonly Value[]>
}

/** The values in the order of the ids. Throws if there are too many ids. */
export function readIdList<Value>(list: IdList<Value>): Awaitable<readonly (Value | Error)[]> {
  const { argument, ids, maxIds, isId, readAll } = list
  if (ids.length > maxIds) {
    throw badInput(`\`${argument}\` must have at most ${maxIds} ids, not ${ids.length}.`, {
      argument,
      maximum: maxIds,
      given: ids.length,
    })
  }
  const right: string[] = []
  const wrong: number[] = []
  ids.forEach((id, position) => {
    if (isId(id)) right.push(id)
    else wrong.push(position)
  })
  const read = readAll(right)
  if (wrong.length === 0) return read
  return read instanceof Promise
    ? read.then((values) => inPlace(list, values, wrong))
    : inPlace(list, read, wrong)
}

/** Puts `values` at the positions of their ids, and errors at the `wrong` positions. */
function inPlace<Value>(
  list: IdList<Value>,
  values: readonly Value[],
  wrong: readonly number[],
): (Value | Error)[] {
  const refused = new Map(wrong.map((position) => [position, refusal(list, position)]))
  let at = 0
  return list.ids.map((_, position) => {
    const error = refused.get(position)
    return error === undefined ? (values[at++] as Value) : error
  })
}

function refusal({ argument, expected }: IdList<unknown>, position: number): Error {
  const at = `${argument}[${position}]`
  return badInput(`\`${at}\` must be ${expected}.`, { argument: at })
}
