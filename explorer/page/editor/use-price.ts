/** The price of the current operation. The gateway is asked for it when the user stops typing. Nothing is run. */
import { useEffect } from 'react'
import { operationsIn } from '../graph/operation.ts'
import { sendQuietly } from '../graph/send.ts'
import { session } from '../graph/session.ts'
import { objectFrom } from '../json.ts'
import { type Explanation, explanationIn } from '../result/response-details.ts'
import { createStore } from '../ui/store.ts'
import { operationNameOf } from './chosen-operation.ts'
import { notePrice } from './history.ts'
import type { OperationText } from './workspace.ts'

const pauseMs = 500

const told = createStore<{ readonly key: string; readonly price: Explanation | undefined } | undefined>(
  undefined,
)

/** Another token may have another price. */
const keyOf = ({ query, variables }: OperationText): string =>
  JSON.stringify([query, variables, operationNameOf({ query }), session.current().token])

function priceOf(draft: OperationText): Explanation | undefined {
  const { key, price } = told.current() ?? {}
  return key === keyOf(draft) ? price : undefined
}

/** Undefined if it is not known. */
export const unitsOf = (draft: OperationText): number | undefined => priceOf(draft)?.units

/** Undefined while it is unknown. `isComplete` says whether the page finds no fault in the text. */
export function usePrice(draft: OperationText, isComplete: boolean): Explanation | undefined {
  const { query, variables } = draft
  session.use()
  told.use()
  const key = keyOf(draft)
  useEffect(() => {
    const given = objectFrom(variables)
    if (!isComplete || given === undefined || operationsIn(query).length === 0) return
    const stop = new AbortController()
    const ask = async (): Promise<void> => {
      const operationName = operationNameOf({ query })
      const asked = { query, operationName, variables: given }
      const { answer } = await sendQuietly(asked, { explain: true, signal: stop.signal })
      if (stop.signal.aborted) return
      const price = explanationIn(answer)
      told.set({ key, price })
      if (price !== undefined) notePrice({ query, variables }, price.units)
    }
    const timer = setTimeout(() => ask().catch(() => {}), pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [query, variables, isComplete, key])
  return priceOf(draft)
}
