/** Hooks at the stages of a request: those of a file or of the program that embeds the gateway, and a coprocessor's. */
export { Coprocessor } from './coprocessor/index.ts'
export { defineHooks, type HookOperation, type Hooks, refuse } from './define.ts'
export { type Hooked, headersForHooks, noLabels } from './hooked.ts'
export { loadHooks } from './load.ts'
export { graphqlErrorOf, HookRefusal } from './reading.ts'
export type { HookSource } from './run.ts'
export { Stages } from './stages.ts'
export { hookTransport } from './transport.ts'
