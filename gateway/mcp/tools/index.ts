/** All tools of one generation of the graph, in the order of their names: the same list for every caller. */
import { z } from 'zod'
import { createAnswers } from '../answers/answer.ts'
import type { RestStore } from '../answers/rest.ts'
import { ofAnyGraph, ofOurGraph } from '../answers/strangers.ts'
import type { McpGraph } from '../exchange.ts'
import type { McpSettings } from '../settings.ts'
import { fields, listed, readArguments } from './arguments.ts'
import { authoringTools } from './authoring.ts'
import { catalogueTools } from './catalogue.ts'
import { readCurated, type Source } from './curated.ts'
import { boundOf, type CuratedFacts, callCurated, curatedDefinition, factsOf } from './curated-tool.ts'
import {
  type CallContext,
  mistake,
  type Tool,
  type ToolAnswer,
  type ToolDefinition,
  tokensIn,
} from './tool.ts'

export interface ToolsOptions {
  readonly graph: McpGraph
  readonly settings: McpSettings
  readonly rest: RestStore
  /** The documents of curated operations. */
  readonly sources: readonly Source[]
}

export interface Tools {
  readonly definitions: readonly ToolDefinition[]
  get(name: string): Tool | undefined
}

const more = z.strictObject({ handle: fields.handle, maxTokens: fields.maxTokens })

export async function createTools(options: ToolsOptions): Promise<Tools> {
  const { graph, settings, rest, sources } = options
  const isStranger = graph.isOwn ? ofOurGraph : ofAnyGraph
  const isTrusted = graph.manifest !== undefined
  const answers = createAnswers({ schema: graph.schema, isStranger, rest, structured: settings.structured })
  const curated = readCurated({
    schema: graph.schema,
    sources: isTrusted
      ? [...(graph.manifest ?? [])].map(([id, text]) => ({ path: id.slice(0, 12), text }))
      : sources,
    isStranger,
    reads: settings.reads,
    isTrusted,
  }).filter(({ isChange }) => !isChange || settings.changes !== 'off')
  const facts = await Promise.all(curated.map((operation) => factsOf(graph, operation)))
  const runCurated = (
    { operation }: CuratedFacts,
    args: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<ToolAnswer> => callCurated(operation, args, { answers, settings }, context)
  const authoring = isTrusted
    ? []
    : authoringTools({
        graph,
        settings,
        answers,
        isStranger,
        change: async () => mistake('Changes are switched off here (mcp.changes): only queries are run.'),
      })
  const others = [...authoring, moreTool(answers, settings)]
  const each = facts.map(
    (one): Tool => ({
      definition: curatedDefinition(one),
      call: (args, context) => runCurated(one, args, context),
    }),
  )
  const size = [...each, ...others].reduce(
    (sum, { definition }) => sum + tokensIn(JSON.stringify(definition)),
    0,
  )
  const tools = [
    ...(size <= settings.maxListTokens ? each : catalogueTools(facts, runCurated)),
    ...others,
  ].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return { definitions: tools.map(({ definition }) => definition), get: (name) => byName.get(name) }
}

function moreTool(answers: ReturnType<typeof createAnswers>, settings: McpSettings): Tool {
  return {
    definition: {
      name: 'more',
      description:
        'The rest of an answer that was cut, by its handle, within ten minutes. Asks no service again.',
      inputSchema: listed(more),
      annotations: { readOnlyHint: true },
    },
    async call(given, { exchange }) {
      const { args, fault } = readArguments(more, given)
      if (fault !== undefined) return fault
      const bound = boundOf(settings, args.maxTokens)
      if (typeof bound === 'object') return bound.fault
      const answer = await answers.ofRest(args.handle, exchange.caller, bound)
      return (
        answer ??
        mistake(
          'There is nothing under this handle: it is spent, another caller’s, or older than ten minutes. Ask again.',
        )
      )
    },
  }
}
