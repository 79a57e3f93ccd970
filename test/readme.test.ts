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

test('the architecture says of every dependency why it is there, and of no other package', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  const section = read('docs/architecture.md').split('## Dependencies')[1]?.split('\nOverrides:')[0] ?? ''
  const told = section
    .split('\n')
    .flatMap((line) =>
      line.startsWith('|') ? [line.split('|')[1] ?? ''] : line.startsWith('For') ? [line] : [],
    )
    .flatMap((cell) => [...cell.matchAll(/`(@?[a-z][\w./*-]*)`/g)].map(([, name]) => name ?? ''))
    .filter((name) => !name.endsWith('/') && !name.startsWith('examples/'))
  const names = (name: string, pattern: string): boolean =>
    pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  expect(packages.filter((name) => !told.some((pattern) => names(name, pattern)))).toEqual([])
  expect(told.filter((pattern) => !packages.some((name) => names(name, pattern)))).toEqual([])
})
