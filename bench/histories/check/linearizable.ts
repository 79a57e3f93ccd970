/**
 * Whether a history of operations on one object can be put in an order that a model allows, each between its call
 * and its response. This is Wing and Gong's search with Lowe's memoization ("Testing for linearizability", 2017),
 * which Porcupine also uses. An operation without a response may have happened at any time after its call, or
 * never.
 *
 * Porcupine itself is a Go module and takes models in Go, so the search is written here.
 */

export interface Operation<Input> {
  readonly input: Input
  readonly invoked: number
  /** Infinite if it is unknown whether it happened. */
  readonly completed: number
}

export interface Model<State, Input> {
  readonly initial: State
  /** The state after the operation; undefined if this response is impossible in this state. */
  step(state: State, input: Input): State | undefined
  /** Equal texts for equal states. */
  print(state: State): string
}

/** 'undecided' after this many steps. */
export type Verdict = 'possible' | 'impossible' | 'undecided'

interface Entry {
  readonly index: number
  /** False for a response. */
  readonly call: boolean
  before: Entry | undefined
  after: Entry | undefined
  /** The response of a call; undefined for a response. */
  answer: Entry | undefined
}

export function isLinearizable<State, Input>(
  operations: readonly Operation<Input>[],
  model: Model<State, Input>,
  mostSteps = 100_000,
): Verdict {
  const head = listOf(operations)
  let needed = operations.filter(({ completed }) => Number.isFinite(completed)).length
  /** The set of operations that are already in order, as a large number for the memoization. */
  let bits = 0n
  const seen = new Set<string>()
  const chosen: { readonly entry: Entry; readonly state: State }[] = []
  let state = model.initial
  let entry = head.after
  for (let step = 0; needed > 0; step += 1) {
    if (step >= mostSteps) return 'undecided'
    if (entry?.call === true) {
      const operation = operations[entry.index] as Operation<Input>
      const next = model.step(state, operation.input)
      if (next !== undefined) {
        const after = bits | (1n << BigInt(entry.index))
        const name = `${after.toString(36)} ${model.print(next)}`
        if (!seen.has(name)) {
          seen.add(name)
          chosen.push({ entry, state })
          state = next
          bits = after
          if (Number.isFinite(operation.completed)) needed -= 1
          lift(entry)
          entry = head.after
          continue
        }
      }
      entry = entry.after
      continue
    }
    // This is a response whose call is not in order yet, or the end: the last choice was wrong.
    const last = chosen.pop()
    if (last === undefined) return 'impossible'
    state = last.state
    const { index } = last.entry
    bits &= ~(1n << BigInt(index))
    if (Number.isFinite((operations[index] as Operation<Input>).completed)) needed += 1
    unlift(last.entry)
    entry = last.entry.after
  }
  return 'possible'
}

function listOf<Input>(operations: readonly Operation<Input>[]): Entry {
  const events: { readonly at: number; readonly entry: Entry }[] = []
  operations.forEach(({ invoked, completed }, index) => {
    const call: Entry = { index, call: true, before: undefined, after: undefined, answer: undefined }
    events.push({ at: invoked, entry: call })
    if (!Number.isFinite(completed)) return
    call.answer = { index, call: false, before: undefined, after: undefined, answer: undefined }
    events.push({ at: completed, entry: call.answer })
  })
  // At the same moment calls come first. This allows more orders, so no possible history is called impossible.
  events.sort((a, b) => a.at - b.at || Number(b.entry.call) - Number(a.entry.call))
  const head: Entry = { index: -1, call: false, before: undefined, after: undefined, answer: undefined }
  let last = head
  for (const { entry } of events) {
    last.after = entry
    entry.before = last
    last = entry
  }
  return head
}

function lift(entry: Entry): void {
  for (const each of [entry, entry.answer]) {
    if (each === undefined) continue
    if (each.before !== undefined) each.before.after = each.after
    if (each.after !== undefined) each.after.before = each.before
  }
}

function unlift(entry: Entry): void {
  for (const each of [entry.answer, entry]) {
    if (each === undefined) continue
    if (each.before !== undefined) each.before.after = each
    if (each.after !== undefined) each.after.before = each
  }
}

export type CounterInput =
  | { readonly add: readonly [least: number, most: number] }
  | { readonly read: number }

/** A counter of which some additions are known only within bounds. Its state is the range of possible values. */
export const counter: Model<readonly [number, number], CounterInput> = {
  initial: [0, 0],
  step(state, input) {
    const [least, most] = state
    if ('add' in input) return [least + input.add[0], most + input.add[1]]
    return input.read >= least && input.read <= most ? [input.read, input.read] : undefined
  },
  print: (state) => state.join(','),
}
