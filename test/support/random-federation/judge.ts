/**
 * Whether an answer is right. Without faults, and where fields fail, the data must be the oracle's to the byte and the
 * errors stand where the oracle's do. If a subgraph is away or does not know an entity, how much is missing
 * depends on the plan; what is there must still be right, and what is missing without being null must be said.
 */
import { type DocumentNode, type GraphQLSchema, printSchema } from 'graphql'
import { executableSchema } from '../federation.ts'
import type { RandomGraph } from './graph.ts'
import { judgeMissing } from './judge-missing.ts'
import { askOracle, type MetField } from './oracle.ts'
import { isAbove, keysOfRequiring, missingPlaces, type Path } from './places.ts'
import type { SubgraphFaults } from './subgraph.ts'
import { canonical } from './values.ts'

/** What goes wrong during one operation. */
export interface TrialFaults extends SubgraphFaults {
  /** The subgraphs that answer nothing. */
  readonly away?: ReadonlySet<string> | undefined
}

export interface Answer {
  readonly data: unknown
  readonly errors: readonly { readonly message: string; readonly path?: Path | undefined }[]
}

export interface Finding {
  readonly fault: 'refused' | 'other data' | 'other errors' | 'other order' | 'other JSON'
  readonly message: string
  readonly got: unknown
  readonly expected: unknown
}

/** The oracle's answer, its mutations in their order, and what each field of it belongs to. */
export interface RightAnswer extends Answer {
  readonly order: readonly string[]
  /** By the field's path as text. */
  readonly met: ReadonlyMap<string, MetField>
}

export async function rightAnswer(
  graph: RandomGraph,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  faults: TrialFaults = {},
  schema: GraphQLSchema = graph.supergraph.apiSchema,
): Promise<RightAnswer> {
  const order: string[] = []
  const met = new Map<string, MetField>()
  const result = await askOracle(graph.world, schema, document, variables, {
    faults,
    mutated: (field, given) => order.push(`${field}${canonical(given)}`),
    met: (path, field) => met.set(path.join('.'), field),
  })
  return { ...answerFrom(result), order, met }
}

export function answerFrom({
  data,
  errors,
}: {
  readonly data?: unknown
  readonly errors?: Answer['errors'] | undefined
}): Answer {
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: errors ?? [] }
}

export function judgeData(got: Answer, expected: Answer, faults: TrialFaults): Finding | undefined {
  const loose = faults.away !== undefined || faults.missing !== undefined
  const right = loose
    ? lacksOnly(got.data, expected.data)
    : JSON.stringify(got.data) === JSON.stringify(expected.data)
  if (right) return undefined
  return { fault: 'other data', message: got.errors[0]?.message ?? 'without an error', got, expected }
}

/** Whether a value is another one with nulls in it: each object has all of its keys, in the same order. */
export function lacksOnly(value: unknown, whole: unknown): boolean {
  if (value === null) return true
  if (Array.isArray(value))
    return (
      Array.isArray(whole) &&
      whole.length === value.length &&
      value.every((each, i) => lacksOnly(each, whole[i]))
    )
  if (typeof value !== 'object') return value === whole
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false
  const names = Object.keys(value)
  return (
    names.join() === Object.keys(whole).join() &&
    names.every((name) =>
      lacksOnly((value as Record<string, unknown>)[name], (whole as Record<string, unknown>)[name]),
    )
  )
}

export async function judgeErrors(
  graph: RandomGraph,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  got: Answer,
  expected: RightAnswer,
  faults: TrialFaults,
): Promise<Finding | undefined> {
  const wrong = (message: string): Finding => ({ fault: 'other errors', message, got, expected })
  if (faults.away !== undefined) {
    if (got.errors.some(({ message }) => message.startsWith('There were more errors'))) return undefined
    const said = got.errors.map(({ path = [] }) => path)
    const requiring = keysOfRequiring(graph.services, document)
    const isSaid = (place: Path): boolean =>
      said.some((path) => isAbove(path, place) || isAbove(place, path)) ||
      // A field whose requirements failed is not asked for: the error stands at what it requires of its object.
      (requiring.has(String(place.at(-1))) && said.some((path) => isAbove(place.slice(0, -1), path)))
    const unsaid = missingPlaces(got.data, expected.data, []).filter((place) => !isSaid(place))
    return unsaid.length === 0 ? undefined : wrong(`no error says why ${unsaid[0]?.join('.')} is null`)
  }
  if (faults.missing !== undefined) return judgeMissing(graph, document, got, expected, faults.missing)
  if (got.errors.length === 0 && expected.errors.length === 0) return undefined
  if (got.errors.length === 0 || expected.errors.length === 0)
    return wrong(`${got.errors.length} errors where there are ${expected.errors.length}`)
  // If everything may be null, every failure is reported; a null that goes up takes some of them along.
  const lenient = await lenientAnswer(graph, document, variables, faults)
  const possible = new Set([...lenient.errors, ...expected.errors].map(errorText))
  const places = new Set(pathsOf([...lenient.errors, ...expected.errors]))
  // Over HTTP a subgraph's own words are not passed on.
  const isPossible = (error: Answer['errors'][number]): boolean =>
    possible.has(errorText(error)) ||
    (/^The subgraph \w+ reported an error\.$/.test(error.message) &&
      pathsOf([error]).every((path) => places.has(path)))
  const extra = got.errors.filter((error) => !isPossible(error))
  if (extra.length > 0) return wrong(`an error at ${pathsOf(extra).join(', ')}`)
  if (new Set(got.errors.map(errorText)).size < got.errors.length) return wrong('an error twice')
  const paths = new Set(pathsOf(got.errors))
  const missing = expected.errors.filter(
    ({ path = [] }) => standsAt(expected.data, path.slice(0, -1)) && !paths.has(path.join('.')),
  )
  return missing.length > 0 ? wrong(`no error at ${pathsOf(missing).join(', ')}`) : undefined
}

function errorText({ message, path = ['-'] }: Answer['errors'][number]): string {
  return `${path.join('.')}: ${message}`
}

function pathsOf(errors: Answer['errors']): string[] {
  return [...new Set(errors.map(({ path = ['-'] }) => path.join('.')))]
}

function standsAt(data: unknown, path: Path): boolean {
  let at = data
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<string | number, unknown>)[step]
  }
  return at !== null && at !== undefined
}

/** The oracle's answer if everything may be null: each failure is a null in its own place. */
export const lenientAnswer = (
  graph: RandomGraph,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  faults: TrialFaults,
): Promise<RightAnswer> => rightAnswer(graph, document, variables, faults, lenientSchema(graph))

const lenients = new WeakMap<RandomGraph, GraphQLSchema>()

function lenientSchema(graph: RandomGraph): GraphQLSchema {
  const known = lenients.get(graph)
  if (known !== undefined) return known
  const sdl = printSchema(graph.supergraph.apiSchema).replace(/!(?=[^)]*$|\s*$)/gm, '')
  const schema = executableSchema(sdl, {})
  lenients.set(graph, schema)
  return schema
}
