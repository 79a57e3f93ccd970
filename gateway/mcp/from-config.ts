/** The MCP server, as the configuration says; undefined if agents are not served. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { documentFilesIn } from '../../shared/graphql/document-files.ts'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import type { RateStore } from '../costs/rate/index.ts'
import type { GatewayOptions } from '../options.ts'
import type { ProcessResources } from '../process-resources.ts'
import { version } from '../telemetry/version.ts'
import {
  type AgentBudget,
  createBudgets,
  createRemainderStore,
  McpServer,
  type McpServerOptions,
  type McpSettings,
  type Source,
} from './index.ts'

/** Whether agents are served: if nothing is said, if tokens of the sandbox's own making are taken. */
export function servesAgents({ config, mintToken }: Pick<GatewayOptions, 'config' | 'mintToken'>): boolean {
  return config.mcp.enabled ?? mintToken !== undefined
}

export function mcpServerFrom(
  options: GatewayOptions,
  {
    resources,
    ...parts
  }: Pick<McpServerOptions, 'graph' | 'challengeHead' | 'names' | 'traces'> & {
    readonly resources: ProcessResources
  },
): McpServer | undefined {
  if (!servesAgents(options)) return undefined
  const { mcp, server, subscriptions } = options.config
  const { log, metrics, authenticator, stores } = resources
  const budgets = budgetsIn(mcp.budgets)
  // If several workers have nothing together, that is told at start.
  if (budgets.length > 0) resources.rates.get()
  const rates = (): RateStore => resources.rates.get()
  const secret = server.uploadSecret ?? options.shared?.uploadSecret ?? randomUUID()
  return new McpServer({
    ...parts,
    version,
    settings: mcp,
    usual: mcp.operations === undefined,
    sources: () => sourcesOf(mcp, options),
    remainders: createRemainderStore(stores),
    budgets: createBudgets(budgets, rates),
    secret,
    // Another process, or this one after a restart, does not know the outcome of a confirmed change and would repeat it.
    // Several processes that share nothing (`isApart`) make no confirmed changes at all.
    confirmationSecret: stores.isShared || stores.isApart ? secret : randomUUID(),
    streams: subscriptions,
    authenticator,
    origins: server.corsOrigins,
    called: metrics.agentCalled,
    log,
  })
}

function budgetsIn(section: GatewayOptions['config']['mcp']['budgets']): readonly AgentBudget[] {
  return (['units', 'calls', 'tokens', 'changes'] as const).flatMap((counts) =>
    (['minute', 'day'] as const).flatMap((per) => {
      const limit = section[counts]?.[per]
      return limit === undefined ? [] : [{ counts, limit, per }]
    }),
  )
}

/** Our own, for our own graph. */
const usual = ['agents', 'messages', 'metrics', 'videos'] as const

/** A longer file is none that somebody wrote. */
const mostBytes = 1_000_000
const mostFiles = 1_000

function sourcesOf({ operations }: McpSettings, { supergraph }: GatewayOptions): readonly Source[] {
  if (operations === undefined)
    return supergraph === undefined
      ? usual.map((name) => ({ path: name, text: readSchemaFile(`mcp/${name}`) }))
      : []
  let files: readonly string[]
  try {
    files = documentFilesIn(operations)
  } catch (error) {
    throw new Error(`mcp.operations: the folder cannot be read (${fileFault(error)})`)
  }
  if (files.length > mostFiles) throw new Error(`mcp.operations: more than ${mostFiles} files`)
  return files.map((name) => {
    try {
      return { path: name, text: readBoundedSync(join(operations, name), mostBytes).toString('utf8') }
    } catch (error) {
      throw new Error(`mcp.operations: ${name} cannot be read (${fileFault(error)})`)
    }
  })
}
