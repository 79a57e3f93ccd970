/** Runs the open operation: sends it, adds it to the history, and can send it again with another token. */
import { useRef, useState } from 'react'
import type { Operation } from '../graph/operation.ts'
import type { Sender } from '../graph/send.ts'
import { objectFrom } from '../json.ts'
import { noteAnswer, remember } from './history.ts'
import type { OpenDraft } from './workspace.ts'

/** The last request, so that it can be sent again. */
interface Asked {
  readonly operationName: string | undefined
  readonly explain: boolean
}

/** Whether a request can carry it: a name has no spaces, and a value has bytes alone and one line. */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}

export type OperationRun = ReturnType<typeof useRun>

export interface RunOptions {
  readonly draft: OpenDraft
  readonly sender: Sender
  /** The price of the draft in units, if it is known. */
  readonly units: number | undefined
  readonly onBegin: () => void
}

export function useRun({ draft, sender, units, onBegin }: RunOptions) {
  const [running, setRunning] = useState<AbortController>()
  const [fault, setFault] = useState<string>()
  const asked = useRef<Asked>({ operationName: undefined, explain: false })

  const send = (operationName: string | undefined, explain = false): void => {
    const variables = objectFrom(draft.variables)
    const headers = objectFrom(draft.headers)
    if (variables === undefined || headers === undefined) {
      setFault(`The ${variables === undefined ? 'variables' : 'headers'} are not a JSON object.`)
      return
    }
    const strange = Object.entries(headers).find(([name, value]) => !isHeader(name, String(value)))
    if (strange !== undefined) {
      setFault(`No browser can send the header ${strange.map(String).join(': ')}.`)
      return
    }
    if (draft.query.trim() === '') {
      setFault('There is nothing to run yet: write an operation, or open an example.')
      return
    }
    setFault(undefined)
    asked.current = { operationName, explain }
    running?.abort('leave')
    const stop = new AbortController()
    setRunning(stop)
    onBegin()
    const entry = explain ? undefined : remember(draft, Date.now(), units)
    const operation: Operation = { query: draft.query, operationName, variables }
    sender
      .send(operation, {
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        signal: stop.signal,
        explain,
      })
      .then(
        (exchange) => {
          if (entry !== undefined) noteAnswer(entry, exchange)
        },
        () => {},
      )
      .finally(() => setRunning((now) => (now === stop ? undefined : now)))
  }
  return {
    isRunning: running !== undefined,
    /** Why nothing was sent. */
    fault,
    send,
    /** Sends what was last sent, with the current text. */
    again: () => send(asked.current.operationName, asked.current.explain),
    asked: () => asked.current,
    stop: () => running?.abort('stop'),
    /** Stops showing the operation that runs. */
    leave: () => {
      running?.abort('leave')
      setFault(undefined)
    },
  }
}
