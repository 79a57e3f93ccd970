/** All tools of one generation of the graph, in the order of their names: the same list for every caller. */
import { z } from 'zod'
import { dataOf } from '../../pipeline/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import { type AgentRequest, type McpGraph, runOperation, runsOwnOperations } from '../agent-request.ts'
import { type Budgets, grantOf } from '../budgets.ts'
import type { McpSettings } from '../config.ts'
import type { Confirmations } from '../confirm.ts'
import { createResources } from '../resources/index.ts'
import type { RemainderStore } from '../results/remainder-store.ts'
import { ToolResults } from '../results/tool-results.ts'
import { type IsUntrusted, untrustedInAnyGraph, untrustedInOurGraph } from '../results/untrusted-fields.ts'
import { fields, ownTool } from './arguments.ts'
import { authoringTools } from './authoring.ts'
import { catalogueTools } from './catalogue.ts'
import type { ChangeParts } from './change.ts'
import { readCurated, type Source } from './curated.ts'
import {
  boundOf,
  callCurated,
  curatedDefinition,
  type ToolOperation,
  toolOperationFrom,
} from './curated-tool.ts'
import { overBudget, recipientIn } from './execute.ts'
import { type Tool, type ToolDefinition, tokensIn, toolError } from './tool.ts'

interface ToolsOptions {
  readonly graph: McpGraph
  readonly settings: McpSettings
  readonly remainders: RemainderStore
  readonly budgets: Budgets
  readonly confirmations: Confirmations
  /** Reads the documents of curated operations; throws if they cannot be read. */
  readonly sources: () => readonly Source[]
  /** Whether they are our own. */
  readonly usual: boolean
  readonly log: Logger
}

export type Tools = Awaited<ReturnType<typeof createTools>>

const more = z.strictObject({ handle: fields.handle, maxTokens: fields.maxTokens })

export async function createTools(options: ToolsOptions) {
  const { graph, settings, remainders, budgets, confirmations } = options
  const isUntrusted = graph.isOwn ? untrustedInOurGraph : untrustedInAnyGraph
  const isTrusted = graph.manifest !== undefined
  const results = new ToolResults({
    schema: graph.schema,
    isUntrusted,
    remainders,
    structured: settings.structured,
  })
  const parts = { results, budgets, confirmations, settings, schema: graph.schema }
  const operations = await toolOperations(options, isUntrusted)
  const toolOf = (operation: ToolOperation): Tool => ({
    /** Made whenever it is read, because it may be long. */
    get definition() {
      return curatedDefinition(operation, parts)
    },
    call: (args, context) => callCurated(operation, args, parts, context),
  })
  const authoring = isTrusted ? [] : authoringTools({ ...parts, graph, isUntrusted })
  const budget = budgetTool(parts)
  const others = [...authoring, moreTool(parts), budget]
  const tools = [
    ...(toolsWithin(settings.maxListTokens, others, operations.map(toolOf)) ??
      catalogueTools(operations, toolOf, settings.maxTokens)),
    ...others,
  ].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return {
    definitions: tools.map(({ definition }) => definition),
    get: (name: string): Tool | undefined => byName.get(name),
    resources: createResources({ graph, settings, execution: parts, budget }),
    /** What runs an operation for them. */
    execution: parts,
  }
}

/** The tools with their definitions; undefined if all together take more tokens than that. Those beyond are not made. */
function toolsWithin(
  tokens: number,
  others: readonly Tool[],
  wanted: Iterable<Tool>,
): readonly Tool[] | undefined {
  const sizeOf = (definition: ToolDefinition): number => tokensIn(JSON.stringify(definition))
  let free = tokens - others.reduce((sum, { definition }) => sum + sizeOf(definition), 0)
  const made: Tool[] = []
  for (const { definition, call } of wanted) {
    free -= sizeOf(definition)
    if (free < 0) return undefined
    made.push({ definition, call })
  }
  return made
}

