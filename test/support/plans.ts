/** What a plan costs, as the planner compares it. */
import { eachFetch, type Plan } from '../../gateway/engine/plan/index.ts'

/** How many fetches follow each other. */
export function stagesOf(plan: Plan): number {
  if (plan === undefined) return 0
  if (plan.kind === 'fetch' || plan.kind === 'entities') return 1
  const each = plan.nodes.map(stagesOf)
  return plan.kind === 'sequence' ? each.reduce((sum, stages) => sum + stages, 0) : Math.max(...each)
}

export function fetchesOf(plan: Plan): number {
  let fetches = 0
  eachFetch(plan, () => {
    fetches += 1
  })
  return fetches
}
