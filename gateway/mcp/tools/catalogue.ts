/** If there are too many operations for a list, three tools find, describe and run them. */
import { z } from 'zod'
import { fields, ownTool } from './arguments.ts'
import { aboutOperation, type ToolOperation } from './curated-tool.ts'
import { bytesOfToken, mistake, type Tool, type ToolAnswer } from './tool.ts'

const found = z.strictObject({ words: fields.words })
const named = z.strictObject({ name: z.string().min(1).max(64) })
const run = named.extend({
  variables: fields.variables,
  maxTokens: fields.maxTokens,
  confirmation: z.string().max(1_000).optional(),
})

const mostFound = 10

export function catalogueTools(
  all: readonly ToolOperation[],
  toolOf: (operation: ToolOperation) => Tool,
  maxTokens: number,
): readonly Tool[] {
  const byName = new Map(all.map((operation) => [operation.name, toolOf(operation)]))
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
        const tool = byName.get(name)
        return tool === undefined ? noSuch(name) : { text: JSON.stringify(tool.definition) }
      },
    ),
    ownTool(
      {
        name: 'run_operation',
        description: 'Runs an operation of the catalogue.',
        changes: !all.every(({ definition }) => definition.operation === 'query'),
      },
      run,
      ({ name, variables, maxTokens, confirmation }, context) => {
        const tool = byName.get(name)
        if (tool === undefined) return noSuch(name)
        const given = {
          ...variables,
          ...(maxTokens === undefined ? {} : { maxTokens }),
          ...(confirmation === undefined ? {} : { confirmation }),
        }
        return tool.call(given, context)
      },
    ),
  ]
}

/** An entry of what was found, without what it says of its operation: the name has at most 64 characters. */
const entryBytes = 100

function matching(all: readonly ToolOperation[], words: string, maxTokens: number): readonly object[] {
  const wanted = words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)
  return all
    .map((operation) => {
      const { name, description } = operation
      const text = `${name} ${description}`.toLowerCase()
      return { operation, score: wanted.filter((word) => text.includes(word.replace(/s$/, ''))).length }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ operation }) => ({
      name: operation.name,
      about: aboutOperation(operation, (maxTokens * bytesOfToken) / mostFound - entryBytes),
    }))
}
