/** Writes docs/reference.md, the schema type by type, from schema/api.graphql. `npm run generate` runs it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
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
const anchor = (name: string): string => name.toLowerCase()

function link(type: { toString(): string }, named: GraphQLNamedType): string {
  const text = `\`${type.toString()}\``
  return isSpecifiedScalarType(named) ? text : `[${text}](#${anchor(named.name)})`
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
  if (isObjectType(type) || isInterfaceType(type)) {
    return Object.values(type.getFields()).map(
      ({ name, args, type: returned, description }) =>
        `| \`${name}\`${argumentsOf(args)} | ${link(returned, getNamedType(returned))} | ${cell(description)} |`,
    )
  }
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map(
      ({ name, type: taken, description }: GraphQLInputField) =>
        `| \`${name}\` | ${link(taken, getNamedType(taken))} | ${cell(description)} |`,
    )
  }
  if (isEnumType(type)) {
    return type.getValues().map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`)
  }
  return []
}

function section(schema: GraphQLSchema, type: GraphQLNamedType): string {
  const rows = rowsOf(type)
  const head = isEnumType(type)
    ? '| value | meaning |\n|---|---|\n'
    : '| field | type | meaning |\n|---|---|---|\n'
  const members = isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : []
  return [
    `### ${type.name}`,
    ...(type.description == null ? [] : [type.description]),
    ...(members.length === 0 ? [] : [`One of ${members.map((member) => link(member, member)).join(', ')}.`]),
    ...(rows.length === 0 ? [] : [head + rows.join('\n')]),
  ].join('\n\n')
}

/** The whole page, from the API schema's SDL. */
export function referenceOf(sdl: string): string {
  const schema = buildSchema(sdl)
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  )
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => type != null)
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
          ...[...members]
            .sort((a, b) => (roots.includes(a as never) ? 0 : a.name.localeCompare(b.name)))
            .map((type) => section(schema, type)),
        ],
  )
  return `${[
    '# The schema, type by type',
    'Generated from [schema/api.graphql](../schema/api.graphql) by `npm run generate`; do not edit. Each description says what a field requires and costs.',
    ...body,
  ].join('\n\n')}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sdl = readFileSync(new URL('../schema/api.graphql', import.meta.url), 'utf8')
  writeFileSync(new URL('reference.md', import.meta.url), referenceOf(sdl))
}
