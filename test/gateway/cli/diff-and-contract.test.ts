/** `tessera diff` and `tessera contract`. */
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { runInProcess } from '../../support/in-process-command.ts'
import { startTessera } from '../../support/process.ts'
import { supergraphOf } from '../../support/router.ts'
import { temporaryFiles } from '../../support/temporary.ts'

const { folder, file } = temporaryFiles()
async function run(...args: string[]): Promise<{ code: unknown; output: string }> {
  const { code, out, err } = await runInProcess(args)
  return { code, output: out + err }
}

const before = 'type Query { a: Int b(n: Int): String old: Int }'
const safe =
  'type Query { a: Int b(n: Int): String old: Int @deprecated(reason: "use a") c: More } type More { x: Int }'
const dangerous = 'type Query { a: Int b(n: Int, m: Int): String old: Int }'
const breaking = 'type Query { a: String b(n: Int): String }'

test('changes are breaking, dangerous or safe, and the exit code says whether CI may continue', async () => {
  const old = file('before.graphql', before)
  const fine = await run('diff', old, file('safe.graphql', safe), '--json')
  expect(fine.code).toBe(0)
  expect(JSON.parse(fine.output)).toEqual({
    breaking: [],
    dangerous: [],
    safe: [
      { kind: 'DEPRECATED', description: 'Query.old was deprecated: use a' },
      { kind: 'FIELD_ADDED', description: 'Query.c was added.' },
      { kind: 'TYPE_ADDED', description: 'More was added.' },
    ],
  })
  const risky = file('dangerous.graphql', dangerous)
  expect((await run('diff', old, risky)).code).toBe(0)
  const failing = await run('diff', old, risky, '--fail-on', 'dangerous')
  expect([failing.code, failing.output]).toEqual([1, expect.stringMatching(/^dangerous +OPTIONAL_ARG_ADDED/)])
  const broken = await run('diff', old, file('breaking.graphql', breaking))
  expect(broken.code).toBe(1)
  expect(broken.output).toMatch(/^breaking +FIELD_REMOVED +Query\.old was removed\.$/m)
  expect(broken.output).toMatch(/^breaking +FIELD_CHANGED_KIND/m)
  await using failed = startTessera(['diff', old, risky, '--fail-on', 'dangerous'])
  expect(await failed.ended).toBe(1)
  expect((await run('diff', old, old)).output).toBe('Clients see no change.\n')
  expect((await run('diff', old, file('none.graphql', 'type {'))).code).toBe(2)
  const nested = `type Query { a(b: ${'['.repeat(100_000)}Int${']'.repeat(100_000)}): Int }`
  expect((await run('diff', old, file('nested.graphql', nested))).output).toContain('too many brackets')
})

test('only the parts of supergraphs that clients see are compared', async () => {
  const of = (hidden: string) =>
    supergraphOf([
      {
        name: 'a',
        url: 'http://127.0.0.1:1/graphql',
        sdl: `type Query { a: Int hidden: ${hidden} @inaccessible }`,
      },
    ])
  const { code, output } = await run(
    'diff',
    file('one.graphql', of('Int')),
    file('two.graphql', of('String')),
  )
  expect([code, output]).toEqual([0, 'Clients see no change.\n'])
})

