/** An operation as a snippet: a shell and a JavaScript engine read the same operation from it. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { loadSupergraph } from '../../../../engine/supergraph/index.ts'
import { sandboxExamples } from '../../../../explorer/examples/sandbox.ts'
import { curlOf, fetchOf, type Snippet } from '../../../../explorer/page/share/snippets.ts'
import { typedClientOf } from '../../../../explorer/page/share/typed-client.ts'
import { readSchemaFile } from '../../../../subgraphs/kit/subgraph.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const endpoint = 'http://graph.example/graphql'
const snippet: Snippet = {
  endpoint,
  query: ['query Odd($text: String) {\n  a(text: "it\'s $HOME `date` $', '{1 + 1} \\\\ ")\n}\n'].join(''),
  operationName: 'Odd',
  variables: { text: "'; echo broken; '" },
  hasToken: true,
}
const body = { query: snippet.query, operationName: 'Odd', variables: snippet.variables }

test('a shell gives curl the operation unchanged, and the token from a variable', () => {
  const script = `curl() { printf '%s\\0' "$@"; }\nTOKEN=mine\n${curlOf(snippet)}`
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  const given = stdout.split('\0').slice(0, -1)
  expect(given.slice(0, -1)).toEqual([
    endpoint,
    ...['--header', 'content-type: application/json'],
    ...['--header', 'authorization: Bearer mine'],
    '--data',
  ])
  expect(JSON.parse(given.at(-1)!)).toEqual(body)
  expect(curlOf({ ...snippet, hasToken: false })).not.toContain('TOKEN')
})

test('the call of fetch sends the operation unchanged', async () => {
  const calls: [string, RequestInit][] = []
  const code = `${fetchOf(snippet)}return { data, errors }`
  const run = new Function('fetch', 'token', `return (async () => { ${code} })()`)
  const fetched = async (url: string, init: RequestInit) => {
    calls.push([url, init])
    return Response.json({ data: 1 })
  }
  expect(await run(fetched, 'mine')).toEqual({ data: 1, errors: undefined })
  const [[url, init]] = calls as [[string, RequestInit]]
  expect([url, init.headers]).toEqual([
    endpoint,
    { 'content-type': 'application/json', authorization: 'Bearer mine' },
  ])
  expect(JSON.parse(String(init.body))).toEqual({ ...body, query: snippet.query.trimEnd() })
})

test('the typed client tells what an answer holds: lists, enums, conditions, and types of a union', () => {
  const schema = buildSchema(`
    type Query { things(of: Kind!, where: Where): [Thing!]! }
    enum Kind { ONE TWO }
    input Where { name: String! also: [Where!] }
    union Thing = A | B
    type A { id: ID! size: Float made: Date }
    type B { id: ID! }
    scalar Date
  `)
  const query =
    'query Things($of: Kind!, $where: Where, $more: Boolean = false) { list: things(of: $of, where: $where) { __typename ... on A { id size made @include(if: $more) } } }'
  const client = { schema, endpoint, operationName: undefined, hasToken: false }
  const text = typedClientOf({ ...client, query })
  expect(text?.split('export interface ThingsAnswer')[0]).toMatchInlineSnapshot(`
    "export type Kind = 'ONE' | 'TWO'

    export interface Where {
      readonly name: string
      readonly also?: readonly Where[] | null
    }

    export interface ThingsVariables {
      readonly of: Kind
      readonly where?: Where | null
      readonly more?: boolean | null
    }

    export interface ThingsData {
      readonly list: readonly ({
        readonly __typename: string
        readonly id?: string
        readonly size?: number | null
        readonly made?: unknown | null
      })[]
    }

    "
  `)
  expect(typedClientOf({ ...client, query: '{' })).toBeUndefined()
})

test('the typed client requires a field below others only if it comes whenever they do', () => {
  const schema = buildSchema(`
    type Query { node: Node one: A }
    interface Node { part: Part }
    type A implements Node { part: Part }
    type B implements Node { part: Part }
    type Part { x: Int y: Int z: Int inner: Node }
  `)
  const query = `query Parts($more: Boolean!) {
    one { part { x } part @include(if: $more) { y } ... @skip(if: $more) { part { z } } }
    node { ... on A { part { x } } ... on B { part { y } part { z } } }
    both: node { ... on A { part { x } ... on A { part { y } } } }
    same: one { part @include(if: $more) { x } ... @include(if: $more) { part { y } } }
    nested: node { ... on A { part { inner { part { x } } } } part { inner { ... on A { part { y } } } } }
  }`
  const text = typedClientOf({ schema, endpoint, operationName: undefined, hasToken: false, query })
  const [, data = ''] = /PartsData (\{.*?\n\})/s.exec(text ?? '') ?? []
  expect(data.replaceAll('readonly ', '').replaceAll(/\s+/g, ' ')).toMatchInlineSnapshot(
    `"{ one: { part: { x: number | null y?: number | null z?: number | null } | null } | null node: { part?: { x?: number | null y?: number | null z?: number | null } | null } | null both: { part?: { x: number | null y: number | null } | null } | null same: { part?: { x: number | null y: number | null } | null } | null nested: { part: { inner: { part?: { x?: number | null y?: number | null } | null } | null } | null } | null }"`,
  )
})

test('the typed client of every example is TypeScript without a fault', () => {
  const { apiSchema: schema } = loadSupergraph(readSchemaFile('supergraph'))
  const folder = temporaryFolder()
  try {
    const odd = ['delete', 'Fetch', 'document'].map((name) => ({
      id: name,
      document: `query ${name} { mediaQuota { used } }`,
    }))
    const words = buildSchema(`
      type Query { constructor(default: class, delete: string): Promise enum(function: [class!]): [string] }
      enum class { break case }
      enum Promise { then }
      input string { void: class = break any: string }
    `)
    const worded = `query class($this: class, $new: string) {
      constructor(default: $this, delete: $new) enum(function: [$this]) await: __typename
    }`
    const files = [...sandboxExamples(0), ...odd, { id: 'words', document: worded }].flatMap(
      ({ id, document }) => {
        const of = id === 'words' ? words : schema
        const client = { schema: of, endpoint, operationName: undefined, hasToken: true }
        const text = typedClientOf({ ...client, query: document })
        if (text === undefined) return []
        const file = join(folder, `${id}.ts`)
        writeFileSync(file, text)
        return [file]
      },
    )
    expect(files.length).toBeGreaterThan(7)
    const tsc = fileURLToPath(new URL('../../../../node_modules/.bin/tsc', import.meta.url))
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
    const { stdout } = spawnSync(tsc, [...flags, '--module', 'esnext', ...files], {
      encoding: 'utf8',
      cwd: folder,
    })
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
