/** The name that was probably meant: by the edits between names, two letters that changed places being one. */
import { expect, test } from 'vitest'
import { didYouMean } from '../../../gateway/settings/did-you-mean.ts'

test.each([
  ['mpc', ['live', 'mcp', 'log'], 'mcp'],
  ['lgo', ['live', 'mcp', 'log'], 'log'],
  ['TESSERA_RDEIS_URL', ['TESSERA_REDIS_URL', 'TESSERA_PUBLIC_URL'], 'TESSERA_REDIS_URL'],
  ['servre', ['serve', 'scopes'], 'serve'],
  ['chagnes', ['charges', 'changes'], 'changes'],
])('%s', (name, known, meant) => {
  expect(didYouMean(name, known)).toBe(`; did you mean ${meant}?`)
})

test.each(['abc', 'pcm', 'x'.repeat(101)])('%s is similar to none', (name) => {
  expect(didYouMean(name, ['live', 'mcp', 'log'])).toBe('')
})
