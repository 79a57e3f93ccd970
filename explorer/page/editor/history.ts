/**
 * Earlier runs, the newest first, stored in this browser. Headers are not stored, because they may contain
 * credentials. Starred runs stay when others are removed to make room.
 */

import type { HttpExchange } from '../graph/http-exchange.ts'
import { errorsIn } from '../json.ts'
import { createStoredList, hasTexts, newId } from '../ui/stored-list.ts'
import type { OperationText } from './workspace.ts'

export interface Run extends OperationText {
  readonly id: string
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number
  /** Undefined until the response came, and if the gateway could not be reached. */
  readonly status?: number | undefined
  readonly milliseconds?: number | undefined
  /** The price that the gateway estimated. */
  readonly units?: number | undefined
  readonly errors?: number | undefined
  readonly starred?: boolean | undefined
}

const most = 100
/** The most characters of an operation with its variables. Longer ones are not stored. */
const longest = 50_000
/** The most characters of all runs without a star, so that there is room for what is saved. */
const mostCharacters = 1_000_000

const isRun = (value: unknown): value is Run =>
  hasTexts(value, 'id', 'query', 'variables') && typeof value.at === 'number'

export const history = createStoredList<Run>('tessera:history', isRun)

/** The starred runs, and as many of the newest as there is room for. */
function bounded(runs: readonly Run[]): readonly Run[] {
  let room = most
  let characters = mostCharacters
  const fits = ({ query, variables }: Run): boolean => {
    characters -= query.length + variables.length
    return room-- > 0 && characters >= 0
  }
  return runs.filter((run) => run.starred === true || fits(run)).slice(0, 2 * most)
}

/** `units` is the price if it is known already. Returns the id of the new entry; undefined if the operation is too long. */
export function remember(
  { query, variables }: OperationText,
  at: number,
  units: number | undefined,
): string | undefined {
  if (query.length + variables.length > longest) return undefined
  const id = newId()
  const isSame = (run: Run): boolean => run.query === query && run.variables === variables
  history.update((runs) => {
    const starred = runs.some((run) => isSame(run) && run.starred === true)
    const rest = runs.filter((run) => !isSame(run))
    return bounded([{ id, query, variables, at, units, ...(starred ? { starred } : {}) }, ...rest])
  })
  return id
}

export function noteAnswer(id: string, { response }: HttpExchange): void {
  const { status, milliseconds, answer } = response ?? {}
  note((run) => run.id === id, { status, milliseconds, errors: errorsIn(answer).length })
}

/** Adds the price to the operation's entry, if there is one. */
export function notePrice({ query, variables }: OperationText, units: number): void {
  const lacksIt = (run: Run): boolean =>
    run.query === query && run.variables === variables && run.units !== units
  if (history.current().some(lacksIt)) note(lacksIt, { units })
}

export const star = ({ id, starred }: Run): void =>
  note((run) => run.id === id, { starred: starred !== true })

function note(isMeant: (run: Run) => boolean, facts: Partial<Run>): void {
  history.update((runs) => runs.map((run) => (isMeant(run) ? { ...run, ...facts } : run)))
}

export const forgetRun = (id: string): void =>
  void history.update((runs) => runs.filter((run) => run.id !== id))

/** Forgets all runs that are not starred. */
export const forgetRuns = (): void =>
  void history.update((runs) => runs.filter(({ starred }) => starred === true))

/** The first line that is not a comment. */
export const firstLineOf = (query: string): string =>
  query
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#')) ?? 'Nothing'
