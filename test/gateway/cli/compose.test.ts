/** `tessera compose` with subgraphs that run: their SDL, or why there is none. */
import { expect, test } from 'vitest'
import { raw, startFaultyServer } from '../../support/faulty-server.ts'
import { runInProcess } from '../../support/in-process-command.ts'
import { temporaryFile } from '../../support/temporary.ts'

/** Composes with a subgraph that answers with this text. */
async function composeWith(text: string) {
  await using server = await startFaultyServer(raw(text, { 'content-type': 'application/json' }))
  return await runInProcess(['compose', '--with', `theirs=${server.url}/graphql`])
}

test('the SDL may come after a byte order mark', async () => {
  const sdl = 'type Query { theirs: Int }'
  const { code, out } = await composeWith(`\ufeff${JSON.stringify({ data: { _service: { sdl } } })}`)
  expect([code, out]).toEqual([0, expect.stringContaining('theirs: Int @join__field(graph: THEIRS)')])
})

test('a subgraph without an SDL is refused with its own error', async () => {
  const { code, err } = await composeWith('{"data":null,"errors":[{"message":"introspection is disabled"}]}')
  expect([code, err]).toEqual([1, expect.stringContaining('with the error "introspection is disabled"')])
})

test('errors with the same cure are followed by it once', async () => {
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")'
  const sdl = `${link} type Query { a: Shared } type Shared { x: Int y: Int }`
  const files = ['one', 'two'].map((name) => `${name}=${temporaryFile(`${name}.graphql`, sdl)}`)
  const { code, err } = await runInProcess(['compose', ...files.flatMap((file) => ['--with', file])])
  expect(code).toBe(1)
  expect(err.match(/Non-shareable field/g)).toHaveLength(3)
  expect(err.match(/mark it @shareable in both/g)).toHaveLength(1)
})

test.each([
  ['compose', '--with'],
  ['contract', '--exclude', 'x', '--subgraph'],
])('%s reports a type that cannot be reached once, and counts its other errors', async (command, ...rest) => {
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@tag"])'
  const sdls = {
    one: `${link} type Query { item: Item x: Int @tag(name: "x") } type Item @key(fields: "id") { id: ID! }`,
    two: `${link} type Item { a: Int b: Int c: Int }`,
  }
  const option = rest.pop() ?? ''
  const files = Object.entries(sdls).flatMap(([name, sdl]) => {
    const file = temporaryFile(`${name}.graphql`, sdl)
    return [option, command === 'compose' ? `${name}=${file}` : `${name}@http://${name}=${file}`]
  })
  const { code, err } = await runInProcess([command, ...rest, ...files])
  expect(code).toBe(1)
  expect(err.match(/cannot be satisfied by the subgraphs/g)).toHaveLength(1)
  expect(err).toContain('(Other errors with this cause: 2.)')
})
