/**
 * Random federated graphs and the right answers to operations over them.
 *
 * - `generate.ts` draws subgraph SDLs from a seed, `split.ts` one schema and its parts, `rules.ts` scopes for
 *   them; `compose.ts` composes them.
 * - `world.ts` is the data behind any SDLs, derived from them and a seed. `subgraph.ts` executes one subgraph of it
 *   and refuses what a correct gateway never asks; `oracle.ts` executes the whole API schema over it.
 * - `trial.ts` runs the engine, `apollo.ts` runs `@apollo/gateway` over the same subgraphs, `judge.ts` compares.
 * - `shrink.ts` makes what is found small and prints it.
 */
export { type Campaign, runCampaign } from './campaign.ts'
export { composeAny, composeBy } from './compose.ts'
export { type FaultKind, planFaults } from './faults.ts'
export { generateServices } from './generate.ts'
export { isValid, openGraph, type RandomGraph, randomGraph, randomOperationOf } from './graph.ts'
export {
  type Answer,
  type Finding,
  judgeData,
  judgeErrors,
  lacksOnly,
  lenientAnswer,
  type RightAnswer,
  rightAnswer,
  type TrialFaults,
} from './judge.ts'
export { drawRules, scopesOfRules } from './rules.ts'
export type { Services } from './services.ts'
export { type Case, printCase, shrink, signatureOf } from './shrink.ts'
export { drawSchema, splitSchema } from './split.ts'
export { createWorldSubgraph, faultsOf, marked, shareOf, type WorldSubgraph } from './subgraph.ts'
export { type AroundTransports, startTrial, type Trial } from './trial.ts'
export { canonical } from './values.ts'
export { createWorld, type World } from './world.ts'
