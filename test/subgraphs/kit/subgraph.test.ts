/** The files of the package that subgraphs are made of. */
import { expect, test } from 'vitest'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'

test('a file that a bundler left behind is named, with what to do', () => {
  expect(() => readSchemaFile('left-behind')).toThrow(
    /schema.left-behind\.graphql cannot be read: .+ must stay outside of bundles$/,
  )
})
