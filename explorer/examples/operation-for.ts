/**
 * Writes an operation for one root field. Its arguments become variables with placeholders. The selection has what
 * is cheap to read: scalars, the first page of a connection, and one level below. Pure.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  OperationTypeNode,
} from 'graphql'

interface WrittenOperation {
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether only `__typename` could be selected. */
  readonly isBare: boolean
}

export interface FieldOfType {
  readonly type: string
  readonly field: string
}

interface WriteOptions {
  /** Which fields to omit, such as those that need scopes. By default none is omitted. */
  readonly leavesOut?: (type: string, field: string) => boolean
  /** A field that the selection must contain. */
  readonly including?: FieldOfType
}

type Field = GraphQLField<unknown, unknown>

const mostLeaves = 6
const mostNested = 2

/** The types of queries, mutations and subscriptions, as far as the schema has them. */
export const rootsOf = (schema: GraphQLSchema): (readonly [OperationTypeNode, GraphQLObjectType])[] =>
  Object.values(OperationTypeNode).flatMap((kind) => {
    const type = schema.getRootType(kind)
    return type === null || type === undefined ? [] : [[kind, type] as const]
  })

/** Undefined if the root type has no such field. */
export function operationFor(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string,
  options: WriteOptions = {},
): WrittenOperation | undefined {
  const [kind, root] = rootsOf(schema).find(([, type]) => type.name === typeName) ?? []
  const field = root?.getFields()[fieldName]
  if (kind === undefined || field === undefined) return undefined

  const selection = selectionOf(getNamedType(field.type), options, 0)
  const args = field.args.filter((argument) => isRequiredArgument(argument) || pageSizes.has(argument.name))
  const declared = args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ')
  const given = args.map(({ name: each }) => `${each}: $${each}`).join(', ')
  const head = `${kind} ${capitalized(fieldName)}${declared === '' ? '' : `(${declared})`}`
  const body = `${fieldName}${given === '' ? '' : `(${given})`}${indented(selection)}`
  return {
    isBare: selection.join() === '__typename',
    document: `${head} {\n  ${body.replaceAll('\n', '\n  ')}\n}\n`,
    variables: Object.fromEntries(args.map((argument) => [argument.name, argumentValue(argument)])),
  }
}

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export const pageSizes: ReadonlySet<string> = new Set(['first', 'limit', 'pageSize'])
const pageSize = 5

const argumentValue = (argument: GraphQLArgument): unknown =>
  pageSizes.has(argument.name) ? pageSize : valueFor(argument.type, argument.name)

/** A placeholder of the right type. `around` are the input types that contain it: one that contains itself has an empty list. */
export function valueFor(
  type: GraphQLInputType,
  name: string,
  around: readonly GraphQLNamedType[] = [],
): unknown {
  if (isNonNullType(type)) return valueFor(type.ofType, name, around)
  if (isListType(type))
    return around.includes(getNamedType(type)) ? [] : [valueFor(type.ofType, name, around)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    // No value fits such a type: it requires itself.
    if (around.filter((each) => each === type).length > 1) return {}
    const within = [...around, type]
    const fields = Object.values(type.getFields())
    const ends = fields.filter(
      (field) => isListType(field.type) || !within.includes(getNamedType(field.type)),
    )
    const wanted = type.isOneOf ? ends.slice(0, 1) : fields.filter(isRequiredInputField)
    return Object.fromEntries(wanted.map((field) => [field.name, valueFor(field.type, field.name, within)]))
  }
  switch (type.name) {
    case 'Int':
    case 'Float':
      return 1
    case 'Boolean':
      return false
    default:
      return `<${name}>`
  }
}

/** The lines of a selection set; none for a leaf. */
function selectionOf(type: GraphQLNamedType, options: WriteOptions, depth: number): readonly string[] {
  if (isLeafType(type)) return []
  if (!isObjectType(type) && !isInterfaceType(type)) return ['__typename']
  const fields = Object.values(type.getFields()).filter(
    (field) =>
      !field.args.some(isRequiredArgument) &&
      field.deprecationReason == null &&
      options.leavesOut?.(type.name, field.name) !== true,
  )
  const included = options.including?.type === type.name ? options.including.field : undefined
  const page = pageOf(type)
  if (page !== undefined) {
    const items = selectionOf(page.item, options, depth + 1)
    return [...page.before, `${page.list}${indented(items)}`, ...page.after]
  }
  const lines: string[] = []
  for (const field of fields.filter(isLeaf).slice(0, mostLeaves))
    if (field.name !== included) lines.push(field.name)
  if (depth < mostNested) {
    const nested = fields.filter(
      (field) => !isLeaf(field) && field.name !== included && field.args.length === 0,
    )
    // If a type has its values one level below, two nested fields are shown.
    const most = lines.length > 2 ? 1 : 2
    for (const field of nested.slice(0, most)) {
      const inner = selectionOf(getNamedType(field.type), options, depth + 1)
      lines.push(`${field.name}${indented(inner)}`)
    }
  }
  const extra = included === undefined ? undefined : type.getFields()[included]
  if (extra !== undefined) lines.push(fieldLine(extra, depth))
  return lines.length === 0 ? ['__typename'] : lines
}

/** A field that was asked for by name, with a page size if it has that argument. */
function fieldLine(field: Field, depth: number): string {
  const size = field.args.find(({ name }) => pageSizes.has(name))
  const given = size === undefined ? '' : `(${size.name}: ${pageSize})`
  return `${field.name}${given}${indented(selectionOf(getNamedType(field.type), {}, depth + 1))}`
}

const isLeaf = (field: Field): boolean => isLeafType(getNamedType(field.type))

const indented = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : ` {\n  ${lines.join('\n').replaceAll('\n', '\n  ')}\n}`

interface Page {
  readonly list: 'nodes' | 'edges'
  readonly item: GraphQLNamedType
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const infoFields = ['hasNextPage', 'endCursor']

/** The parts of a Relay connection; undefined for any other type. */
export function pageOf(type: GraphQLNamedType): Page | undefined {
  if (!isObjectType(type)) return undefined
  const { pageInfo, nodes, edges, totalCount } = type.getFields()
  const info = pageInfo === undefined ? undefined : getNamedType(pageInfo.type)
  const items = nodes ?? edges
  if (items === undefined || !isObjectType(info)) return undefined
  const known = infoFields.filter((name) => info.getFields()[name] !== undefined)
  return {
    list: nodes === undefined ? 'edges' : 'nodes',
    item: getNamedType(items.type),
    before: totalCount === undefined ? [] : ['totalCount'],
    after: known.length === 0 ? [] : [`pageInfo${indented(known)}`],
  }
}
