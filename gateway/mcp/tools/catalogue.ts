/** If there are too many operations for a list, three tools find, describe and run them. */
import { z } from 'zod'
import { fields, ownTool } from './arguments.ts'
import { aboutOperation, type CuratedFacts } from './curated-tool.ts'
import { bytesOfToken, mistake, type Tool, type ToolAnswer, type ToolDefinition } from './tool.ts'

type RunCurated = (
  facts: CuratedFacts,
  args: Readonly<Record<string, unknown>>,
  context: Parameters<Tool['call']>[1],
) => Promise<ToolAnswer>

const found = z.strictObject({ words: fields.words })
const named = z.strictObject({ name: z.string().min(1).max(64) })
const run = named.extend({
  variables: fields.variables,
  maxTokens: fields.maxTokens,
  confirmation: z.string().max(1_000).optional(),
})

const mostFound = 10

export function catalogueTools(
  all: readonly CuratedFacts[],
  runCurated: RunCurated,
  definitionOf: (facts: CuratedFacts) => ToolDefinition,
  maxTokens: number,
): readonly Tool[] {
  const byName = new Map(all.map((facts) => [facts.operation.name, facts]))
  const noSuch = (name: string): ToolAnswer =>
    mistake(`There is no operation ${name}: find_operation tells those that there are.`)
  return [
    ownTool(
      {
        name: 'find_operation',
        description: `Finds the prepared operations (${all.length}) that fit some words.`,
      },
      found,
      ({ words }) => ({ text: JSON.stringify({ operations: matching(all, words, maxTokens) }) }),
    ),
    ownTool(
      { name: 'describe_operation', description: 'The variables of an operation, what it needs and costs.' },
      named,
      ({ name }) => {
        const facts = byName.get(name)
        return facts === undefined ? noSuch(name) : { text: JSON.stringify(definitionOf(facts)) }
      },
    ),
    ownTool(
      {
        name: 'run_operation',
        description: 'Runs an operation of the catalogue.',
        changes: !all.every(({ operation }) => operation.definition.operation === 'query'),
      },
      run,
      ({ name, variables, maxTokens, confirmation }, context) => {
        const facts = byName.get(name)
        if (facts === undefined) return noSuch(name)
        const given = {
          ...variables,
          ...(maxTokens === undefined ? {} : { maxTokens }),
          ...(confirmation === undefined ? {} : { confirmation }),
        }
        return runCurated(facts, given, context)
      },
    ),
  ]
}

/** An entry of what was found, without what it says of its operation: the name has at most 64 characters. */
const entryBytes = 100

function matching(all: readonly CuratedFacts[], words: string, maxTokens: number): readonly object[] {
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
      about: aboutOperation(facts, (maxTokens * bytesOfToken) / mostFound - entryBytes),
    }))
}
