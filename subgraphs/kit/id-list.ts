/**
 * Lists of ids in arguments. Each position is answered by itself: a malformed id becomes null with an error of its
 * own, so that a client can tell which one is wrong. The bound on the errors of an operation holds for these too. A
 * list that is too long is refused as a whole.
 */
import { badInput } from '../../shared/errors.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { wrongArgument } from './wrong-argument.ts'

export const defaultMaxIds = 500

export interface Ids {
  /** The argument's name, for error messages. */
  readonly argument: string
  readonly ids: readonly string[]
  /** The most ids that the list may have. */
  readonly maxIds: number
  /** The expected form of an id, for error messages: `1 to 64 letters`. */
  readonly expected: string
  isId(id: string): boolean
}

/** A list of ids, and how they are read. */
export interface IdList<Value> extends Ids {
  /** Reads these ids and returns their values in the same order. It is called with well-formed ids only. */
  readAll(ids: readonly string[]): Awaitable<readonly Value[]>
}

/** The values in the order of the ids. Throws if there are too many ids. */
export function readIdList<Value>(list: IdList<Value>): Awaitable<readonly (Value | Error)[]> {
  checkLength(list)
  const { ids, isId, readAll } = list
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

function inPlace<Value>(
  list: IdList<Value>,
  values: readonly Value[],
  wrong: readonly number[],
): (Value | Error)[] {
  const refused = new Map(wrong.map((position) => [position, malformedId(list, position)]))
  let at = 0
  return list.ids.map((_, position) => {
    const error = refused.get(position)
    return error === undefined ? (values[at++] as Value) : error
  })
}

export function checkLength({ argument, ids, maxIds }: Ids, { least = 0 } = {}): void {
  const given = ids.length
  if (given >= least && given <= maxIds) return
  const bounds = least === 0 ? `at most ${maxIds}` : `${least} to ${maxIds}`
  const message = `\`${argument}\` must have ${bounds} ids, not ${given}.`
  throw badInput(message, { argument, maximum: maxIds, given })
}

export function malformedId({ argument, expected }: Ids, position: number): Error {
  const at = `${argument}[${position}]`
  return wrongArgument(at, `must be ${expected}.`)
}
