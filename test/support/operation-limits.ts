/** Limits on operations, as they are unless configured otherwise. */
import type { Limits } from '../../gateway/costs/limits/index.ts'

export const usualOperationLimits: Limits = {
  tokens: 5000,
  nesting: 64,
  depth: 20,
  aliases: 100,
  rootFields: 50,
  directives: 100,
  fields: 10_000,
  listItems: 500,
  values: 100_000,
}
