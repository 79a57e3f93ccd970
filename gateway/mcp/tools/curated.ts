/**
 * Curated operations: GraphQL documents whose names, descriptions and variables are those of tools. They are read and
 * validated when a generation of the graph is made.
 */
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  separateOperations,
  typeFromAST,
  type VariableDefinitionNode,
  validate,
  visit,
} from 'graphql'
import { operationRules } from '../../../shared/graphql/operation-rules.ts'
import { parseText } from '../../../shared/graphql/parse-text.ts'
import { estimateTokens } from '../results/estimate-tokens.ts'
import { withCursors } from '../results/shape.ts'
import type { IsUntrusted } from '../results/untrusted-fields.ts'
import { ownToolNames } from './arguments.ts'
import { confirmationArgument } from './change.ts'
import { descriptionOf, maxTokensArgument } from './input-schema.ts'

export interface CuratedOperation {
  readonly name: string
  /** Where it comes from, for messages. */
  readonly path: string
  readonly description: string
  /** What is executed, unless it passes a limit for the cursors that were put into it. */
  readonly text: string
  /** The same without them. */
  readonly bare: string
  readonly definition: OperationDefinitionNode
  /** Whether it changes anything that lasts. */
  readonly isChange: boolean
  readonly variables: ReadonlySet<string>
  /** Values for its variables without a default, for estimates. */
  readonly samples: Readonly<Record<string, unknown>>
  /** The estimated size of its answer. Only the limits of the graph bound the work for it. */
  tokens(): number
}

export interface Source {
  /** Where it comes from, for messages. */
  readonly path: string
  readonly text: string
}

interface CuratedOptions {
  readonly schema: GraphQLSchema
  readonly sources: readonly Source[]
  readonly isUntrusted: IsUntrusted
  /** Root fields of mutations that count as reads. */
  readonly reads: readonly string[]
  /** Whether the text is executed as it is, because only trusted texts are. */
  readonly isTrusted: boolean
}

const ownNames: ReadonlySet<string> = new Set(ownToolNames)
/** A tool would take these for itself, and never send them. */
const ownArguments: ReadonlySet<string> = new Set([maxTokensArgument, confirmationArgument])
const nameForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** The operations, sorted by name, and the faults of what cannot be a tool. The first of several with one name is the tool. */
export function readCurated(options: CuratedOptions) {
  const faults: string[] = []
  const operations = new Map<string, CuratedOperation>()
  for (const source of options.sources)
    for (const operation of operationsIn(source, options, faults)) {
      if (operations.has(operation.name))
        faults.push(`${source.path}: there is another operation named ${operation.name}`)
      else operations.set(operation.name, operation)
    }
  return { operations: [...operations.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), faults }
}

function operationsIn(
  { path, text }: Source,
  options: CuratedOptions,
  faults: string[],
): readonly CuratedOperation[] {
  let document: DocumentNode
  try {
    document = parseText(text)
  } catch (error) {
    faults.push(`${path}: ${error instanceof Error ? error.message : 'is not GraphQL'}`)
    return []
  }
  const documents = separateOperations(document)
  return document.definitions.flatMap((node) => {
    if (node.kind !== Kind.OPERATION_DEFINITION || node.operation === 'subscription') return []
    const name = node.name?.value
    if (name === undefined || !nameForm.test(name)) {
      faults.push(`${path}: each operation needs a name of at most 64 characters`)
      return []
    }
    const own = withoutDescriptions(documents[name] ?? document)
    const fault = faultOf(own, node, name, options.schema)
    if (fault !== undefined) {
      faults.push(`${path}: ${name}: ${fault}`)
      return []
    }
    return [curatedFrom(own, node, { name, path }, options, options.isTrusted ? text : undefined)]
  })
}

/** Why an operation cannot be a tool; undefined if it can. */
function faultOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  name: string,
  schema: GraphQLSchema,
): string | undefined {
  if (ownNames.has(name)) return 'a tool of the gateway has this name'
  const own = variableDefinitions.find(({ variable }) => ownArguments.has(variable.name.value))
  if (own !== undefined) return `no variable may be called ${own.variable.name.value}`
  return validate(schema, document, operationRules)[0]?.message
}

function curatedFrom(
  document: DocumentNode,
  definition: OperationDefinitionNode,
  { name, path }: Pick<CuratedOperation, 'name' | 'path'>,
  { schema, isUntrusted, reads }: CuratedOptions,
  trusted: string | undefined,
): CuratedOperation {
  const samples = sampleVariables(schema, definition.variableDefinitions)
  return {
    name,
    path,
    description: descriptionOf(definition) ?? `The ${definition.operation} ${name}.`,
    text: trusted ?? withCursors(schema, document),
    bare: trusted ?? print(document),
    definition,
    isChange: isChange(definition, reads),
    variables: new Set((definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)),
    samples,
    tokens: () => estimateTokens({ schema, document, operationName: name, variables: samples, isUntrusted }),
  }
}

/** Whether an operation changes anything, apart from fields that count as reads. */
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

/** Input types may require each other in more ways than can be written down. The rest stays empty. */
const mostValues = 1_000

/** A value for each variable that must be given, from which the price and the size of the answer are estimated. */
function sampleVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[] = [],
): Readonly<Record<string, unknown>> {
  const sampler = new Sampler()
  return Object.fromEntries(
    definitions.flatMap(({ variable, type, defaultValue }) =>
      defaultValue !== undefined || type.kind !== Kind.NON_NULL_TYPE
        ? []
        : [[variable.name.value, sampler.of(typeFromAST(schema, type) as GraphQLInputType)]],
    ),
  )
}

class Sampler {
  #left = mostValues
  /** The input objects around the value that is made. */
  readonly #around = new Set<string>()

  of(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return this.of(type.ofType)
    this.#left -= 1
    if (isListType(type)) {
      // Only a list ends a type that requires itself.
      const isEnd = this.#around.has(getNamedType(type).name) || this.#left <= 0
      return isEnd ? [] : [this.of(type.ofType)]
    }
    if (isEnumType(type)) return type.getValues()[0]?.name
    if (!isInputObjectType(type)) return scalars[type.name] ?? '1'
    const value: [string, unknown][] = []
    this.#around.add(type.name)
    for (const field of Object.values(type.getFields())) {
      if (this.#left <= 0) break
      if (isNonNullType(field.type)) value.push([field.name, this.of(field.type)])
    }
    this.#around.delete(type.name)
    return Object.fromEntries(value)
  }
}

const scalars: Readonly<Record<string, unknown>> = {
  Int: 1,
  UnsignedInt: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-01-01T00:00:00Z',
  UInt64: '1',
}
