/** Finds fields and types of a schema by words, and the way to each from a root. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'

export interface Hit {
  /** Such as `Video.commentThreads(first, after): CommentThreadConnection`. */
  readonly at: string
  /** Fields from a root to it, such as `query.video.commentThreads`. */
  readonly path?: string
  readonly about?: string
}

interface Entry {
  readonly hit: Hit
  readonly names: readonly string[]
  readonly text: string
  readonly depth: number
}

/** `threadId` as `thread`, `id`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** Without the ending of a plural. */
const stem = (word: string): string => word.replace(/(?:ies|es|s)$/, '')

const longestAbout = 140

/** The first sentence, on one line. */
export function aboutOf(description: string | null | undefined): string | undefined {
  if (description == null || description === '') return undefined
  const line = description.replaceAll(/\s+/g, ' ').trim()
  // Names of scopes contain dots.
  const sentences = line.split(/(?<=\.) /)
  const [sentence = line] = sentences
  const needs = sentences.find((one) => one.startsWith('Requires '))
  const costs = sentences.find((one) => one.startsWith('Costs '))
  return [sentence.slice(0, longestAbout), needs, costs]
    .filter((part, at, all) => part !== undefined && all.indexOf(part) === at)
    .join(' ')
}

export function createSchemaSearch(schema: GraphQLSchema) {
  let entries: readonly Entry[] | undefined
  return {
    find(words: string, most: number): readonly Hit[] {
      entries ??= entriesOf(schema)
      const wanted = [...new Set(wordsOf(words).map(stem))].slice(0, 20)
      return entries
        .map((entry) => ({ entry, score: scoreOf(entry, wanted) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.entry.depth - b.entry.depth)
        .slice(0, most)
        .map(({ entry }) => entry.hit)
    },
  }
}

function scoreOf({ names, text, depth }: Entry, wanted: readonly string[]): number {
  let score = 0
  for (const word of wanted) {
    if (names.includes(word)) score += 10
    else if (names.some((name) => name.startsWith(word) && word.length > 2)) score += 6
    else if (text.includes(word)) score += 2
  }
  return score === 0 ? 0 : score + 1 / (1 + depth)
}

function entriesOf(schema: GraphQLSchema): readonly Entry[] {
  const paths = pathsOf(schema)
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) return []
    const own = entryOf(type.name, type.description, [type.name], paths.get(type.name))
    if (!isObjectType(type) && !isInterfaceType(type)) return [own]
    return [own, ...Object.values(type.getFields()).map((field) => fieldEntry(type, field, paths))]
  })
}

function fieldEntry(
  type: GraphQLNamedType,
  field: GraphQLField<unknown, unknown>,
  paths: ReadonlyMap<string, string>,
): Entry {
  const args = field.args.length === 0 ? '' : `(${field.args.map(({ name }) => name).join(', ')})`
  const before = paths.get(type.name)
  const path = before === undefined ? undefined : `${before}.${field.name}`
  return entryOf(
    `${type.name}.${field.name}${args}: ${field.type}`,
    field.description,
    [type.name, field.name],
    path,
  )
}

function entryOf(
  at: string,
  description: string | null | undefined,
  names: readonly string[],
  path: string | undefined,
): Entry {
  const about = aboutOf(description)
  return {
    hit: { at, ...(path === undefined ? {} : { path }), ...(about === undefined ? {} : { about }) },
    names: names.flatMap(wordsOf).map(stem),
    text: (description ?? '').toLowerCase(),
    depth: path === undefined ? 20 : path.split('.').length,
  }
}

/** The shortest way to each type, as fields from a root. */
function pathsOf(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  const queue: string[] = []
  for (const [root, name] of [
    [schema.getQueryType(), 'query'],
    [schema.getMutationType(), 'mutation'],
  ] as const)
    if (root != null) {
      paths.set(root.name, name)
      queue.push(root.name)
    }
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const type = schema.getType(name)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type)
      if (paths.has(named.name) || isSpecifiedScalarType(named)) continue
      paths.set(named.name, `${paths.get(name)}.${field.name}`)
      queue.push(named.name)
    }
  }
  return paths
}
