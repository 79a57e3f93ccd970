/**
 * From an operation to the fetches that answer it, for any Federation 2 supergraph. How the planner thinks, with a
 * worked example: docs/query-planner.md.
 */
export { type Conditions, compileConditions } from '../operation/conditions.ts'
export type { DecideLabel } from './graph/graph.ts'
export {
  type ContextVariable,
  type EntitiesNode,
  type EntityGroup,
  eachFetch,
  type FetchNode,
  type FetchOperation,
  type LateField,
  type PartFetch,
  type Plan,
  PlanBoundError,
  PlanError,
  type PlanNode,
  type PlanPath,
  type Rename,
  type Representation,
  type RequiredField,
} from './output/nodes.ts'
export { printPlan } from './output/print.ts'
export {
  createPlanner,
  labelsIn,
  type PlanInput,
  type Planner,
  type PlannerOptions,
  type Planning,
} from './planner.ts'
