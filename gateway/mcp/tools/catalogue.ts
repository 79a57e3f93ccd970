/** If there are too many operations for a list, three tools find, describe and run them. */
import { z } from 'zod'
import { fields, listed, readArguments } from './arguments.ts'
import { type CuratedFacts, curatedDefinition } from './curated-tool.ts'
import { mistake, type Tool, type ToolAnswer } from './tool.ts'

export type RunCurated = (
  facts: CuratedFacts,
  args: Readonly<Record<string, unknown>>,
  context: Parameters<Tool['call']>[1],
) => Promise<ToolAnswer>

const found = z.strictObject({ words: fields.words })
const named = z.strictObject({ name: z.string().min(1).max(64) })
const run = z.strictObject({
  name: z.string().min(1).max(64),
  variables: fields.variables,
  maxTokens: fields.maxTokens,
  confirmation: z.string().max(1_000).optional(),
})

const mostFound = 10

export function catalogueTools(
  all: readonly CuratedFacts[],
  runCurated: RunCurated,
  confirms: boolean,
): readonly Tool[] {
  const byName = new Map(all.map((facts) => [facts.operation.name, facts]))
  const noSuch = (name: string): ToolAnswer =>
    mistake(`There is no operation ${name}: find_operation tells those that there are.`)
  return [
    {
      definition: {
        name: 'find_operation',
        description: `Finds the prepared operations (${all.length}) that fit some words.`,
        inputSchema: listed(found),
        annotations: { readOnlyHint: true },
      },
      async call(given) {
        const { args, fault } = readArguments(found, given)
        if (fault !== undefined) return fault
        return { text: JSON.stringify({ operations: matching(all, args.words) }) }
      },
    },
    {
      definition: {
        name: 'describe_operation',
        description: 'The variables of an operation, what it needs and costs.',
        inputSchema: listed(named),
        annotations: { readOnlyHint: true },
      },
      async call(given) {
        const { args, fault } = readArguments(named, given)
        if (fault !== undefined) return fault
        const facts = byName.get(args.name)
        return facts === undefined
          ? noSuch(args.name)
          : { text: JSON.stringify(curatedDefinition(facts, confirms)) }
      },
    },
    {
      definition: {
        name: 'run_operation',
        description: 'Runs an operation of the catalogue.',
        inputSchema: listed(run),
        annotations: {
          readOnlyHint: all.every(({ operation }) => operation.definition.operation === 'query'),
        },
      },
      async call(given, context) {
        const { args, fault } = readArguments(run, given)
        if (fault !== undefined) return fault
        const facts = byName.get(args.name)
        if (facts === undefined) return noSuch(args.name)
        const { variables, maxTokens, confirmation } = args
        return runCurated(
          facts,
          {
            ...variables,
            ...(maxTokens === undefined ? {} : { maxTokens }),
            ...(confirmation === undefined ? {} : { confirmation }),
          },
          context,
        )
      },
    },
  ]
}

function matching(all: readonly CuratedFacts[], words: string): readonly object[] {
  const wanted = words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)
  return all
    .map((facts) => {
      const { name, description } = facts.operation
      const text = `${name} ${description}`.toLowerCase()
      return { facts, score: wanted.filter((word) => text.includes(word.replace(/s$/, ''))).length }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ facts }) => ({
      name: facts.operation.name,
      about: `${facts.operation.description} ${facts.facts}`,
    }))
}
