/**
 * Adds a field to an operation, or removes it, when a checkbox of the builder is ticked. It edits the text, so that
 * comments and everything else stay unchanged. Pure.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { fieldsOf } from '../../../shared/graphql/fields.ts'
import { capitalized, valueFor } from '../../examples/operation-for.ts'
import { operationsIn } from '../graph/operation.ts'

interface Ticked {
  readonly query: string
  /** Values for the variables that were declared for required arguments. */
  readonly variables: Readonly<Record<string, unknown>>
}

/** The first operation of a document; undefined if there is none, or if the text is not valid GraphQL. */
export const builtOperation = (query: string): OperationDefinitionNode | undefined => operationsIn(query)[0]

export const isEmptyText = (query: string): boolean => query.replace(/#.*/g, '').trim() === ''

const fieldIn = (set: SelectionSetNode | undefined, name: string): FieldNode | undefined =>
  set?.selections.find((each): each is FieldNode => each.kind === Kind.FIELD && each.name.value === name)

/** The field at this path; undefined if it is not selected. Fields in fragments are ignored. */
export function fieldAt(
  operation: OperationDefinitionNode | undefined,
  path: readonly string[],
): FieldNode | undefined {
  let set = operation?.selectionSet
  let field: FieldNode | undefined
  for (const name of path) {
    field = fieldIn(set, name)
    if (field === undefined) return undefined
    set = field.selectionSet
  }
  return field
}

type Field = GraphQLField<unknown, unknown>

/** The fields of the schema along this path; undefined if it has no such path. */
function schemaFieldsAt(
  schema: GraphQLSchema,
  root: OperationTypeNode,
  path: readonly string[],
): readonly Field[] | undefined {
  let type: unknown = schema.getRootType(root)
  const fields: Field[] = []
  for (const name of path) {
    const field = fieldsOf(type)[name]
    if (field === undefined) return undefined
    fields.push(field)
    type = getNamedType(field.type)
  }
  return fields
}

/** Undefined if the schema has no such path, or if the text is not valid GraphQL and cannot be changed. */
export function addField(
  schema: GraphQLSchema,
  query: string,
  root: OperationTypeNode,
  path: readonly string[],
): Ticked | undefined {
  const fields = schemaFieldsAt(schema, root, path)
  if (fields === undefined) return undefined
  const operation = builtOperation(query)
  if (operation === undefined) return isEmptyText(query) ? begun(query, root, fields) : undefined
  if (operation.operation !== root) return undefined
  let set = operation.selectionSet
  let known = 0
  for (const name of path) {
    const field = fieldIn(set, name)
    if (field === undefined) break
    known += 1
    if (known === path.length) return { query, variables: {} }
    // The operation is incomplete, because this object has no selection. The user has to mend it first.
    if (field.selectionSet === undefined) return undefined
    set = field.selectionSet
  }
  const declared = new Set((operation.variableDefinitions ?? []).map((each) => each.variable.name.value))
  const written = writtenField(fields.slice(known), declared)
  const open = (set.loc?.end ?? 1) - 1
  const before = query.slice(0, open).trimEnd()
  const pad = '  '.repeat(known + 1)
  const text = `${before}\n${indented(written.text, pad)}\n${'  '.repeat(known)}${query.slice(open)}`
  return { query: withVariables(text, operation, written.declarations), variables: written.values }
}

function begun(query: string, root: OperationTypeNode, fields: readonly Field[]): Ticked {
  const written = writtenField(fields, new Set())
  const name = capitalized(fields[0]?.name ?? '')
  const list = written.declarations.length === 0 ? '' : `(${written.declarations.join(', ')})`
  const comments = query.trim() === '' ? '' : `${query.trimEnd()}\n`
  return {
    query: `${comments}${root} ${name}${list} {\n${indented(written.text, '  ')}\n}\n`,
    variables: written.values,
  }
}

const indented = (text: string, pad: string): string => pad + text.replaceAll('\n', `\n${pad}`)

interface Written {
  readonly text: string
  readonly declarations: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
}

/** These fields, each within the one before. Required arguments become variables, whose names are added to `taken`. */
function writtenField(fields: readonly Field[], taken: Set<string>): Written {
  const declarations: string[] = []
  const values: Record<string, unknown> = {}
  const heads = fields.map(({ name, args }) => {
    const given = args.filter(isRequiredArgument).map((argument) => {
      const variable = freeName(argument.name, name, taken)
      taken.add(variable)
      declarations.push(`$${variable}: ${String(argument.type)}`)
      values[variable] = valueFor(argument.type, argument.name)
      return `${argument.name}: $${variable}`
    })
    return given.length === 0 ? name : `${name}(${given.join(', ')})`
  })
  const leaf = fields.at(-1)
  const type = leaf && getNamedType(leaf.type)
  const text = [...heads, ...(isCompositeType(type) ? [firstFieldOf(type)] : [])].reduceRight(
    (below, line) => `${line} {\n${indented(below, '  ')}\n}`,
  )
  return { text, declarations, values }
}

/** A selection needs at least one field, which is the id if there is one. */
function firstFieldOf(type: unknown): string {
  const plain = Object.values(fieldsOf(type)).filter(
    (field) => !isCompositeType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  )
  return (plain.find(({ name }) => /^(id|\w+Id|name|title)$/.test(name)) ?? plain[0])?.name ?? '__typename'
}

function freeName(argument: string, field: string, taken: ReadonlySet<string>): string {
  if (!taken.has(argument)) return argument
  const longer = `${field}${capitalized(argument)}`
  let name = longer
  for (let number = 2; taken.has(name); number++) name = `${longer}${number}`
  return name
}

/** Declares further variables. `operation` was parsed from the text before a change that came after its head. */
function withVariables(
  text: string,
  operation: OperationDefinitionNode,
  declarations: readonly string[],
): string {
  if (declarations.length === 0) return text
  const last = operation.variableDefinitions?.at(-1)
  const list = declarations.join(', ')
  if (last?.loc !== undefined) return `${text.slice(0, last.loc.end)}, ${list}${text.slice(last.loc.end)}`
  const { name, loc, selectionSet } = operation
  if (name?.loc !== undefined) return `${text.slice(0, name.loc.end)}(${list})${text.slice(name.loc.end)}`
  const start = loc?.start ?? 0
  const isShort = start === selectionSet.loc?.start
  const head = isShort ? start : start + operation.operation.length
  return `${text.slice(0, head)}${isShort ? 'query ' : ' '}(${list})${isShort ? ' ' : ''}${text.slice(head)}`
}

/**
 * Removes the field at this path, parents that would be left without a selection, and variables that nothing uses
 * any more. Returns an empty text if nothing is left.
 */
export function removeField(query: string, path: readonly string[]): string {
  const operation = builtOperation(query)
  if (operation === undefined || fieldAt(operation, path) === undefined) return query
  let length = path.length
  // A field is removed as well if this is its only selection.
  for (; length > 1; length--) {
    const around = fieldAt(operation, path.slice(0, length - 1))
    if ((around?.selectionSet?.selections.length ?? 0) > 1) break
  }
  const isLast = length === 1 && operation.selectionSet.selections.length === 1
  if (isLast) return cut(query, operation.loc?.start ?? 0, operation.loc?.end ?? 0).trim()
  const loc = fieldAt(operation, path.slice(0, length))?.loc
  if (loc === undefined) return query
  return withoutUnused(cut(query, loc.start, loc.end))
}

/** Removes the whole line if it contains nothing else. */
function cut(text: string, from: number, to: number): string {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const newLine = text.indexOf('\n', to)
  const lineEnd = newLine < 0 ? text.length : newLine
  const isLine = text.slice(lineStart, from).trim() === '' && text.slice(to, lineEnd).trim() === ''
  return isLine ? text.slice(0, lineStart) + text.slice(lineEnd + 1) : text.slice(0, from) + text.slice(to)
}

/** The names of the variables that are used outside of their own definitions. */
function usedVariables(query: string): ReadonlySet<string> {
  const used = new Set<string>()
  visit(parse(query), {
    // The variable that it defines is not a use of it.
    VariableDefinition: () => false,
    Variable({ name }) {
      used.add(name.value)
    },
  })
  return used
}

function withoutUnused(query: string): string {
  const operation = builtOperation(query)
  if (operation === undefined) return query
  const definitions = operation.variableDefinitions ?? []
  const used = usedVariables(query)
  const kept = definitions.filter(({ variable }) => used.has(variable.name.value))
  const [first] = definitions
  const last = definitions.at(-1)
  if (kept.length === definitions.length || first?.loc === undefined || last?.loc === undefined) return query
  const list = kept.map(({ loc }) => query.slice(loc?.start, loc?.end)).join(', ')
  if (list !== '') return query.slice(0, first.loc.start) + list + query.slice(last.loc.end)
  // Includes the parentheses around them.
  const open = query.lastIndexOf('(', first.loc.start)
  const close = query.indexOf(')', last.loc.end)
  return query.slice(0, open).trimEnd() + query.slice(close + 1)
}
