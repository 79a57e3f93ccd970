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
import { type AccessRequirements, type Rules, readRules } from '../../gateway/auth/authorize/access-rules.ts'
import { allOf, scopesIn } from '../../gateway/auth/authorize/requirement.ts'
import type { Example } from './example.ts'
import { capitalized, type FieldOfType, operationFor, pageOf, pageSizes } from './operation-for.ts'

type Field = GraphQLField<unknown, unknown>

const mostRoots = 3

/** `schema` is what clients see. Returns at most six, each once. */
export function examplesFrom({ document }: Pick<Supergraph, 'document'>, schema: GraphQLSchema): Example[] {
  const examples = new ExampleWriter(schema, readRules(document))
  const query = schema.getQueryType()
  if (query !== null && query !== undefined) {
    const roots = Object.values(query.getFields()).sort(byEase)
    const open = roots.filter((field) => examples.isOpen(query.name, field.name))
    addPlain(examples, query, open)
    addPage(examples, query, open)
    addScoped(examples, query, { roots, open })
  }
  const mutation = schema.getMutationType()
  const [easiest] = Object.values(mutation?.getFields() ?? {}).sort(byEase)
  if (mutation !== null && mutation !== undefined && easiest !== undefined)
    examples.add({ root: mutation, field: easiest, title: `Write: ${wordsOf(easiest.name)}` })
  return examples.all
}

/** An example of one root field, and what it is called. */
interface RootExample {
  readonly root: GraphQLObjectType
  readonly field: Field
  readonly title: string
  /** The first sentence of the field's description by default. */
  readonly note?: string
  /** A field below the root field that is selected although it would be left out. */
  readonly including?: FieldOfType
}

/** Writes operations, in which only fields without requirements are selected, and keeps each once. */
class ExampleWriter {
  readonly #schema: GraphQLSchema
  readonly #rules: Rules
  readonly #byDocument = new Map<string, Example>()

  constructor(schema: GraphQLSchema, rules: Rules) {
    this.#schema = schema
    this.#rules = rules
  }

