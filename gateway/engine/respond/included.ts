/** Whether a field is selected in one execution. */
import { type Condition, holds } from '../../../contract/graphql/conditions.ts'

/** Any of these, all conditions of it; undefined is always. */
export type Conditions = readonly (readonly Condition[])[] | undefined

export function isIncluded(conditions: Conditions, variables: Readonly<Record<string, unknown>>): boolean {
  return conditions === undefined || conditions.some((all) => holds(all, variables))
}
