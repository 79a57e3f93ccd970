/**
 * The MCP server: agents reach the graph at `/mcp` by the Model Context Protocol. Each call of a tool is one operation of
 * the pipeline, so tokens, scopes, limits, prices, hooks and the log apply as they do at `/graphql`.
 */
export type { McpGraph } from './agent-request.ts'
export { type AgentBudget, createBudgets } from './budgets.ts'
export type { McpSettings } from './config.ts'
export { llmsRoute } from './llms-txt.ts'
export { failureBody } from './protocol/errors.ts'
export { createRemainderStore, remaindersKind } from './results/remainder-store.ts'
export { McpServer, type McpServerOptions } from './server.ts'
export type { Source } from './tools/curated.ts'
