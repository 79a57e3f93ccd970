/** Hooks at the stages of a request: those of a file or of the program that embeds the gateway, and a coprocessor's. */
export { Coprocessor } from './coprocessor/index.ts'
export {
  type AnswerChange,
  type AnswerEvent,
  defineHooks,
  type HookAnswer,
  type HookError,
  type HookEvent,
  type HookFetch,
  type HookHeaders,
  type HookIdentity,
  type HookOperation,
  type Hooks,
  type IdentityChange,
  type IdentityEvent,
  type LabelsEvent,
  type MaybePromise,
  type OperationChange,
  type OperationEvent,
  type PoliciesEvent,
  type Refusal,
  type RequestChange,
  type RequestEvent,
  refuse,
  type SubgraphAnswerChange,
  type SubgraphAnswerEvent,
  type SubgraphRequestChange,
  type SubgraphRequestEvent,
  type Unchanged,
} from './define.ts'
export { type Hooked, headersForHooks, noLabels } from './hooked.ts'
export { loadHooks } from './load.ts'
export { graphqlErrorOf, HookRefusal } from './reading.ts'
export type { HookSource, StageName } from './run.ts'
export { type ChangedAnswer, type FinishedAnswer, Stages } from './stages.ts'
export { hookTransport } from './transport.ts'
