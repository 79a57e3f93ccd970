/** Three tools that find, describe and run operations, if there are too many operations for a list of tools. */
import { z } from 'zod'
import { fields, ownTool, text } from './arguments.ts'
import { aboutOperation, type ToolOperation } from './curated-tool.ts'
import { ranked, type Searchable, stemsOf } from './search.ts'
import { bytesOfToken, type Tool, type ToolResult, toolError } from './tool.ts'

const found = z.strictObject({ words: fields.words })
const named = z.strictObject({ name: text(64) })
const run = named.extend({
  variables: fields.variables,
  maxTokens: fields.maxTokens,
  confirmation: fields.confirmation,
})

const mostFound = 10

export function catalogueTools(
  all: readonly ToolOperation[],
  toolOf: (operation: ToolOperation) => Tool,
  maxTokens: number,
): readonly Tool[] {
  let entries: readonly Found[] | undefined
  const byName = new Map(all.map((operation) => [operation.name, toolOf(operation)]))
  const noSuch = (name: string): ToolResult =>
    toolError(`There is no operation ${name}: find_operation tells those that there are.`)
  return [
    ownTool(
      {
        name: 'find_operation',
        description: `Finds the prepared operations (${all.length}) that fit some words.`,
      },
      found,
      ({ words }) => {
        entries ??= all.map(foundBy)
        return { text: JSON.stringify({ operations: matching(entries, words, maxTokens) }) }
      },
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
      ({ name, variables, ...others }, context) =>
        byName.get(name)?.call({ ...variables, ...others }, context) ?? noSuch(name),
    ),
  ]
}

/** An entry of what was found, without what it says of its operation: the name has at most 64 characters. */
const entryBytes = 100

interface Found extends Searchable {
  readonly operation: ToolOperation
}

const none: ReadonlySet<string> = new Set()

const foundBy = (operation: ToolOperation): Found => ({
  operation,
  own: stemsOf(operation.name),
  around: none,
  told: stemsOf(`${operation.description} ${[...operation.variables].join(' ')}`),
})

const matching = (all: readonly Found[], words: string, maxTokens: number): readonly object[] =>
  ranked(all, words)
    .slice(0, mostFound)
    .map(({ operation }) => ({
      name: operation.name,
      about: aboutOperation(operation, (maxTokens * bytesOfToken) / mostFound - entryBytes),
    }))
