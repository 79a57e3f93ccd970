/**
 * Bounds the upstream calls that one operation may make to a service. Every operation is estimated for it, so the
 * outcome is cached by operation and by the values of the variables on which it depends: for most operations none.
 */
import { isDeepStrictEqual } from 'node:util'
import type { GraphQLError } from 'graphql'
import type { NormalisedOperation } from '../../engine/operation/normalised.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { EstimateOfVariables } from './estimate/index.ts'

type Variables = Readonly<Record<string, unknown>>

/** What exceeded the bound. */
type Excess = readonly [service: string, calls: number]

interface Outcome {
  readonly values: readonly unknown[]
  readonly excess: Excess | undefined
}

interface Known {
  /** The variables on which the outcome depends. */
  readonly variables: readonly string[]
  readonly outcomes: Outcome[]
}

/** How many sets of values are remembered for an operation. */
const keptOutcomes = 8

/** Makes the check of operations, which returns the refusal of one that may make too many calls. */
export function createCallBound(maximum: number) {
  const known = new WeakMap<NormalisedOperation, Known>()

  function refusal([service, calls]: Excess): GraphQLError {
    return tesseraError(
      'COST_ESTIMATED_TOO_EXPENSIVE',
      `The operation would make up to ${calls} calls to the ${service} service; one operation may make ${maximum}.`,
      { service, extensions: { calls: { estimated: calls, maximum } } },
    )
  }

  /** `estimate` is made if the outcome is not known. */
  return (
    operation: NormalisedOperation,
    variables: Variables,
    estimate: () => EstimateOfVariables | undefined,
  ): GraphQLError | undefined => {
    const before = known.get(operation)
    const found = before?.outcomes.find(({ values }) => isSame(values, before.variables, variables))
    if (found !== undefined) return found.excess && refusal(found.excess)
    const fresh = estimate()
    if (fresh === undefined) return undefined
    const excess = Object.entries(fresh.calls).find(([, count]) => count > maximum)
    if (fresh.isRepeatable) {
      const names = [...fresh.variablesRead]
      // Conditions hide fields, so other variables may be read this time.
      const kept =
        before !== undefined && isDeepStrictEqual(before.variables, names)
          ? before
          : { variables: names, outcomes: [] }
      known.set(operation, kept)
      kept.outcomes.unshift({ values: names.map((name) => variables[name]), excess })
      if (kept.outcomes.length > keptOutcomes) kept.outcomes.pop()
    }
    return excess && refusal(excess)
  }
}

/** Whether the variables have these values. Only the length of a list counts, because lists have keys. */
function isSame(values: readonly unknown[], names: readonly string[], variables: Variables): boolean {
  for (let at = 0; at < names.length; at++) {
    const before = values[at]
    const now = variables[names[at] as string]
    if (before === now) continue
    if (!Array.isArray(before) || !Array.isArray(now) || before.length !== now.length) return false
  }
  return true
}
