/** Transports that wrap another one. */
import { expect, test } from 'vitest'
import { type Transport, withFetches } from '../../../engine/subgraphs/index.ts'

class Books implements Transport {
  readonly name = 'books'
  readonly #place = 'here'
  callerPart() {
    return { place: this.#place }
  }
  prepare() {
    return () => ({})
  }
  subscribe(): never {
    throw new Error(`no events ${this.#place}`)
  }
  async close() {}
}

test('a transport that is a class keeps its methods when it gets other fetches', () => {
  const transport = withFetches(new Books(), () => () => ({ data: {} }))
  expect(transport.callerPart?.({} as never)).toEqual({ place: 'here' })
  expect(() => transport.subscribe?.({} as never)).toThrow('no events here')
})
