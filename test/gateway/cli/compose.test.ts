/** `tessera compose` with subgraphs that run: their SDL, or why there is none. */
import { expect, test } from 'vitest'
import { raw, startFaultyServer } from '../../support/faulty-server.ts'
import { runHere } from '../../support/here.ts'

/** Composes with a subgraph that answers with this text. */
async function composeWith(text: string) {
  await using server = await startFaultyServer(raw(text, { 'content-type': 'application/json' }))
  return await runHere(['compose', '--with', `theirs=${server.url}/graphql`])
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
