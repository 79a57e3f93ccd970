/**
 * Supergraphs of other or older composers: faults that their composer accepted are found when they are served.
 */
import { expect, test } from 'vitest'
import { startTessera } from '../../support/process.ts'
import { startRouter, startService, supergraphOf, until } from '../../support/router.ts'
import { temporaryFile } from '../../support/temporary.ts'

const people = {
  sdl: `type Query { person: Person } type Person @key(fields: "id") { id: ID! salary: Int @requiresScopes(scopes: [["pay"]]) }`,
  resolvers: {
    Query: { person: () => ({ id: '1' }) },
    Person: { __resolveReference: (key: object) => key, salary: () => 1000 },
  },
}
const taxes = {
  sdl: `type Person @key(fields: "id") { id: ID! salary: Int @external tax: Int @requires(fields: "salary") @requiresScopes(scopes: [["pay"]]) rate: Int }`,
  resolvers: {
    Person: {
      __resolveReference: (key: object) => key,
      tax: ({ salary }: { salary: number }) => salary / 4,
      rate: () => 25,
    },
  },
}

test('a field that requires a protected one, and has no rule, is closed, and the log says so', async () => {
  await using one = await startService('people', people)
  await using other = await startService('taxes', taxes)
  const composed = supergraphOf([one, other])
  // As composers before rules were compared wrote it.
  const supergraph = composed.replace(
    /(tax: Int @join__field\([^\n]*?\)) @requiresScopes\(scopes: \[\["pay"\]\]\)/,
    '$1',
  )
  expect(supergraph).not.toBe(composed)
  await using router = await startRouter({ supergraph })
  const { body } = await router.ask('{ person { tax rate } }')
  expect(body.data).toEqual({ person: { tax: null, rate: 25 } })
  expect(
    body.errors.map(({ path, extensions }: { path: string[]; extensions: { code: string } }) => [
      path,
      extensions.code,
    ]),
  ).toEqual([[['person', 'tax'], 'UNAUTHORIZED_FIELD_OR_TYPE']])
  expect(JSON.stringify(one.asked.map(({ body: asked }) => String(asked)))).not.toContain('salary')
  await until(
    () => router.command.output().includes('Person.tax (subgraph taxes) needs Person.salary'),
    'the log has it',
  )
})

test('a rule that requires nothing keeps it from starting, by its place', async () => {
  await using one = await startService('people', people)
  const supergraph = supergraphOf([one]).replace('scopes: [["pay"]]', 'scopes: [[]]')
  const file = temporaryFile('supergraph.graphql', supergraph)
  await using command = startTessera(['serve', '--port', '0', '--supergraph', file])
  expect(await command.ended).not.toBe(0)
  expect(command.output()).toContain(
    'Person.salary has @requiresScopes with a list of scopes that requires nothing',
  )
})
