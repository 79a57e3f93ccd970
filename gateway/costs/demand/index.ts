/**
 * Demand control for any graph: the cost of an operation by `@cost` and `@listSize`, before and after it runs, measured
 * or compared with a maximum. It is independent of the units that services sell (`quota/`), which have other budgets.
 */
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql'
import type { z } from 'zod'
import type { NormalisedOperation } from '../../../engine/operation/normalised.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import type { GrantedOperation } from '../../auth/granted-operation.ts'
import type { demand } from '../config.ts'
import { compileActual } from './actual.ts'
import type { Variables } from './arguments.ts'
import { type CostEstimate, compileEstimate } from './estimate.ts'
import { readWeights } from './weights.ts'

/** The header by which a caller requests `extensions.cost`; in a response it has the costs. */
export const costHeader = 'tessera-cost'

/** The setting `demand`, and the schemas by which costs are computed. */
export interface DemandOptions extends NonNullable<z.output<typeof demand>> {
  readonly schema: GraphQLSchema
  /** With its directives. */
  readonly supergraph: DocumentNode
  readonly observe?: ((kind: 'estimated' | 'actual', cost: number) => void) | undefined
}

/** The cost of one operation; `actual` is known after it has run. */
export interface Cost {
  readonly estimated: number
  readonly maximum: number | undefined
  actual: number | undefined
}

export type Demand = ReturnType<typeof createDemand>

const nothing: CostEstimate = { cost: 0, fieldCost: 0, typeCost: 0, unsized: [] }

export function createDemand(options: DemandOptions) {
  const { schema, mode, max, listSize, actual, report, observe } = options
  const weights = readWeights(options.supergraph)
  const estimatorOf = memoByObject((operation: NormalisedOperation) =>
    compileEstimate(schema, weights, listSize, operation),
  )
  const actualOf = memoByObject((operation: NormalisedOperation) => compileActual(schema, weights, operation))

  const estimate = ({ allowed }: GrantedOperation, variables: Variables): CostEstimate =>
    allowed === null ? nothing : estimatorOf(allowed)(variables)

  return {
    /** Whether `after` computes anything. */
    isMeasured: actual,
    /** The estimate, without comparing it with a maximum. */
    estimate,

    /** The cost of an operation that may run, or the refusal. */
    admit(granted: GrantedOperation, variables: Variables): Cost | GraphQLError {
      const { cost, unsized } = estimate(granted, variables)
      observe?.('estimated', cost)
      if (mode === 'enforce') {
        const [first] = unsized
        if (first !== undefined)
          return tesseraError(
            'BAD_USER_INPUT',
            `${first.field} needs exactly one of the arguments ${first.arguments.join(', ')}, which say how much is asked for; ${first.given} are given.`,
          )
        if (max !== undefined && cost > max)
          return tesseraError(
            'COST_ESTIMATED_TOO_EXPENSIVE',
            `The operation would cost up to ${written(cost)}; one operation may cost ${max}.`,
            { extensions: { cost: { estimated: cost, maximum: max } } },
          )
      }
      return { estimated: cost, maximum: max, actual: undefined }
    },

    /** Computes the cost of the response, if it is wanted. `data` is called only then. */
    measure(
      cost: Cost,
      { allowed }: GrantedOperation,
      variables: Variables,
      data: () => Readonly<Record<string, unknown>> | null,
    ): void {
      if (!actual || allowed === null) return
      cost.actual = actualOf(allowed)(variables, data())
      observe?.('actual', cost.actual)
    },

    /** The report to the caller: `extensions.cost` and the header; undefined if there is none. */
    report({ estimated, actual: spent, maximum }: Cost, asked: boolean) {
      if (report === 'never' || (report === 'asked' && !asked)) return undefined
      const parts = [`estimated=${written(estimated)}`]
      if (spent !== undefined) parts.push(`actual=${written(spent)}`)
      if (maximum !== undefined) parts.push(`maximum=${maximum}`)
      return {
        extension: {
          estimated,
          ...(spent === undefined ? {} : { actual: spent }),
          ...(maximum === undefined ? {} : { maximum }),
        },
        header: parts.join(', '),
      }
    },

    /** `extensions.explain.cost`. */
    explain(granted: GrantedOperation, variables: Variables): object {
      const { cost, fieldCost, typeCost, unsized } = estimate(granted, variables)
      return {
        estimated: cost,
        fieldCost,
        typeCost,
        ...(max === undefined ? {} : { maximum: max }),
        ...(unsized.length === 0 ? {} : { unsized }),
      }
    },
  }
}

/** At most two decimal places: weights may be fractions. */
const written = (cost: number): string => String(Math.round(cost * 100) / 100)
