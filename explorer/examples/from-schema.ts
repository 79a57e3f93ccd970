/**
 * Makes examples from the served schema: a few root fields, a page of a connection, a field that needs a scope, a
 * mutation. Their variables have placeholders, because the data are not known. Pure.
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import { type AccessRequirements, readRules } from '../../gateway/auth/authorize/access-rules.ts'
import { allOf, scopesIn } from '../../gateway/auth/authorize/requirement.ts'
import type { Example } from './example.ts'
import { operationFor, pageOf, pageSizes, type WriteOptions } from './operation-for.ts'

type Field = GraphQLField<unknown, unknown>

const mostRoots = 3

/** `schema` is what clients see. Returns at most six, each once. */
export function examplesFrom({ document }: Pick<Supergraph, 'document'>, schema: GraphQLSchema): Example[] {
  const rules = readRules(document)
  const distinctRequirements = (type: string, field: string): AccessRequirements => [
    ...rules.typeRequirements(type),
    ...rules.fieldRequirements(type, field),
  ]
  const isOpen = (type: string, field: string): boolean => distinctRequirements(type, field).length === 0
  const leavesOut = (type: string, field: string): boolean => !isOpen(type, field)
  const examples = new Map<string, Example>()
  const add = (
    root: GraphQLObjectType,
    field: Field,
    text: { readonly title: string; readonly note?: string },
    required: AccessRequirements = [],
    including?: WriteOptions['including'],
  ): boolean => {
    const options = { leavesOut, ...(including === undefined ? {} : { including }) }
    const written = operationFor(schema, root.name, field.name, options)
    if (written === undefined || written.isBare || examples.has(written.document)) return false
    const scopes = scopesOf(required)
    examples.set(written.document, {
      id: `${root.name}.${field.name}${including === undefined ? '' : `.${including.field}`}`,
      title: text.title,
      note: text.note ?? firstSentence(field.description),
      document: hasPlaceholder(written.variables) ? `${advice}${written.document}` : written.document,
      ...(Object.keys(written.variables).length === 0 ? {} : { variables: written.variables }),
      ...(scopes.length === 0 ? {} : { scopes }),
    })
    return true
  }

  const query = schema.getQueryType()
  if (query !== null && query !== undefined) {
    const roots = Object.values(query.getFields()).sort(byEase)
    const open = roots.filter((field) => isOpen(query.name, field.name))
    const plain = open.filter((field) => pageOf(getNamedType(field.type)) === undefined)
    const seen = new Set<string>()
    for (const field of plain) {
      const type = getNamedType(field.type).name
      if (seen.size === mostRoots || seen.has(type)) continue
      if (add(query, field, { title: wordsOf(field.name) })) seen.add(type)
    }
    addPage(query, open)
    addScoped(query, roots, open)
  }
  const mutation = schema.getMutationType()
  const [easiest] = Object.values(mutation?.getFields() ?? {}).sort(byEase)
  if (mutation !== null && mutation !== undefined && easiest !== undefined)
    add(
      mutation,
      easiest,
      { title: `Write: ${wordsOf(easiest.name)}` },
      distinctRequirements(mutation.name, easiest.name),
    )
  return [...examples.values()]

  function addPage(root: GraphQLObjectType, fields: readonly Field[]): void {
    const isPage = (field: Field): boolean => pageOf(getNamedType(field.type)) !== undefined
    const paged = fields.find(isPage)
    const note = 'A page of a connection, and the cursor of the next one'
    if (paged !== undefined) {
      add(root, paged, { title: `Paging: ${wordsOf(paged.name)}`, note })
      return
    }
    const found = nestedField(fields, (type, field) => isOpen(type.name, field.name) && isPage(field))
    if (found !== undefined) {
      add(root, found.root, { title: `Paging: ${wordsOf(found.field.name)}`, note }, [], {
        type: found.type.name,
        field: found.field.name,
      })
      return
    }
    // Graphs without connections have their own paging arguments, or return plain lists.
    const lists = fields.filter(({ type }) => isListType(getNullableType(type)))
    const list = lists.find(({ args }) => args.some(({ name }) => pageSizes.has(name))) ?? lists[0]
    if (list !== undefined)
      add(root, list, { title: `A list: ${wordsOf(list.name)}`, note: 'The first items of a list' })
  }

  function addScoped(root: GraphQLObjectType, roots: readonly Field[], open: readonly Field[]): void {
    const isScoped = (type: GraphQLObjectType, field: Field): boolean =>
      scopesOf(distinctRequirements(type.name, field.name)).length > 0
    // The field is selected beside open fields, so that only part of the response is refused without the scope.
    const isPartOfOpen = (type: GraphQLObjectType): boolean =>
      Object.values(type.getFields()).some(
        (field) => isLeafType(getNamedType(field.type)) && isOpen(type.name, field.name),
      )
    const found = nestedField(open, (type, field) => isScoped(type, field) && isPartOfOpen(type))
    if (found !== undefined) {
      const { type, field } = found
      const note = 'Null without its scope; the rest of the answer is complete'
      const title = `A scope: ${type.name}.${field.name}`
      add(root, found.root, { title, note }, distinctRequirements(type.name, field.name), {
        type: type.name,
        field: field.name,
      })
      return
    }
    const scoped = roots.find((field) => isScoped(root, field))
    if (scoped !== undefined)
      add(
        root,
        scoped,
        { title: `A scope: ${wordsOf(scoped.name)}` },
        distinctRequirements(root.name, scoped.name),
      )
  }
}

/** The first field without required arguments below a root field, on its type or on the items of its page. */
function nestedField(
  roots: readonly Field[],
  accepts: (type: GraphQLObjectType, field: Field) => boolean,
): { readonly root: Field; readonly type: GraphQLObjectType; readonly field: Field } | undefined {
  for (const root of roots) {
    const named = getNamedType(root.type)
    const type = pageOf(named)?.item ?? named
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields()))
      if (!field.args.some(isRequiredArgument) && accepts(type, field)) return { root, type, field }
  }
  return undefined
}

const requiredArguments = ({ args }: Field): number => args.filter(isRequiredArgument).length
/** Relay's `node` accepts any id, so it shows nothing of the schema. */
const isGeneric = ({ name }: Field): boolean => name === 'node' || name === 'nodes'
const byEase = (a: Field, b: Field): number =>
  Number(isGeneric(a)) - Number(isGeneric(b)) || requiredArguments(a) - requiredArguments(b)

/** The scopes of the first alternative. */
const scopesOf = (required: AccessRequirements): string[] => scopesIn(allOf(required)?.[0] ?? [])

const advice = '# Put your own values into the variables.\n'
const hasPlaceholder = (variables: Readonly<Record<string, unknown>>): boolean =>
  JSON.stringify(variables).includes('"<')

/** `chartVideos`: "Chart videos". */
function wordsOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const longestNote = 72

/** The first clause of a description, cut between words if it is too long. */
function firstSentence(description: string | null | undefined): string {
  const [clause = ''] = (description ?? '').split(/[.;]\s|\n/)
  const plain = clause.replaceAll('`', '').replace(/\.$/, '')
  if (plain.length <= longestNote) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', longestNote))} …`
}
