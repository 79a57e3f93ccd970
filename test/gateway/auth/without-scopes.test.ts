/** Supergraphs whose scopes the subgraph services enforce: the directives go, everything else stays. */
import { parse, print } from 'graphql'
import { expect, test } from 'vitest'
import { withoutScopes } from '../../../gateway/auth/without-scopes.ts'
import { runInProcess } from '../../support/in-process-command.ts'
import { temporaryFile } from '../../support/temporary.ts'

test('removes the directives under whatever name they were imported, and nothing else', () => {
  const sdl = parse(`
    extend schema @link(
      url: "https://specs.apollo.dev/federation/v2.9"
      import: ["@key", { name: "@requiresScopes", as: "@needs" }, "@authenticated"]
    )
    directive @needs(scopes: [[String!]!]!) on FIELD_DEFINITION
    type Query { open: Int shut: Int @needs(scopes: [["a"]]) signedIn: Int @authenticated }
    type Entity @key(fields: "id") { id: ID! secret: String @needs(scopes: [["a"], ["b"]]) @deprecated }
  `)
  const expected = parse(`
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
    type Query { open: Int shut: Int signedIn: Int }
    type Entity @key(fields: "id") { id: ID! secret: String @deprecated }
  `)
  expect(print(withoutScopes(sdl))).toBe(print(expected))
})

test('a directive of another feature that has the same name stays', () => {
  const sdl = parse(`
    extend schema @link(url: "https://example.com/policy/v1.0", import: ["@policy"])
    directive @policy(name: String) on FIELD_DEFINITION
    type Query { field: Int @policy(name: "x") }
  `)
  expect(print(withoutScopes(sdl))).toContain('field: Int @policy(name: "x")')
})

test('tessera compose --scopes services writes a supergraph without them, headed by what must hold', async () => {
  const { code, out } = await runInProcess(['compose', '--scopes', 'services'])
  expect(code).toBe(0)
  const [head = '', sdl = ''] = out.split(/\n\n(?=schema)/)
  expect(head).toContain('TESSERA_SUBGRAPH_SCOPES=true')
  expect(sdl).not.toMatch(/requiresScopes|authenticated|@policy/)
  expect(out.length).toBeLessThan((await runInProcess(['compose'])).out.length)
  expect(await runInProcess(['compose', '--scopes', 'nobody'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('"services"'),
  })
})

test('what another subgraph protects is named, because its rules are left out, too', async () => {
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [{ name: "@requiresScopes", as: "@needs" }, "@authenticated"])'
  const guarded = `${link} type Query { salary: Int @needs(scopes: [["pay"]]) staff: Staff open: Int } type Staff @authenticated { name: String }`
  const composed = async (sdl: string) =>
    runInProcess(['compose', '--scopes', 'services', '--with', `hr=${temporaryFile('hr.graphql', sdl)}`])
  const { code, out, err } = await composed(guarded)
  const said = 'hr must check its rules itself: Query.salary, Staff'
  expect([code, err]).toEqual([0, `tessera compose: warning: ${said}\n`])
  expect(out).toContain(`;\n#   - ${said}.\n`)
  const open = await composed('type Query { open: Int }')
  expect([open.code, open.err]).toEqual([0, ''])
  expect(open.out).not.toContain('must check its rules')
})
