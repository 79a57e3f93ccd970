/**
 * The supergraph as it is served. The rules of the configuration are added, fields that would reveal protected values
 * are closed, and faults that composers do not report are looked for, because another composer may have made it.
 */
import type { DocumentNode } from 'graphql'
import { preparingPlanner } from '../../engine/planner/index.ts'
import { repeatedDirectives } from '../../engine/supergraph/compose/unreported-faults.ts'
import { emptyAccessRulesIn } from '../../engine/supergraph/empty-access-rules.ts'
import {
  addingSchema,
  readingSupergraph,
  type Supergraph,
  SupergraphError,
} from '../../engine/supergraph/index.ts'
import { counted } from '../../shared/runtime/counted.ts'
import { runToEnd, type Steps } from '../../shared/runtime/steps.ts'
import { type Leak, withoutLeaks } from '../auth/authorize/index.ts'
import { describedDocument } from '../auth/describe.ts'
import { type StepUpRules, withStepUpRules } from '../auth/step-up-rules.ts'
import type { Logger } from '../telemetry/log.ts'

export interface ServedSupergraph {
  readonly supergraph: Supergraph
  /** Fields that were closed, as what they require is. */
  readonly closed: readonly Leak[]
  /** Warnings about it. */
  readonly oddities: readonly string[]
}

/** The last one: it is made to check a text, and again to serve it. */
let last: { readonly sdl: string; readonly rules: string; readonly served: ServedSupergraph } | undefined

/** Throws a `SupergraphError` if it cannot be served, or would be open if it says that it is not. */
export const servedSupergraph = (sdl: string, stepUp: StepUpRules): ServedSupergraph =>
  runToEnd(() => servingSupergraph(sdl, stepUp))

/** The same in steps, so that requests can run while a large one is read. `parsed` is the text, if it was parsed. */
export function* servingSupergraph(
  sdl: string,
  stepUp: StepUpRules,
  parsed?: DocumentNode,
): Steps<ServedSupergraph> {
  const rules = JSON.stringify(stepUp)
  if (last?.sdl !== sdl || last.rules !== rules)
    last = { sdl, rules, served: yield* serving(sdl, parsed, stepUp) }
  return last.served
}

function* serving(
  sdl: string,
  parsed: DocumentNode | undefined,
  stepUp: StepUpRules,
): Steps<ServedSupergraph> {
  const read = yield* readingSupergraph(sdl, parsed)
  yield
  const [empty, ...others] = emptyAccessRulesIn(read.document)
  if (empty !== undefined) {
    const more = others.length === 0 ? '' : `, and so it is at ${counted(others.length, 'other place')}`
    throw new SupergraphError(`The supergraph cannot be served: ${empty.message}${more}.`)
  }
  yield
  const { document, leaks } = withoutLeaks(withStepUpRules(read.document, stepUp))
  yield
  const apiDocument = describedDocument({ ...read, document })
  yield
  const supergraph = yield* addingSchema({ ...read, document, apiDocument })
  yield* preparingPlanner(supergraph)
  const oddities = repeatedDirectives(read.document).map(({ message }) => message)
  return { supergraph, closed: leaks, oddities }
}

/** The most changes that are listed one by one. */
const mostTold = 20

export function logServed({ closed, oddities }: ServedSupergraph, log: Logger): void {
  for (const { field, message } of closed.slice(0, mostTold))
    log.warn({ field }, `${message} It is closed by the same rules: compose the supergraph again with them.`)
  if (closed.length > mostTold)
    log.warn(
      { fields: closed.length - mostTold },
      'more fields were closed by the rules of what they require',
    )
  for (const message of oddities.slice(0, mostTold)) log.warn(`The supergraph: ${message}.`)
}