test('a contract leaves what its tags choose, in a supergraph that is served like any other', async () => {
  const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@tag"])
    type Query { products: [Product!] staff: Staff @tag(name: "internal") }
    type Product @key(fields: "id") { id: ID! name: String margin: Float @tag(name: "internal") }
    type Staff { name: String }`
  const subgraph = `products=${file('products.graphql', sdl)}`
  const out = join(folder, 'public.graphql')
  const written = await run('contract', '--subgraph', subgraph, '--exclude', 'internal', '--out', out)
  expect(written).toEqual({ code: 0, output: '' })
  const { apiSchema } = loadSupergraph(readFileSync(out, 'utf8'))
  expect(Object.keys(apiSchema.getQueryType()?.getFields() ?? {})).toEqual(['products'])
  expect(apiSchema.getType('Staff')).toBeUndefined()
  const api = await run('contract', '--subgraph', subgraph, '--exclude', 'internal', '--api')
  expect(api.output).toContain('type Product')
  expect(api.output).not.toContain('margin')
  expect((await run('contract', '--subgraph', subgraph)).code).toBe(2)
})

test('defaults of custom scalars are compared and written, also lists, objects and long numbers', async () => {
  const sdl = (json: string, tag = '') =>
    `scalar JSON input In { json: JSON = [${json}] } type Query { a(json: JSON = ${json}, in: In): Int ${tag} }`
  const value = '{ at: [1, { on: true }], id: 9007199254740993 }'
  const old = file('objects.graphql', sdl(value))
  expect((await run('diff', old, old)).output).toBe('Clients see no change.\n')
  const next = await run('diff', old, file('other-objects.graphql', sdl('{ at: [2] }')), '--json')
  expect(JSON.parse(next.output).dangerous).toEqual([
    { kind: 'ARG_DEFAULT_VALUE_CHANGE', description: expect.stringMatching(/^Query\.a arg json .*at.*2/) },
  ])
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@tag"])'
  const tagged = file('tagged-objects.graphql', `${link} ${sdl(value, 'b: Int @tag(name: "hidden")')}`)
  const api = await run('contract', '--subgraph', `a=${tagged}`, '--exclude', 'hidden', '--api')
  expect(api).toEqual({
    code: 0,
    output: expect.stringContaining('json: JSON = {at: [1, {on: true}], id: 9007199254740993}'),
  })
})

test('what a contract hides is still fetched for the fields that require it', async () => {
  const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7",
    import: ["@key", "@tag", "@requires", "@external"])`
  const product = 'type Product @key(fields: "id") { id: ID! @tag(name: "internal")'
  const products = `${link} type Query { products: [Product!] } ${product} weight: Int @tag(name: "internal") }`
  const shipping = `${link} ${product} weight: Int @external shipping: Int @requires(fields: "weight") }`
  const out = join(folder, 'hidden.graphql')
  const subgraphs = [
    `products=${file('weights.graphql', products)}`,
    `shipping=${file('shipping.graphql', shipping)}`,
  ]
  const named = subgraphs.flatMap((subgraph) => ['--subgraph', subgraph])
  expect(await run('contract', ...named, '--exclude', 'internal', '--out', out)).toEqual({
    code: 0,
    output: '',
  })
  const asked = await run('plan', file('asked.graphql', '{ products { shipping } }'), '--supergraph', out)
  expect(asked).toEqual({ code: 0, output: expect.stringContaining('{ products { __typename id weight } }') })
  const hidden = await run('plan', file('weight.graphql', '{ products { weight } }'), '--supergraph', out)
  expect(hidden).toEqual({ code: 1, output: expect.stringContaining('Cannot query field "weight"') })
})

test('a contract names the place of what it cannot parse', async () => {
  const broken = file('broken.graphql', 'type Query {\n  a: }')
  expect(await run('contract', '--subgraph', `a=${broken}`, '--exclude', 'internal')).toEqual({
    code: 1,
    output: expect.stringContaining(`${broken}:2:6: Syntax Error`),
  })
})

test('a report of usage that cannot be read is no breaking change', async () => {
  const schema = file('schema.graphql', 'type Query { a: Int }')
  expect(await run('diff', schema, schema, '--usage', join(folder, 'nowhere.json'))).toEqual({
    code: 2,
    output: expect.stringContaining('nowhere.json cannot be read'),
  })
})

test('an output replaces the file as a whole, so that who reads the old one reads no half', async () => {
  const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@tag"])
    type Query { a: Int b: Int @tag(name: "internal") }`
  const old = file('served.graphql', 'the old text')
  chmodSync(old, 0o640)
  const link = join(folder, 'link.graphql')
  symlinkSync(old, link)
  const reader = openSync(old, 'r')
  const subgraph = `a=${file('tagged.graphql', sdl)}`
  const written = await run('contract', '--subgraph', subgraph, '--exclude', 'internal', '--out', link)
  expect(written).toEqual({ code: 0, output: '' })
  expect(readFileSync(reader, 'utf8')).toBe('the old text')
  closeSync(reader)
  expect(readFileSync(old, 'utf8')).toContain('join__Graph')
  expect(statSync(old).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
})
