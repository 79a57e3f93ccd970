/**
 * The English of comments and documents, as far as a program can tell: conditions are written with "if" and "when",
 * sentences are short, and a word has one meaning. Each rule says what to write instead.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Files of the repository that git knows, or would add. */
function files(pattern: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = listed.split('\n').filter((file) => pattern.test(file) && existsSync(join(root, file)))
  return found.filter((file) => !file.includes('generated') && !file.startsWith('findings/'))
}

const comment = /\/\*\*?[\s\S]*?\*\/|(?:^|(?<=\s))\/\/[^\n]*/g
const count = (text: string, word: RegExp): number => [...text.matchAll(word)].length

test('comments say conditions with "if" and "when", not with "where"', () => {
  const sources = files(/\.(ts|tsx|js)$/)
  expect(sources.length).toBeGreaterThan(1000)
  const above = sources.filter((file) => {
    const text = [...read(file).matchAll(comment)].join(' ')
    return count(text, /\bwhere\b/gi) > count(text, /\b(if|when)\b/gi)
  })
  expect(above, 'write "if" or "when"; for a place write what place it is').toEqual([])
})

test('descriptions of the schema say conditions with "if" and "when"', () => {
  const found = files(/^schema\/(?!api|supergraph).*\.graphql$/).flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => /\b(null|empty|null with an error|only|all|fails with .*) where\b/i.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

/** The sentences of a page without its code, tables and headings. */
function sentencesOf(page: string): string[] {
  const prose = page
    .replace(/```[\s\S]*?```/g, '')
    .replace(/^\|.*$/gm, '')
    .replace(/^#.*$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'x')
  return prose
    .split(/\n\s*\n|\n(?:- |\d+\. )/)
    .flatMap((paragraph) => paragraph.trim().split(/(?<=[.!?:])\s+/))
    .filter((sentence) => sentence.split(/\s+/).length > 2)
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/** Those of docs/reference are made of the schema's descriptions. */
const pages = ['README.md', ...files(/^docs\/(?!reference\/).*\.md$/)]

test.each(pages)('%s has a median sentence of at most 20 words', (page) => {
  const words = sentencesOf(read(page)).map((sentence) => sentence.split(/\s+/).length)
  expect(median(words)).toBeLessThanOrEqual(20)
})

test('the median sentence of all pages has at most 16 words', () => {
  const words = pages.flatMap((page) =>
    sentencesOf(read(page)).map((sentence) => sentence.split(/\s+/).length),
  )
  expect(words.length).toBeGreaterThan(1000)
  expect(median(words)).toBeLessThanOrEqual(16)
})

/** Names of types that stood for several things. Each stands for one at most. */
const oneMeaning = [
  ...['Gate', 'Live', 'Refusal', 'Running', 'Held', 'Delivery', 'Conditions', 'Position', 'Waiting', 'Part'],
  ...[
    'ResolvedIn',
    'ObjectReachability',
    'BatchWindow',
    'BatchScheduler',
    'ProcessResources',
    'ProofMaterial',
  ],
]
/** Names that have another one now. */
const replacedNames = [
  ...['Standing', 'Reach', 'Lasting', 'Patience', 'Departures', 'HandedOut', 'Front', 'Shown'],
  ...['unsureRoots', 'sendAway', 'ofSomeTypes', 'madeAtOnce', 'askAgain'],
]

/** The types and classes that TypeScript files declare, and where. SDL in tests is indented or within a text. */
function declared(names: readonly string[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>(names.map((name) => [name, []]))
  const declaration = new RegExp(
    `^(?:export )?(?:abstract )?(?:interface|type|class) (${names.join('|')})\\b`,
    'gm',
  )
  for (const file of files(/\.tsx?$/))
    for (const [, name = ''] of read(file).matchAll(declaration)) found.get(name)?.push(file)
  return found
}

test('a name of a type has one meaning in the whole tree', () => {
  const several = [...declared(oneMeaning)].filter(([, places]) => places.length > 1)
  expect(several, 'give all but one of them a name that says what it is').toEqual([])
})

test('names that were replaced are gone', () => {
  const word = new RegExp(`\\b(?:${replacedNames.filter((name) => /^[a-z]/.test(name)).join('|')})\\b`)
  const code = files(/^(?:engine|fast|gateway|shared|subgraphs)\/.*\.ts$/)
  expect(code.filter((file) => word.test(read(file)))).toEqual([])
  expect([...declared(replacedNames)].filter(([, places]) => places.length > 0)).toEqual([])
})

test('a part is the part of a resource that the video service calls so', () => {
  const parts = files(/^(?:engine|explorer|fast|gateway|shared|subgraphs)\/.*\.tsx?$/).filter((file) =>
    /^(?:export )?(?:interface|type|class) Parts?\b/m.test(read(file)),
  )
  expect(parts).toEqual(['subgraphs/videos/parts.ts'])
})

test.each(['changes', 'options', 'parts', 'rules'])('the product has at most one file %s.ts', (name) => {
  const product = files(/^(?:engine|explorer|fast|gateway|sandbox|shared|subgraphs)\//)
  const found = product.filter((file) => file.endsWith(`/${name}.ts`))
  expect(found.length, `name the others by what they hold: ${found.join(', ')}`).toBeLessThanOrEqual(1)
})

test('the glossary has at most 20 words, in order, each once', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| ([^|]+?) \|/gm)]
    .map(([, word = '']) => word)
    .slice(1)
  expect(words.length).toBeGreaterThan(0)
  expect(words.length).toBeLessThanOrEqual(20)
  expect(words).toEqual([...new Set(words)].sort())
})
