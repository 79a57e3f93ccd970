/**
 * Curated operations: GraphQL documents whose names, descriptions and variables are those of tools. They are read and
 * validated when a generation of the graph is made.
 */
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  separateOperations,
  validate,
  visit,
} from 'graphql'
import { withCursors } from '../answers/shape.ts'
import { estimateTokens } from '../answers/size.ts'
import type { IsStranger } from '../answers/strangers.ts'
import { inputSchemaOf, maxTokensArgument, type ObjectSchema, toldOf } from './input-schema.ts'
import { samplesOf } from './sample.ts'

export interface CuratedOperation {
  readonly name: string
  readonly description: string
  /** What is executed, unless it passes a limit for the cursors that were put into it. */
  readonly text: string
  /** The same without them. */
  readonly bare: string
  readonly definition: OperationDefinitionNode
  /** Whether it changes anything that lasts. */
  readonly isChange: boolean
  readonly inputSchema: ObjectSchema
  /** The names of its variables. */
  readonly variables: ReadonlySet<string>
  /** Values for its variables without a default, for estimates. */
  readonly samples: Readonly<Record<string, unknown>>
  readonly tokens: number
}

export interface Source {
  /** Where it comes from, for messages. */
  readonly path: string
  readonly text: string
}

interface CuratedOptions {
  readonly schema: GraphQLSchema
  readonly sources: readonly Source[]
  readonly isStranger: IsStranger
  /** Root fields of mutations that count as reads. */
  readonly reads: readonly string[]
  /** Whether the text is executed as it is, because only trusted texts are. */
  readonly isTrusted: boolean
}

const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Sorted by name. Throws with all faults: what does not fit the schema is no tool. */
export function readCurated(options: CuratedOptions): readonly CuratedOperation[] {
  const faults: string[] = []
  const operations = new Map<string, CuratedOperation>()
  for (const source of options.sources)
    for (const operation of operationsIn(source, options, faults)) {
      if (operations.has(operation.name))
        faults.push(`${source.path}: there are two operations named ${operation.name}`)
      operations.set(operation.name, operation)
    }
  if (faults.length > 0) throw new Error(`mcp.operations: ${faults.slice(0, 20).join('; ')}`)
  return [...operations.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function operationsIn(
  { path, text }: Source,
  options: CuratedOptions,
  faults: string[],
): readonly CuratedOperation[] {
  let document: DocumentNode
  try {
    document = parse(text)
  } catch (error) {
    faults.push(`${path}: ${error instanceof Error ? error.message : 'is not GraphQL'}`)
    return []
  }
  const documents = separateOperations(document)
  return document.definitions.flatMap((node) => {
    if (node.kind !== Kind.OPERATION_DEFINITION || node.operation === 'subscription') return []
    const name = node.name?.value
    if (name === undefined || !nameForm.test(name)) {
      // An operation of a manifest may have no name, and is then no tool.
      if (!options.isTrusted) faults.push(`${path}: each operation needs a name of at most 64 characters`)
      return []
    }
    const own = withoutDescriptions(documents[name] ?? document)
    const [fault] = validate(options.schema, own)
    if (fault !== undefined) {
      faults.push(`${path}: ${name}: ${fault.message}`)
      return []
    }
    const variables = (node.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
    if (variables.includes(maxTokensArgument)) {
      faults.push(`${path}: ${name}: no variable may be called ${maxTokensArgument}`)
      return []
    }
    return [curatedFrom(own, node, name, options, options.isTrusted ? text : undefined)]
  })
}

function curatedFrom(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  name: string,
  { schema, isStranger, reads }: CuratedOptions,
  trusted: string | undefined,
): CuratedOperation {
  const samples = samplesOf(schema, definition.variableDefinitions)
  return {
    name,
    description: toldOf(definition) ?? `The ${definition.operation} ${name}.`,
    text: trusted ?? withCursors(schema, document),
    bare: trusted ?? print(document),
    definition,
    isChange: isChange(definition, reads),
    inputSchema: inputSchemaOf(schema, definition),
    variables: new Set((definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
    samples,
    tokens: estimateTokens({ schema, document, operationName: name, variables: samples, isStranger }),
  }
}

/** Whether an operation changes anything beside what counts as a read. */
export function isChange(definition: OperationDefinitionNode, reads: readonly string[]): boolean {
  if (definition.operation !== 'mutation') return false
  return definition.selectionSet.selections.some(
    (each) => each.kind !== Kind.FIELD || !reads.includes(each.name.value),
  )
}

/** What a document says of its operation is told of the tool, and not executed. */
function withoutDescriptions(document: DocumentNode): DocumentNode {
  const bare = <Node extends { readonly description?: unknown }>({ description: _, ...node }: Node) => node
  const stripped = visit(document, { OperationDefinition: bare, VariableDefinition: bare })
  return parse(print(stripped), { noLocation: true })
}