/**
 * The operations that are tools. Throws if an operation of a folder cannot be one. Nobody chose ours and those of a
 * manifest for agents, so they are left out: a manifest keeps what older clients need, and a limit may be lower than
 * ours need.
 */
async function toolOperations(
  { graph, settings, sources, usual, log }: ToolsOptions,
  isUntrusted: IsUntrusted,
): Promise<readonly ToolOperation[]> {
  const { schema, manifest } = graph
  const { reads, changes } = settings
  const isTrusted = manifest !== undefined
  const { operations, faults } = readCurated({
    schema,
    sources: isTrusted ? [...manifest].map(([id, text]) => ({ path: id.slice(0, 12), text })) : sources(),
    isUntrusted,
    reads,
    isTrusted,
  })
  const accepted: ToolOperation[] = []
  const leftOut = [...faults]
  // They are prepared one after another, because few may wait to be prepared (`limits.preparing`).
  for (const operation of operations) {
    if (operation.isChange && changes === 'off') continue
    const found = await toolOperationFrom(graph, operation)
    if ('fault' in found) leftOut.push(found.fault)
    else accepted.push(found)
  }
  if (leftOut.length === 0) return accepted
  if (!usual && !isTrusted) throw new Error(`mcp.operations: ${leftOut.slice(0, 20).join('; ')}`)
  // They share a line, because a manifest may have thousands of them.
  log.warn(
    { count: leftOut.length, reasons: leftOut.slice(0, mostTold) },
    'operations are left out of the tools for agents',
  )
  return accepted
}

const mostTold = 50

type OwnParts = Pick<ChangeParts, 'results' | 'budgets' | 'settings'>

/** Tokens of an answer are taken from its budget here as well. */
const moreTool = ({ results, budgets, settings }: OwnParts): Tool =>
  ownTool(
    {
      name: 'more',
      description:
        'The rest of an answer that was cut, by its handle, within ten minutes. Asks no service again.',
    },
    more,
    async ({ handle, maxTokens }, { agentRequest, notes }) => {
      const bound = boundOf(settings, maxTokens)
      const grant = grantOf(agentRequest.identity, agentRequest.caller)
      const { taken, over } = await budgets.take(grant, { ...noAmounts, tokens: bound })
      if (over !== undefined) return overBudget(over, notes)
      const answer = await results.ofRest(handle, recipientIn(agentRequest), taken.tokens)
      const used = answer === undefined ? 0 : tokensIn(answer.text)
      await budgets.putBack(grant, { ...noAmounts, tokens: Math.max(0, taken.tokens - used) })
      return (
        answer ??
        toolError(
          'There is nothing under this handle: it is another caller’s, older than ten minutes, of a token with more scopes, or newer ones have replaced it. Ask again.',
        )
      )
    },
  )

const noAmounts = { units: 0, calls: 0, tokens: 0, changes: 0 }

/** What this grant has used, and what is left at services that sell units. Costs nothing. */
const budgetTool = ({ budgets, settings }: OwnParts): Tool =>
  ownTool(
    {
      name: 'budget',
      description: 'What is left to use: budgets of this grant, units of the day. Costs nothing.',
    },
    z.strictObject({}),
    async (_, { agentRequest }) => {
      const states = await budgets.states(grantOf(agentRequest.identity, agentRequest.caller))
      const quota = runsOwnOperations(agentRequest.graph) ? await quotaOf(agentRequest) : undefined
      return {
        text: JSON.stringify({
          budgets: states,
          ...(quota === undefined ? {} : { quota }),
          maxTokens: settings.maxTokens,
          changes: settings.changes,
        }),
      }
    },
  )

async function quotaOf(agentRequest: AgentRequest): Promise<unknown> {
  const { result } = await runOperation(agentRequest, {
    query: '{ mediaQuota { limit used remaining resetsAt } }',
  })
  return dataOf(result.data)?.mediaQuota
}
