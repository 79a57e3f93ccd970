/**
 * Random HTTP requests to a GraphQL server, made from its schema: valid operations whose arguments have hostile values,
 * variables of another shape than declared, documents with a few characters changed, and bodies, headers and addresses
 * that are not quite GraphQL over HTTP. The same seed gives the same request.
 */
import {
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { randomness, randomOperation } from './random-operation.ts'

export interface HostileRequest {
  readonly method: 'GET' | 'POST'
  /** Begins with `?`, or is empty. */
  readonly search: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const texts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\r\nx-injected: 1',
  '../../__control/ledger',
  '..%2f..%2f__control%2fledger',
  '/',
  '?key=1&id=2#x',
  'a,b;c',
  "' OR 1=1 --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\ud800',
  '\u202e\u0000\uffff',
  '😀'.repeat(300),
  'x'.repeat(20_000),
  '-1',
  'NaN',
  '1e400',
  '9007199254740993',
  '__proto__',
  'constructor',
  'rate(up[5m]',
  '{__name__=~".*.*.*.*.*"}',
  '((((((((((((((((1))))))))))))))))',
  'P1000000000000Y',
  '2026-13-45T99:99:99Z',
  'VmlkZW86',
  '0x10',
  'projects/../../x/agent',
]
const numbers: readonly string[] = [
  '-1',
  '0',
  '1',
  '50',
  '2147483647',
  '-2147483648',
  '2147483648',
  '1e308',
  '1e400',
  '0.5',
  '-0',
]
const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.1,
  9_007_199_254_740_992,
  [],
  {},
  [[[[[[]]]]]],
  Array.from({ length: 600 }, (_, at) => String(at)),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  JSON.parse('{"toString":"x","then":"y","toJSON":"z","length":1e9}'),
  ...texts,
]
const mediaTypes: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/graphql',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '*/*',
]
const accepted: readonly string[] = [
  'application/json',
  'application/graphql-response+json',
  'multipart/mixed;incrementalSpec=v0.2',
  'multipart/mixed;deferSpec=20220824, application/json',
  '*/*;q=0',
  'text/html',
  'image/png',
  ',;q=,,',
]
const otherHeaders: readonly (readonly [string, string])[] = [
  ['authorization', 'Bearer a.b.c'],
  ['authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'],
  ['authorization', 'Basic OjpB'],
  ['authorization', `Bearer ${'x'.repeat(3000)}`],
  ['idempotency-key', '"'],
  ['idempotency-key', 'k'.repeat(2000)],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-ff'],
  ['traceparent', 'x'],
  ['tessera-explain', 'true'],
  ['tessera-explain', 'plan;\u00e9'],
  ['x-request-id', 'a b\tc'],
  ['apollographql-client-name', '__proto__'],
  ['if-none-match', 'W/"'],
  ['last-event-id', '-1'],
  ['content-encoding', 'gzip'],
  ['accept-encoding', 'gzip;q=2, identity;q=0'],
  ['cache-control', 'max-age=-1, no-store=1'],
]

/** Representations of every entity, by keys that are not right. */
function representationsOf(schema: GraphQLSchema): readonly string[] {
  const entities = schema.getType('_Entity')
  const names = isUnionType(entities) ? entities.getTypes().map(({ name }) => name) : []
  const keys = ['id', 'videoId', 'name', 'messageId', 'userId', 'nodeId', '__proto__']
  return [...names, 'Query', 'Unknown', ''].flatMap((name) => [
    `{__typename: ${JSON.stringify(name)}}`,
    ...keys.map((key) => `{__typename: ${JSON.stringify(name)}, ${key}: "../x"}`),
    ...keys.map((key) => `{__typename: ${JSON.stringify(name)}, ${key}: {a: [null, 1.5]}}`),
  ])
}

