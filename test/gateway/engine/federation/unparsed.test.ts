/** Over HTTP, answers of which the plan needs nothing are not read, and all others are. */
import { parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { responseBody } from '../../../../gateway/engine/index.ts'
import { UnparsedResult } from '../../../../gateway/engine/transport/index.ts'
import { type Federation, startFederation, testGatewayRequest } from '../../../support/federation.ts'
import { textOf } from '../../../support/sent-json.ts'

let broken = false
const shelf = { name: 'é"', weight: 1.5, must: () => (broken ? null : 'x') }

const services = {
  things: {
    sdl: `
      type Query { thing: Thing, shelf: Shelf }
      type Thing @key(fields: "id") { id: ID!, text: String }
      type Shelf { name: String, weight: Float, must: String! }`,
    resolvers: { Query: { thing: () => ({ id: '1', text: 'one' }), shelf: () => shelf } },
  },
  more: {
    sdl: 'type Thing @key(fields: "id") { id: ID!, more: Int }',
    resolvers: { Thing: { __resolveReference: ({ id }: { id: string }) => ({ id, more: Number(id) + 1 }) } },
  },
  others: {
    sdl: 'type Query { other: Other }  type Other { names: [String!]!, size: Int }',
    resolvers: { Query: { other: () => ({ names: ['a', 'b'], size: 3 }) } },
  },
}

describe('an answer over HTTP', () => {
  const read = vi.spyOn(UnparsedResult.prototype, 'data', 'get')
  let federation: Federation
  beforeAll(async () => {
    federation = await startFederation(services, { way: 'over HTTP' })
  })
  beforeEach(() => {
    broken = false
  })
  afterAll(async () => {
    read.mockRestore()
    await federation[Symbol.asyncDispose]()
  })

  /** Answers often enough for everything to be compiled, then once more; with how many answers were read for it. */
  async function ask(query: string, variables = {}): Promise<{ body: unknown; read: number }> {
    const compiled = federation.engine.compile({ document: parse(query) })
    const once = async () =>
      JSON.parse(textOf(responseBody(await compiled.executeToJson(variables, testGatewayRequest()))))
    const first = await once()
    await once()
    read.mockClear()
    const body = await once()
    expect(body).toEqual(first)
    return { body, read: new Set(read.mock.contexts).size }
  }

  test('is not read where it is the whole response', async () => {
    expect(await ask('{ shelf { weight n: name } }')).toEqual({
      body: { data: { shelf: { weight: 1.5, n: 'é"' } } },
      read: 0,
    })
  })

  test('nor where several make the response, in whatever order they are asked for', async () => {
    expect(await ask('{ a: shelf { name } other { size } b: shelf { weight } }')).toEqual({
      body: { data: { a: { name: 'é"' }, other: { size: 3 }, b: { weight: 1.5 } } },
      read: 0,
    })
  })

  test('is read where objects of it are looked up elsewhere, and only then', async () => {
    expect(await ask('{ other { names } thing { more } }')).toEqual({
      body: { data: { other: { names: ['a', 'b'] }, thing: { more: 2 } } },
      read: 2,
    })
    const query = 'query ($more: Boolean!) { other { names } thing { id more @include(if: $more) } }'
    expect(await ask(query, { more: true })).toMatchObject({ read: 2 })
    expect(await ask(query, { more: false })).toEqual({
      body: { data: { other: { names: ['a', 'b'] }, thing: { id: '1' } } },
      read: 0,
    })
  })

  test('is read where there is anything to tell but the data', async () => {
    broken = true
    const { body, read } = await ask('{ shelf { must } other { size } }')
    expect(body).toMatchObject({
      data: { shelf: null, other: { size: 3 } },
      errors: [{ path: ['shelf', 'must'], extensions: { service: 'things' } }],
    })
    expect(read).toBe(2)
  })
})
