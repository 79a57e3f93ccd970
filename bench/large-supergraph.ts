/**
 * A supergraph as a large company has it: 500 subgraphs, 5,000 object types with some 60,000 fields, about 8.4 MB of
 * text. The same text each time.
 */

const fieldsOfType = 12

/** Numbers below a bound, the same ones each time (Park and Miller's generator). */
function createNumbers(): (bound: number) => number {
  let state = 20261127
  return (bound) => {
    state = (state * 48271) % 2147483647
    return state % bound
  }
}

const head = `schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
{
  query: Query
}

directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT | INTERFACE
directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
directive @join__unionMember(graph: join__Graph!, member: String!) repeatable on UNION
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA

scalar join__FieldSet
scalar link__Import

enum link__Purpose {
  SECURITY
  EXECUTION
}
`

const scalars = ['String', 'Int', 'Float', 'Boolean', 'ID'] as const
const nouns = ['order', 'parcel', 'invoice', 'customer', 'shelf', 'route', 'price', 'stock', 'note', 'label']

export interface LargeSupergraphOptions {
  readonly subgraphs?: number
  /** A multiple of the number of subgraphs. */
  readonly types?: number
}

export function largeSupergraph({ subgraphs = 500, types = 5000 }: LargeSupergraphOptions = {}): string {
  const number = createNumbers()
  const noun = (): string => nouns[number(nouns.length)] ?? ''
  const graph = (at: number): string => `GRAPH_${at}`
  const text = (): string =>
    `"The ${noun()} of this ${noun()} as its service last saw it; null if there is none."`
  const parts = [head, 'enum join__Graph {']
  for (let at = 0; at < subgraphs; at++)
    parts.push(`  ${graph(at)} @join__graph(name: "graph-${at}", url: "http://127.0.0.1:9/${at}")`)
  parts.push('}\n')
  const roots: string[] = []
  for (let at = 0; at < types; at++) {
    // An entity of two subgraphs: either has the half of its fields.
    const own = at % subgraphs
    const other = (own + 1 + number(subgraphs - 1)) % subgraphs
    const key = (index: number): string => `@join__type(graph: ${graph(index)}, key: "id")`
    parts.push(text(), `type Type${at} ${key(own)} ${key(other)} {`, '  id: ID!')
    for (let field = 0; field < fieldsOfType; field++) {
      const from = field % 2 === 0 ? own : other
      // An object of a type that the same subgraph has.
      const next = (from + subgraphs * number(types / subgraphs)) % types
      const type =
        field < 8 ? (scalars[number(scalars.length)] ?? 'ID') : field < 10 ? `Type${next}` : `[Type${next}!]`
      const given = field === 11 ? '(first: Int = 20, after: String)' : ''
      parts.push(`  ${text()}`, `  ${noun()}${field}${given}: ${type} @join__field(graph: ${graph(from)})`)
    }
    parts.push('}\n')
    if (at < subgraphs * 2) roots.push(`  root${at}(id: ID!): Type${at} @join__field(graph: ${graph(own)})`)
  }
  const inAll = Array.from({ length: subgraphs }, (_, at) => `@join__type(graph: ${graph(at)})`).join(' ')
  parts.push(`type Query ${inAll} {`, ...roots, '}', '')
  return parts.join('\n')
}
