/**
 * Writes docs/reference: a page for each type of schema/api.graphql, with an anchor for each field, and an index of them.
 * `npm run generate` runs it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql'

const cell = (text: string | null | undefined): string =>
  (text ?? '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim()
/** What `#name` behind a page's address leads to. */
const anchored = (name: string): string => `<a id="${name}"></a>\`${name}\``

function link(type: { toString(): string }, named: GraphQLNamedType): string {
  const text = `\`${type.toString()}\``
  return isSpecifiedScalarType(named) ? text : `[${text}](${named.name}.md)`
}

function argumentsOf(args: readonly GraphQLArgument[]): string {
  if (args.length === 0) return ''
  const each = args.map(
    ({ name, type, description }) =>
      `\`${name}: ${type.toString()}\`${description == null ? '' : ` (${cell(description)})`}`,
  )
  return `<br>${each.join('<br>')}`
}

function rowsOf(type: GraphQLNamedType): string[] {
  if (isEnumType(type))
    return type.getValues().map(({ name, description }) => `| ${anchored(name)} | ${cell(description)} |`)
  return fieldsOf(type).map((field) => {
    const taken = 'args' in field ? argumentsOf(field.args) : ''
    const type = link(field.type, getNamedType(field.type))
    return `| ${anchored(field.name)}${taken} | ${type} | ${cell(field.description)} |`
  })
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField

const fieldsOf = (type: GraphQLNamedType): Field[] =>
  'getFields' in type ? Object.values<Field>(type.getFields()) : []

const notice =
  'Generated from [schema/api.graphql](../../schema/api.graphql) by `npm run generate`; do not edit.'

function page(schema: GraphQLSchema, type: GraphQLNamedType): string {
  const rows = rowsOf(type)
  const head = isEnumType(type)
    ? '| value | meaning |\n|---|---|\n'
    : '| field | type | meaning |\n|---|---|---|\n'
  const members = isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : []
  const users = usersOf(schema, type)
  return `${[
    `# ${type.name}`,
    ...(type.description == null ? [] : [type.description]),
    ...(members.length === 0 ? [] : [`One of ${members.map((member) => link(member, member)).join(', ')}.`]),
    ...(rows.length === 0 ? [] : [head + rows.join('\n')]),
    ...(users.length === 0 ? [] : [`Used by ${users.join(', ')}.`]),
    `[All types](README.md). ${notice}`,
  ].join('\n\n')}\n`
}

/** Fields that return the type or take it, as links: at most twelve. */
function usersOf(schema: GraphQLSchema, type: GraphQLNamedType): string[] {
  const users = Object.values(schema.getTypeMap()).flatMap((other) => {
    if (isIntrospectionType(other)) return []
    return fieldsOf(other).flatMap((field) => {
      const taken = 'args' in field ? field.args.map((each) => each.type) : []
      const named: GraphQLType[] = [field.type, ...taken]
      return named.some((each) => getNamedType(each) === type)
        ? [`[\`${other.name}.${field.name}\`](${other.name}.md#${field.name})`]
        : []
    })
  })
  return users.length > 12 ? [...users.slice(0, 12), `${users.length - 12} others`] : users
}

/** A page for each type, by file name, and the index, from the API schema's SDL. */
export function referenceOf(sdl: string): Readonly<Record<string, string>> {
  const schema = buildSchema(sdl)
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  )
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type != null,
  )
  const groups: readonly (readonly [string, readonly GraphQLNamedType[]])[] = [
    ['Operations', roots],
    ['Objects', types.filter((type) => isObjectType(type) && !roots.includes(type))],
    ['Interfaces and unions', types.filter((type) => isInterfaceType(type) || isUnionType(type))],
    ['Inputs', types.filter(isInputObjectType)],
    ['Enums', types.filter(isEnumType)],
    ['Scalars', types.filter(isScalarType)],
  ]
  const body = groups.flatMap(([title, members]) =>
    members.length === 0
      ? []
      : [
          `## ${title}`,
          [...members]
            .sort((a, b) => (roots.includes(a as never) ? 0 : a.name.localeCompare(b.name)))
            .map((type) => `- ${link(type, type)}: ${firstSentence(type.description)}`)
            .join('\n'),
        ],
  )
  const introduction =
    'Each type has a page, and `#field` behind its address leads to a field. Descriptions say what a field requires and costs.'
  const index = ['# The schema, type by type', introduction, notice, ...body].join('\n\n')
  return {
    'README.md': `${index}\n`,
    ...Object.fromEntries(types.map((type) => [`${type.name}.md`, page(schema, type)])),
  }
}

const firstSentence = (text: string | null | undefined): string =>
  /^.*?[.](?=\s|$)/.exec(cell(text))?.[0] ?? cell(text)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sdl = readFileSync(new URL('../schema/api.graphql', import.meta.url), 'utf8')
  const folder = new URL('reference/', import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, text] of Object.entries(referenceOf(sdl))) writeFileSync(new URL(name, folder), text)
}
