/** docs/architecture.md leads to files and functions that exist, by ways that are short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

/** The steps of each walk: a file, and the functions to read there. */
const walks = section('Eight walks')
  .split(/\n(?=[^\n]+:\n\n1\. )/)
  .slice(1)
  .map((walk) => ({
    name: walk.split('\n')[0] ?? '',
    steps: [...walk.matchAll(/^\d+\. `([^`]+)` \(([^)]+)\)/gm)].map(([, file = '', names = '']) => ({
      file,
      names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    })),
  }))

test('there are eight walks, of at most six files each', () => {
  expect(walks.length).toBe(8)
  for (const { name, steps } of walks) {
    expect(steps.length, name).toBeGreaterThan(1)
    expect(steps.length, name).toBeLessThanOrEqual(6)
  }
})

test.each(walks)('the files and functions of the walk "$name" exist', ({ steps }) => {
  for (const { file, names } of steps) {
    expect(existsSync(join(root, file)), file).toBe(true)
    expect(names.length, file).toBeGreaterThan(0)
    const text = readFileSync(join(root, file), 'utf8')
    for (const name of names) {
      const declared = new RegExp(
        `(?:export (?:async )?(?:function\\*?|const|class) |^  \\*?)${name}\\b`,
        'm',
      )
      expect(text, `${file} has ${name}`).toMatch(declared)
    }
  }
})

test('the folders at the top are those of the tree', () => {
  const named = [...(page.split('```')[1] ?? '').matchAll(/^([a-z]+)\/ /gm)].map(([, name]) => name)
  const found = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name))
    .map(({ name }) => name)
  const known = new Set(['bin', 'dist', 'docs', 'node_modules', 'coverage', 'test-artifacts'])
  expect(found.filter((name) => !known.has(name)).sort()).toEqual(named.sort())
})