/** Literals for each argument of the schema that a document may have: of its type, or nearly. */
function literalsOf(schema: GraphQLSchema): Readonly<Record<string, readonly string[]>> {
  const literals: Record<string, readonly string[]> = {}
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields()))
      for (const argument of field.args) {
        const named = getNamedType(argument.type)
        if (isEnumType(named) || isInputObjectType(named)) continue
        const isList = String(argument.type).startsWith('[')
        const each =
          named.name === '_Any'
            ? representationsOf(schema)
            : named.name === 'Boolean'
              ? ['true', 'false']
              : named.name === 'Int' || named.name === 'Float'
                ? numbers
                : texts.filter((text) => text.isWellFormed()).map((text) => JSON.stringify(text))
        literals[`${type.name}.${field.name}.${argument.name}`] = isList
          ? each.map((literal) => `[${literal}, ${literal}]`)
          : each
      }
  }
  return literals
}

/** Requests to a server of this schema. `kinds`: mutations only if they may run. */
export function createHostileRequests(
  schema: GraphQLSchema,
  kinds: readonly ('query' | 'mutation')[] = ['query', 'mutation'],
): (seed: number) => HostileRequest {
  const literals = literalsOf(schema)

  return (seed) => {
    const random = randomness(seed)
    const chance = (probability: number): boolean => random() < probability
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    const below = (count: number): number => Math.floor(random() * count)

    const operation = (): { readonly query: string; readonly variables: Record<string, unknown> } => {
      for (;;) {
        const one = randomOperation(schema, {
          seed: below(2 ** 31),
          size: 1 + below(25),
          kind: pick(kinds),
          rich: chance(0.5),
          ...(chance(0.8) ? { values: literals } : {}),
        })
        if (one !== undefined) return one
      }
    }

    /** A few characters are lost, repeated, swapped for others, or put in. */
    const changed = (text: string): string => {
      let result = text
      for (let count = 1 + below(3); count > 0; count--) {
        const at = below(result.length + 1)
        const length = below(12)
        const put = pick([
          '',
          result.slice(at, at + length).repeat(1 + below(4)),
          pick([
            '{',
            '}',
            '(',
            ')',
            '"',
            '"""',
            '$',
            '...',
            '@',
            '!',
            '&',
            ':',
            '\ufeff',
            '#',
            '\\u{110000}',
            '{'.repeat(500),
          ]),
          ` ${pick(['__schema { types { name } }', '__typename', '_entities', '... on X { y }', '@defer', '@stream', '@skip(if: 1)', 'mutation', 'subscription'])} `,
        ])
        result = result.slice(0, at) + put + result.slice(at + (chance(0.5) ? length : 0))
      }
      return result
    }

    const { query, variables } = operation()
    const document = chance(0.35) ? changed(query) : query
    const given: Record<string, unknown> = { ...variables }
    for (const name of Object.keys(given)) if (chance(0.4)) given[name] = pick(hostileValues)
    const asked: Record<string, unknown> = { query: document, variables: given }
    if (chance(0.08)) asked.operationName = pick(hostileValues)
    if (chance(0.08)) asked.variables = pick(hostileValues)
    if (chance(0.08)) asked.extensions = pick(hostileValues)
    if (chance(0.04)) asked.extensions = { persistedQuery: { version: 1, sha256Hash: pick(hostileValues) } }
    if (chance(0.04)) asked.query = pick(hostileValues)

    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: pick(accepted.slice(0, 2)),
    }
    if (chance(0.1)) headers['content-type'] = pick(mediaTypes)
    if (chance(0.1)) headers.accept = pick(accepted)
    if (chance(0.15)) {
      const [name, value] = pick(otherHeaders)
      headers[name] = value
    }
    if (chance(0.1)) {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(asked))
        parameters.append(name, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
      const search = `?${String(parameters).slice(0, 7000)}`
      return { method: 'GET', search: chance(0.1) ? `${search}&${search}` : search, headers, body: undefined }
    }
    let body = JSON.stringify(chance(0.03) ? [asked, asked] : asked)
    if (chance(0.08)) body = changed(body)
    if (chance(0.03)) body = body.slice(0, below(body.length))
    if (chance(0.02))
      body = pick([
        '',
        'null',
        '[]',
        '"',
        '0',
        '{"query":{}}',
        `${'['.repeat(5000)}`,
        '{"query":"{a}","query":"{b}"}',
      ])
    return { method: 'POST', search: '', headers, body }
  }
}
