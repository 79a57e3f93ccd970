/** Searches for words: fields and types of a schema, each with a path from a root field, and operations. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isIntrospectionType,
  isSpecifiedScalarType,
} from 'graphql'
import { fieldsOf } from '../../../shared/graphql/fields.ts'

interface Hit {
  /** Such as `Video.commentThreads(first, after): CommentThreadConnection`. */
  readonly at: string
  /** Fields from a root to it, such as `query.video.commentThreads`. */
  readonly path?: string
  readonly about?: string
}

/** What is looked for, by the stems of its words. */
export interface Searchable {
  /** The words of its own name. */
  readonly own: ReadonlySet<string>
  /** Those of the type that a field is of. */
  readonly around: ReadonlySet<string>
  /** Those of the description. */
  readonly told: ReadonlySet<string>
}

interface Entry extends Searchable {
  readonly hit: Hit
  readonly depth: number
}

/** What questions are made of. None of it tells anything apart. */
const commonWords: ReadonlySet<string> = new Set(
  'a all an and any are as at be by can do does for from get give had has have how i id in into is it its list many me much my of on or our show that the their there these they this those to was were what when where which who whom whose why will with you your'.split(
    ' ',
  ),
)

/** `threadId` as `thread`, `id`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** Without the ending of a plural or of a verb: `likes`, `liked` and `liking` are one word. */
const stem = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<=\w{3})(?:ings?|e[ds]?|s)$/, '')

export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stem))

const longestAbout = 140

/** The first sentence, on one line. */
export function summaryOf(description: string | null | undefined): string | undefined {
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

export function createSchemaSearch(schema: GraphQLSchema): (words: string, most: number) => readonly Hit[] {
  let entries: readonly Entry[] | undefined
  return (words, most) => {
    entries ??= entriesOf(schema)
    return ranked(entries, words, ({ depth }) => 1 / (1 + depth))
      .slice(0, most)
      .map(({ hit }) => hit)
  }
}

/** What is asked for; the common words, if there are no others. */
function wantedIn(words: string): readonly string[] {
  const all = wordsOf(words)
  const telling = all.filter((word) => !commonWords.has(word))
  return [...new Set((telling.length === 0 ? all : telling).map(stem))].slice(0, 20)
}

/** Those that fit, best first. A word counts the more, the fewer entries have it; `bonus` decides between equal ones. */
export function ranked<Entry extends Searchable>(
  entries: readonly Entry[],
  words: string,
  bonus: (entry: Entry) => number = () => 0,
): readonly Entry[] {
  const scores = new Map<Entry, number>()
  for (const word of wantedIn(words)) {
    const found = entries.flatMap((entry) => {
      const fit = fitOf(entry, word)
      return fit === 0 ? [] : [{ entry, fit }]
    })
    const weight = Math.log(1 + entries.length / found.length)
    for (const { entry, fit } of found) scores.set(entry, (scores.get(entry) ?? bonus(entry)) + fit * weight)
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([entry]) => entry)
}

/** How well a word fits what an entry is about. */
function fitOf({ own, around, told }: Searchable, word: string): number {
  // A name with few words is about each of them.
  const share = 2 / own.size
  if (own.has(word)) return 3 + share
  if (word.length > 2) for (const name of own) if (name.startsWith(word)) return 1.5 + share
  if (around.has(word)) return 2
  return told.has(word) ? 1.5 : 0
}

function entriesOf(schema: GraphQLSchema): readonly Entry[] {
  const paths = pathsOf(schema)
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) return []
    const own = entryOf(type.description, { at: type.name, own: type.name, path: paths.get(type.name) })
    // Subscriptions cannot be executed here.
    if (type === schema.getSubscriptionType()) return []
    return [own, ...Object.values(fieldsOf(type)).map((field) => fieldEntry(type, field, paths))]
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
  // The name of a root type is in a path only for the sake of completeness: it says nothing of its fields.
  const around = before === 'query' || before === 'mutation' ? '' : type.name
  const others = field.args.flatMap(toldOfArgument).join(' ')
  return entryOf(field.description, {
    at: `${type.name}.${field.name}${args}: ${field.type}`,
    own: field.name,
    around,
    others,
    path,
  })
}

interface Named {
  readonly at: string
  readonly own: string
  readonly around?: string
  /** What else is told of it, apart from the description. */
  readonly others?: string
  readonly path: string | undefined
}

function entryOf(
  description: string | null | undefined,
  { at, own, around = '', others = '', path }: Named,
): Entry {
  const about = summaryOf(description)
  return {
    hit: { at, ...(path === undefined ? {} : { path }), ...(about === undefined ? {} : { about }) },
    own: stemsOf(own),
    around: stemsOf(around),
    told: stemsOf(`${description ?? ''} ${others}`),
    depth: path === undefined ? 20 : path.split('.').length,
  }
}

/** What an argument asks for: a chart has its kind in the values of one. */
function toldOfArgument({ name, description, type }: GraphQLArgument): readonly unknown[] {
  const named = getNamedType(type)
  return [name, description, ...(isEnumType(named) ? named.getValues().map((value) => value.name) : [])]
}

/** The shortest way to each type, as fields from a root. */
function pathsOf(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const [root, name] of [
    [schema.getQueryType(), 'query'],
    [schema.getMutationType(), 'mutation'],
  ] as const)
    if (root != null) paths.set(root.name, name)
  // The map grows during the walk.
  for (const [name, path] of paths) {
    for (const field of Object.values(fieldsOf(schema.getType(name)))) {
      const named = getNamedType(field.type)
      if (!paths.has(named.name) && !isSpecifiedScalarType(named))
        paths.set(named.name, `${path}.${field.name}`)
    }
  }
  return paths
}
