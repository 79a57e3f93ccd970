/** Masks over nested inputs: dotted paths, as the service takes them for nested settings. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createInputTypes } from '../../../../subgraphs/agents/input/index.ts'

const types = createInputTypes(
  parse(`
    input Thing { name: String box: Box list: [Box!] control: Int }
    input Box { width: Int lid: Lid }
    input Lid { colour: String }
  `),
)
const omit = new Set(['control'])

describe('the paths that an input names', () => {
  test('are dotted below nested objects, down to what is given', () => {
    const input = { name: 'n', box: { width: 1, lid: { colour: 'red' } } }
    expect(types.namedPaths('Thing', input, omit)).toEqual(['name', 'box.width', 'box.lid.colour'])
  })

  test('end at lists', () => {
    expect(types.namedPaths('Thing', { list: [{ width: 1 }] }, omit)).toEqual(['list'])
  })

  test('leave out what is no content and what is not given, which null says too, at every level', () => {
    const input = { control: 1, name: undefined, list: null, box: { width: null, lid: { colour: null } } }
    expect(types.namedPaths('Thing', input, omit)).toEqual([])
  })
})

describe('an explicit mask', () => {
  test('may name a nested object or what is in it', () => {
    expect(types.checkMask('Thing', ['box', 'box.lid.colour,name'], 'mask', omit)).toEqual([
      'box',
      'box.lid.colour',
      'name',
    ])
  })

  test.for(['control', 'box.lid.shape', 'list.width', '*', '', '__proto__', 'constructor'])(
    'may not name %s',
    (path) => {
      expect(() => types.checkMask('Thing', [path], 'mask', omit)).toThrow('names no field')
    },
  )
})
