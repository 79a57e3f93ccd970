/** Operations of tests, normalised over a schema. */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  visit,
} from 'graphql'
import { type NormalisedOperation, normalisedIn, type Selection } from '../../engine/operation/normalised.ts'
import type { PlanInput } from '../../engine/planner/index.ts'
import type { RefusedField } from '../../engine/response/index.ts'
import type { Condition } from '../../shared/graphql/conditions.ts'

export function normalisedOf(
  schema: GraphQLSchema,
  given: string | DocumentNode,
  operationName?: string,
): NormalisedOperation {
  const document = typeof given === 'string' ? parse(given) : given
  const operation = normalisedIn(schema, document, operationName)
  if (operation === undefined) throw new Error('Expected one operation of a kind that the schema has.')
  return operation
}

/** A refusal that names its field by the node of the document. */
export type RefusedNode = Omit<RefusedField, 'field'> & { readonly field: FieldNode }

/** The same refusals, by the ids of the normalised operation. */
export function refusedIn(operation: NormalisedOperation, refusals: readonly RefusedNode[]): RefusedField[] {
  return refusals.map((refusal) => {
    const field = operation.fields.find(({ nodes }) => nodes[0] === refusal.field)
    if (field === undefined) throw new Error(`${refusal.field.name.value} is not in the operation.`)
    return { ...refusal, field: field.id }
  })
}

/** What a planner is given for the operation, or the only one, of a document that is not validated. */
export function planInputOf(schema: GraphQLSchema, given: string | DocumentNode): PlanInput {
  return { operation: normalisedOf(schema, given) }
}

/**
 * A document that selects what the operation does: its fragments are inline, one in another for each type condition,
 * and its conditions are on the fields. Variables are declared if it uses them.
 */
export function documentOf({
  kind,
  name,
  variables,
  directives,
  selections,
}: NormalisedOperation): DocumentNode {
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: kind,
    ...(name !== undefined && { name: { kind: Kind.NAME, value: name } }),
    directives,
    selectionSet: { kind: Kind.SELECTION_SET, selections: nodesOf(selections) },
  }
  const used = new Set<string>()
  visit(operation, {
    Variable(variable) {
      used.add(variable.name.value)
    },
  })
  const variableDefinitions = variables.filter(({ variable }) => used.has(variable.name.value))
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, variableDefinitions }] }
}

/** Consecutive selections under one type condition are in one fragment. */
function nodesOf(selections: readonly Selection[], depth = 0): SelectionNode[] {
  const nodes: SelectionNode[] = []
  for (let at = 0; at < selections.length; ) {
    const type = typeAt(selections[at], depth)
    let end = at + 1
    if (type !== undefined) while (typeAt(selections[end], depth) === type) end += 1
    const here = selections.slice(at, end)
    if (type === undefined) nodes.push(...here.map(nodeOf))
    else
      nodes.push({
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } },
        selectionSet: { kind: Kind.SELECTION_SET, selections: nodesOf(here, depth + 1) },
      })
    at = end
  }
  return nodes
}

/** Each type condition is listed once, so that of the innermost fragment may not be the last. */
function typeAt(selection: Selection | undefined, depth: number): string | undefined {
  if (selection === undefined) return undefined
  const { on, field } = selection
  return on.length === 0 || on.at(-1) === field.parent ? on[depth] : [...on, field.parent][depth]
}

function nodeOf({ field, when, wraps }: Selection): SelectionNode {
  if (wraps.length > 0) throw new Error(`${field.key} is in a fragment with directives.`)
  const [first = [], ...others] = when === undefined ? [[never]] : when.all.map((each) => [directiveOf(each)])
  const node: SelectionNode = {
    kind: Kind.FIELD,
    ...(field.key !== field.name && { alias: { kind: Kind.NAME, value: field.key } }),
    name: { kind: Kind.NAME, value: field.name },
    arguments: field.arguments,
    directives: [...field.directives, ...first],
    ...(field.selections !== undefined && {
      selectionSet: { kind: Kind.SELECTION_SET, selections: nodesOf(field.selections) },
    }),
  }
  return others.reduce<SelectionNode>(
    (inside, directives) => ({
      kind: Kind.INLINE_FRAGMENT,
      directives,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [inside] },
    }),
    node,
  )
}

const never: DirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'skip' },
  arguments: [
    {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'if' },
      value: { kind: Kind.BOOLEAN, value: true },
    },
  ],
}

function directiveOf({ variable, value }: Condition): DirectiveNode {
  const given = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: value ? 'include' : 'skip' },
    arguments: [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'if' }, value: given }],
  }
}

/** What is selected at each place, for comparing operations that were made in different ways. */
export function placesOf({ selections }: NormalisedOperation): unknown[] {
  const placesIn = (below: readonly Selection[]): unknown[] =>
    below.map(({ field, when, types }) => [
      ...[field.key, field.name, field.parent, field.output, types.names, when?.key],
      field.selections && placesIn(field.selections),
    ])
  return placesIn(selections)
}
