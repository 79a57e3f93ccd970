/** Runs the open operation: sends it, adds it to the history, and can send it again with another token. */

import { sendOperation } from '../graph/send.ts'
import { session } from '../graph/session.ts'
import { objectFrom } from '../json.ts'
import { arriving } from '../sign-in/index.ts'
import { createStore } from '../ui/store.ts'
import { noteAnswer, remember } from './history.ts'
import { panel } from './navigation.ts'
import { unitsOf } from './use-price.ts'
import { currentDraft, type OpenDraft, useCurrentDraft } from './workspace.ts'

const running = createStore<AbortController | undefined>(undefined)

export const useIsRunning = (): boolean => running.use() !== undefined

const fault = createStore<{ readonly of: OpenDraft; readonly reason: string } | undefined>(undefined)

/** Why nothing was sent, as long as the operation is shown and unchanged. */
export function useFault(): string | undefined {
  const draft = useCurrentDraft()
  const { of, reason } = fault.use() ?? {}
  return of === draft ? reason : undefined
}

/** The last request, so that it can be sent again. */
let asked: { readonly operationName: string | undefined; readonly explain: boolean } = {
  operationName: undefined,
  explain: false,
}

export const lastAsked = () => asked

/**
 * Whether a page can send it: a name has no spaces, a value has bytes alone and one line, and the browser does not keep
 * the name for itself, as it does with `Cookie`.
 */
function isHeader(name: string, value: string): boolean {
  try {
    return new Request(location.href, { headers: [[name, value]] }).headers.has(name)
  } catch {
    return false
  }
}

export function run(operationName: string | undefined, explain = false): void {
  const draft = currentDraft()
  const cannot = (reason: string): void => fault.set({ of: draft, reason })
  const variables = objectFrom(draft.variables)
  const headers = objectFrom(draft.headers)
  if (variables === undefined || headers === undefined) {
    cannot(`The ${variables === undefined ? 'variables' : 'headers'} are not a JSON object.`)
    return
  }
  const strange = Object.entries(headers).find(([name, value]) => !isHeader(name, String(value)))
  if (strange !== undefined) {
    cannot(`A page cannot send the header ${strange.map(String).join(': ')}.`)
    return
  }
  if (draft.query.trim() === '') {
    cannot('There is nothing to run yet: write an operation, or open an example.')
    return
  }
  leave()
  asked = { operationName, explain }
  const stopping = new AbortController()
  running.set(stopping)
  panel.set('result')
  const entry = explain ? undefined : remember(draft, Date.now(), unitsOf(draft))
  sendOperation(
    { query: draft.query, operationName, variables },
    {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      signal: stopping.signal,
      explain,
    },
  )
    .then(
      (exchange) => {
        if (entry !== undefined) noteAnswer(entry, exchange)
      },
      () => {},
    )
    .finally(() => {
      if (running.current() === stopping) running.set(undefined)
    })
}

/** Sends what was last sent, with the current text. */
export const runAgain = (): void => run(asked.operationName, asked.explain)

let stopWaiting = (): void => {}

/** Sends it again once there is another token. */
export function runAgainWithOtherToken(): void {
  const { token } = session.current()
  stopWaiting()
  stopWaiting = session.subscribe(() => {
    const { token: next } = session.current()
    if (next === token) return
    stopWaiting()
    if (next !== undefined) runAgain()
  })
}

/** Runs the operation that was refused before its user signed in. */
export function runArriving(): void {
  arriving?.then(
    ({ run: refused }) => refused && run(refused.operationName),
    () => {},
  )
}

export const stop = (): void => running.current()?.abort('stop')

/** Stops showing the operation that runs. */
export function leave(): void {
  running.current()?.abort('leave')
  fault.set(undefined)
}