  get all(): Example[] {
    return [...this.#byDocument.values()]
  }

  isOpen(type: string, field: string): boolean {
    return this.#requirements(type, field).length === 0
  }

  /** The scopes of the first alternative. */
  scopes(type: string, field: string): string[] {
    return scopesIn(allOf(this.#requirements(type, field))?.[0] ?? [])
  }

  /** False if nothing was added, because the operation would select nothing or is there already. */
  add({ root, field, title, note, including }: RootExample): boolean {
    const leavesOut = (type: string, below: string): boolean => !this.isOpen(type, below)
    const options = { leavesOut, ...(including === undefined ? {} : { including }) }
    const written = operationFor(this.#schema, root.name, field.name, options)
    if (written === undefined || written.isBare || this.#byDocument.has(written.document)) return false
    const { type, field: name } = including ?? { type: root.name, field: field.name }
    const scopes = this.scopes(type, name)
    this.#byDocument.set(written.document, {
      id: `${root.name}.${field.name}${including === undefined ? '' : `.${including.field}`}`,
      title,
      note: note ?? firstSentence(field.description),
      document: hasPlaceholder(written.variables) ? `${advice}${written.document}` : written.document,
      ...(Object.keys(written.variables).length === 0 ? {} : { variables: written.variables }),
      ...(scopes.length === 0 ? {} : { scopes }),
    })
    return true
  }

  #requirements(type: string, field: string): AccessRequirements {
    return [...this.#rules.typeRequirements(type), ...this.#rules.fieldRequirements(type, field)]
  }
}

/** A few root fields without pages, each of another type. */
function addPlain(examples: ExampleWriter, root: GraphQLObjectType, fields: readonly Field[]): void {
  const seen = new Set<string>()
  for (const field of fields) {
    const type = getNamedType(field.type).name
    if (isPage(field) || seen.has(type)) continue
    if (seen.size === mostRoots) return
    if (examples.add({ root, field, title: wordsOf(field.name) })) seen.add(type)
  }
}

/** A page of a connection: of a root field, or of a field below one. */
function addPage(examples: ExampleWriter, root: GraphQLObjectType, fields: readonly Field[]): void {
  const paged = fields.find(isPage)
  const note = 'A page of a connection, and the cursor of the next one'
  if (paged !== undefined) {
    examples.add({ root, field: paged, title: `Paging: ${wordsOf(paged.name)}`, note })
    return
  }
  const found = nestedField(fields, (type, field) => examples.isOpen(type.name, field.name) && isPage(field))
  if (found !== undefined) {
    examples.add({ root, title: `Paging: ${wordsOf(found.including.field)}`, note, ...found })
    return
  }
  // Graphs without connections have their own paging arguments, or return plain lists.
  const lists = fields.filter(({ type }) => isListType(getNullableType(type)))
  const list = lists.find(({ args }) => args.some(({ name }) => pageSizes.has(name))) ?? lists[0]
  if (list !== undefined)
    examples.add({
      root,
      field: list,
      title: `A list: ${wordsOf(list.name)}`,
      note: 'The first items of a list',
    })
}

/** A field that needs a scope, below an open root field if there is one. */
function addScoped(
  examples: ExampleWriter,
  root: GraphQLObjectType,
  { roots, open }: { readonly roots: readonly Field[]; readonly open: readonly Field[] },
): void {
  const isScoped = (type: GraphQLObjectType, field: Field): boolean =>
    examples.scopes(type.name, field.name).length > 0
  // The field is selected together with open fields, so that only part of the response is refused without the scope.
  const isPartOfOpen = (type: GraphQLObjectType): boolean =>
    Object.values(type.getFields()).some(
      (field) => isLeafType(getNamedType(field.type)) && examples.isOpen(type.name, field.name),
    )
  const found = nestedField(open, (type, field) => isScoped(type, field) && isPartOfOpen(type))
  if (found !== undefined) {
    const { type, field } = found.including
    const note = 'Null without its scope; the rest of the answer is complete'
    examples.add({ root, title: `A scope: ${type}.${field}`, note, ...found })
    return
  }
  const scoped = roots.find((field) => isScoped(root, field))
  if (scoped !== undefined) examples.add({ root, field: scoped, title: `A scope: ${wordsOf(scoped.name)}` })
}

/** The first field without required arguments below a root field, on its type or on the items of its page. */
function nestedField(
  roots: readonly Field[],
  accepts: (type: GraphQLObjectType, field: Field) => boolean,
): Required<Pick<RootExample, 'field' | 'including'>> | undefined {
  for (const root of roots) {
    const named = getNamedType(root.type)
    const type = pageOf(named)?.item ?? named
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields()))
      if (!field.args.some(isRequiredArgument) && accepts(type, field))
        return { field: root, including: { type: type.name, field: field.name } }
  }
  return undefined
}

const isPage = (field: Field): boolean => pageOf(getNamedType(field.type)) !== undefined
const requiredArguments = ({ args }: Field): number => args.filter(isRequiredArgument).length
/** Relay's `node` accepts any id, so it shows nothing of the schema. */
const isGeneric = ({ name }: Field): boolean => name === 'node' || name === 'nodes'
const byEase = (a: Field, b: Field): number =>
  Number(isGeneric(a)) - Number(isGeneric(b)) || requiredArguments(a) - requiredArguments(b)

const advice = '# Put your own values into the variables.\n'
const hasPlaceholder = (variables: Readonly<Record<string, unknown>>): boolean =>
  JSON.stringify(variables).includes('"<')

/** `chartVideos`: "Chart videos". */
const wordsOf = (name: string): string =>
  capitalized(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase())

const longestNote = 72

/** The first clause of a description, cut between words if it is too long. */
function firstSentence(description: string | null | undefined): string {
  const [clause = ''] = (description ?? '').split(/[.;]\s|\n/)
  const plain = clause.replaceAll('`', '').replace(/\.$/, '')
  if (plain.length <= longestNote) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', longestNote))} …`
}
