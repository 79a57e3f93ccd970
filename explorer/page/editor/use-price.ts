/** What the operation that is written would cost, asked of the gateway when the writing pauses; nothing is run for it. */
import { useEffect, useState } from 'react'
import type { Sender } from '../graph/send.ts'
import { explanationIn, missingScopes } from '../result/explanation.ts'
import { operationsIn } from '../graph/operation.ts'
import { objectFrom } from './format.ts'
import type { Draft } from './workspace.ts'

export interface Price {
  readonly calls: number
  readonly units: number
  /** The scopes that it needs and the token lacks. */
  readonly missing: number
}

export interface PriceOptions {
  readonly sender: Sender
  readonly draft: Draft
  readonly operationName: string | undefined
  /** Whether the text has no fault that can be seen here. */
  readonly isComplete: boolean
  /** Another token has another price. */
  readonly token: string | undefined
}

const pauseMs = 500

/** Undefined while it is not known. */
export function usePrice({
  sender,
  draft,
  operationName,
  isComplete,
  token,
}: PriceOptions): Price | undefined {
  const { query, variables } = draft
  const [told, setTold] = useState<{ readonly key: string; readonly price: Price | undefined }>()
  const key = JSON.stringify([query, variables, operationName, token])
  useEffect(() => {
    const given = objectFrom(variables)
    if (!isComplete || given === undefined || operationsIn(query).length === 0) return
    const stop = new AbortController()
    const ask = async (): Promise<void> => {
      const answer = await sender.explain({ query, operationName, variables: given }, stop.signal)
      const explanation = explanationIn(answer)
      const price = explanation && {
        calls: Object.values(explanation.calls).reduce((sum, count) => sum + count, 0),
        units: explanation.units,
        missing: missingScopes(explanation.refused).length,
      }
      if (!stop.signal.aborted) setTold({ key, price })
    }
    const timer = setTimeout(() => ask().catch(() => {}), pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [sender, query, variables, operationName, isComplete, key])
  return told?.key === key ? told.price : undefined
}
