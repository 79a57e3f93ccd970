/**
 * Requirements on the sign-in that the configuration adds to a supergraph. They are written into its document as
 * `@stepUp`, so that every reader of the graph's rules sees them.
 */

import type { DocumentNode } from 'graphql'
import { directiveNames } from '../../engine/supergraph/directives.ts'
import { directiveNode, withDirectives } from './authorize/write-directives.ts'

interface StepUpRule {
  /** Authentication context classes, any of which is sufficient. */
  readonly acrValues?: readonly string[] | undefined
  /** The maximum age of the sign-in, in seconds. */
  readonly maxAge?: number | undefined
}

/** By coordinate: `Mutation.deleteVideo`. */
export type StepUpRules = Readonly<Record<string, StepUpRule>>

/** Throws if the graph has no such field. `isPart`: missing fields belong to another subgraph. */
export function withStepUpRules(
  document: DocumentNode,
  rules: StepUpRules,
  { isPart = false }: { readonly isPart?: boolean } = {},
): DocumentNode {
  const open = new Set(Object.keys(rules))
  if (open.size === 0) return document
  const [name] = directiveNames(document).stepUp
  if (name === undefined) throw new Error('TESSERA_STEP_UP: the schema has its own directive @stepUp')
  const ruled = withDirectives(document, (coordinate) => {
    const rule = Object.hasOwn(rules, coordinate) ? rules[coordinate] : undefined
    if (rule === undefined) return []
    open.delete(coordinate)
    return [directiveNode(name, { acrValues: rule.acrValues ?? [], maxAge: rule.maxAge })]
  })
  if (open.size > 0 && !isPart) throw new Error(`TESSERA_STEP_UP: the graph has no ${[...open].join(', ')}`)
  return ruled
}
