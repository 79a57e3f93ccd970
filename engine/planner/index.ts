/**
 * Plans the fetches that answer an operation, for any Federation 2 supergraph. docs/query-planner.md explains it with
 * an example.
 */
export type { DecideLabel } from './graph/graph.ts'
export {
  type DeliveryFetch,
  type EntitiesNode,
  type EntityGroup,
  eachFetch,
  type FetchNode,
  type FetchOperation,
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
  eachStep,
  labelsIn,
  type PlanInput,
  type Planner,
  type PlannerOptions,
  type Planning,
  preparingPlanner,
} from './planner.ts'
