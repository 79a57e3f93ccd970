/** The log of slow operations: the plan of each with the time of its fetches, and no values. */
import { Kind, parse, print, visit } from 'graphql'
import { printPlan } from '../../engine/planner/index.ts'
import { fetchTimesOf } from '../telemetry/fetch-times.ts'
import type { Logger } from '../telemetry/log.ts'
import { createAccessLogLine } from './access-log.ts'
import type { OperationContext } from './operation-context.ts'

/** A longer plan is cut. */
const longestPlan = 10_000

/** `slowMs`: from which time on an operation is slow. */
export function createSlowOperations(slowMs: number, log: Logger) {
  const lineOf = createAccessLogLine({
    fields: ['request', 'trace_id', 'operation', 'hash', 'status', 'ms', 'client'],
  })
  return (context: OperationContext, milliseconds: number): void => {
    const { operation, granted } = context
    if (milliseconds < slowMs || operation === undefined) return
    const line = lineOf({ context, milliseconds })
    if (granted !== undefined) {
      line.fetches = fetchTimesOf(context)
      line.plan = planOf(() => printPlan(granted.compiled.plan(context)))
    }
    log.warn(line, 'slow operation')
  }
}

function planOf(text: () => string): string | undefined {
  try {
    const plan = withoutValues(text())
    return plan.length > longestPlan ? `${plan.slice(0, longestPlan)}…` : plan
  } catch {
    // There is none, which is what the answer says as well.
    return undefined
  }
}

/** A text in three quotes, which may contain `\"""`; another text; a word or a number. */
const piece = /"""(?:[^\\]|\\"""|\\(?!"""))*?"""|"(?:\\.|[^"\\])*"|[\w.+-]+/gs

/** The texts of fetches contain literals of the client's document. Each becomes a `?`; names stay. */
const withoutValues = (plan: string): string =>
  plan.replace(piece, (text) => (/^(?:"|-?\d)/.test(text) ? '?' : text))

/** The document without the values in it, for traces; undefined if it cannot be read. */
export function sanitizedDocument(text: string, most: number): string | undefined {
  try {
    const document = visit(parse(text, { noLocation: true }), {
      StringValue: () => ({ kind: Kind.ENUM, value: '_' }),
      IntValue: () => ({ kind: Kind.ENUM, value: '_' }),
      FloatValue: () => ({ kind: Kind.ENUM, value: '_' }),
    })
    const clean = print(document)
    return clean.length > most ? `${clean.slice(0, most)}…` : clean
  } catch {
    return undefined
  }
}
