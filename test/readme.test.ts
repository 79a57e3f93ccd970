/** Documents that repeat the code are held to it, both ways. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { variables } from '../gateway/config.ts'
import { errorCodes } from '../subgraphs/lib/errors.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the README tells every error code with its status and meaning, and no other', () => {
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+) \|$/gm)]
  const told = Object.fromEntries(
    rows.map(([, code, status, meaning]) => [code, { status: Number(status), meaning }]),
  )
  expect(told).toEqual(errorCodes)
})

test('the configuration tells every variable, and no other', () => {
  const told = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm)].map(
    ([, name, meaning]) => [name, meaning],
  )
  expect(told).toEqual(Object.entries(variables).map(([name, schema]) => [name, schema.description]))
})
