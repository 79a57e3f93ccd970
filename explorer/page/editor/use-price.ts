/** The price of the current operation. The gateway is asked for it when the user stops typing. Nothing is run. */
import { useEffect, useState } from 'react'
import { operationsIn } from '../graph/operation.ts'
import { explainOperation } from '../graph/send.ts'
import { objectFrom } from '../json.ts'
import { type Explanation, explanationIn } from '../result/finding.ts'
import type { OperationText } from './workspace.ts'

export interface PriceOptions {
  readonly draft: OperationText
  readonly operationName: string | undefined
  /** Whether the page finds no fault in the text. */
  readonly isComplete: boolean
  /** Another token may have another price. */
  readonly token: string | undefined
}

const pauseMs = 500

/** Undefined while it is unknown. */
export function usePrice(options: PriceOptions): Explanation | undefined {
  const { draft, operationName, isComplete, token } = options
  const { query, variables } = draft
  const [told, setTold] = useState<{ readonly key: string; readonly price: Explanation | undefined }>()
  const key = JSON.stringify([query, variables, operationName, token])
  useEffect(() => {
    const given = objectFrom(variables)
    if (!isComplete || given === undefined || operationsIn(query).length === 0) return
    const stop = new AbortController()
    const ask = async (): Promise<void> => {
      const answer = await explainOperation({ query, operationName, variables: given }, stop.signal)
      if (!stop.signal.aborted) setTold({ key, price: explanationIn(answer) })
    }
    const timer = setTimeout(() => ask().catch(() => {}), pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [query, variables, operationName, isComplete, key])
  return told?.key === key ? told.price : undefined
}
