/**
 * The supergraph as it is served: with the rules that the configuration adds, closed if protected values would leave
 * it, and looked at for what composers are silent about, as somebody else may have composed it.
 */

import { repeatedDirectives } from '../../engine/supergraph/compose/unreported-faults.ts'
import { emptyRulesIn } from '../../engine/supergraph/empty-rules.ts'
import {
  readSupergraph,
  type Supergraph,
  SupergraphError,
  withSchema,
} from '../../engine/supergraph/index.ts'
import { type Leak, withoutLeaks } from '../auth/authorize/index.ts'
import { describedDocument } from '../auth/describe.ts'
import { type StepUpRules, withStepUpRules } from '../auth/step-up-rules.ts'
import type { Logger } from '../telemetry/log.ts'

export interface ServedSupergraph {
  readonly supergraph: Supergraph
  /** Fields that were closed, as what they require is. */
  readonly closed: readonly Leak[]
  /** What is odd in it, in words. */
  readonly oddities: readonly string[]
}

/** The last one: it is made to check a text, and again to serve it. */
let last: { readonly sdl: string; readonly rules: string; readonly served: ServedSupergraph } | undefined

/** Throws a `SupergraphError` if it cannot be served, or would be open if it says that it is not. */
export function servedSupergraph(sdl: string, stepUp: StepUpRules): ServedSupergraph {
  const rules = JSON.stringify(stepUp)
  if (last?.sdl !== sdl || last.rules !== rules) last = { sdl, rules, served: served(sdl, stepUp) }
  return last.served
}

function served(sdl: string, stepUp: StepUpRules): ServedSupergraph {
  const read = readSupergraph(sdl)
  const [empty, ...others] = emptyRulesIn(read.document)
  if (empty !== undefined) {
    const more = others.length === 0 ? '' : `, and so it is at ${others.length} other places`
    throw new SupergraphError(`The supergraph cannot be served: ${empty.message}${more}.`)
  }
  const { document, leaks } = withoutLeaks(withStepUpRules(read.document, stepUp))
  const apiDocument = describedDocument({ ...read, document })
  const supergraph = withSchema({ ...read, document, apiDocument })
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
