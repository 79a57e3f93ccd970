/** What generated code is divided into, and what is noted of it. */
import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { estimatedBytes } from '../../../engine/cache-memory.ts'
import { shapeTree } from '../../../engine/response/shape.ts'
import { compileWriter } from '../../../fast/writer/index.ts'
import { normalisedOf } from '../../support/normalised.ts'

const schema = buildSchema('type Query { leaf: Leaf id: ID } type Leaf { id: ID leaf: Leaf }')

function treeOf(query: string) {
  return shapeTree({ schema, operation: normalisedOf(schema, query), refusals: [] })
}

const keys = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`)
/** An object whose last field, after so many others, is an object. */
const queryOf = (before: number) => `{ leaf { ${keys(before).map((key) => `${key}: id`)} leaf { id } } }`
const leafOf = (before: number) => ({
  ...Object.fromEntries(keys(before).map((key) => [key, key])),
  leaf: { id: 'x' },
})

describe('code', () => {
  // The two objects are fields themselves.
  test.each([
    [198, 1],
    [199, 2],
  ])('of an object after %i fields and two objects is in %i functions', (before, functions) => {
    const noted: number[] = []
    const write = compileWriter(treeOf(queryOf(before)), (bytes) => noted.push(bytes))
    expect(noted).toHaveLength(functions)
    const data = { leaf: leafOf(before) }
    expect(write(data, {})).toBe(JSON.stringify(data))
    expect(write({ leaf: { ...data.leaf, leaf: { id: {} } } }, {})).toBeUndefined()
  })

  test('is noted by its length', () => {
    const bytesOf = (query: string): number => {
      let noted = 0
      compileWriter(treeOf(query), (bytes) => {
        noted += bytes
      })
      return noted
    }
    const small = bytesOf('{ id }')
    expect(small).toBeGreaterThan(100 * estimatedBytes.codeCharacter)
    expect(small % estimatedBytes.codeCharacter).toBe(0)
    expect(bytesOf(queryOf(100))).toBeGreaterThan(10 * small)
  })
})
