/**
 * The agents' door: the Model Context Protocol at `/mcp`, over the same graph and by the same pipeline as `/graphql`. Each
 * call of a tool is one operation, with the same check of tokens, scopes, limits, prices, hooks and lines in the log.
 */
export { createRestStore, restsKind } from './answers/rest.ts'
export { type AgentBudget, createBudgets } from './budgets.ts'
export type { McpSettings } from './config.ts'
export { createDoor, type Door, type DoorOptions } from './door.ts'
export type { McpGraph } from './exchange.ts'
export { llmsRoute } from './llms.ts'
export { failureBody } from './protocol/errors.ts'
export type { Source } from './tools/curated.ts'
