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
const texts = new Map<string, string>()

function read(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return text
}

/** Files of the repository that git knows, or would add. */
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const written = listed
  .split('\n')
  .filter(
    (file) => !file.includes('generated') && !file.startsWith('findings/') && existsSync(join(root, file)),
  )
const files = (pattern: RegExp): string[] => written.filter((file) => pattern.test(file))

const count = (text: string, word: RegExp): number => [...text.matchAll(word)].length

/** The comments of each file without their marks. Lines that begin with `//` and follow each other are one comment. */
const comments: ReadonlyMap<string, readonly string[]> = new Map(
  files(/\.(ts|tsx|js)$/).map((file) => {
    const found = read(file).matchAll(
      /\/\*\*[\s\S]*?\*\/|\{\/\*[\s\S]*?\*\/\}|(?:(?<=^|\s)\/\/[^\n]*\n\s*)+/g,
    )
    return [file, [...found].map(([text]) => text.replace(/\{?\/\*+|\*\/\}?|^\s*\* ?|(?<=^|\s)\/\/ ?/gm, ''))]
  }),
)

test('comments say conditions with "if" and "when", not with "where"', () => {
  expect(comments.size).toBeGreaterThan(1000)
  const above = [...comments].filter(([, ofFile]) => {
    const text = ofFile.join(' ')
    return count(text, /\bwhere\b/gi) > count(text, /\b(if|when)\b/gi)
  })
  const found = above.map(([file]) => file)
  expect(found, 'write "if" or "when"; for a place write what place it is').toEqual([])
})

/** Words that readers of plain English stumble over, and what to write instead. */
const oddWords: readonly (readonly [RegExp, string])[] = [
  [/\bin place of\b/i, 'instead of'],
  [/\bof (?:ours|theirs|his|hers)\b/i, 'our own, or the name of the owner'],
  [/^(?!.*\bn?either\b).*\bnor\b/i, 'another sentence, or "neither … nor"'],
  [/\banew\b/i, 'again'],
  [/\basked of\b/i, 'requested, or called'],
  [/\bin vain\b/i, 'what does not happen'],
  [/\bunless said\b/i, 'by default'],
  [/\bof whom\b/i, 'a second sentence'],
  [/\bfor (?:the asking|good(?=[.,;:]))/i, 'forever'],
  [
    /\b(?:the dearest|lest|shall|thereof|therein|thereby|wherein|whereof|whereby|hence|of old)\b/i,
    'plain words',
  ],
]

function oddWordsIn(file: string, text: string): string[] {
  const line = text.replace(/`[^`]*`/g, 'x').replace(/\s+/g, ' ')
  return oddWords
    .filter(([word]) => word.test(line))
    .map(([, instead]) => `${file}: write ${instead}: ${line}`)
}

test('comments have no odd words', () => {
  const found = [...comments].flatMap(([file, ofFile]) => ofFile.flatMap((text) => oddWordsIn(file, text)))
  expect(found).toEqual([])
})

test('pages have no odd words', () => {
  const found = guides.flatMap((page) =>
    withoutBlocks(read(page))
      .split('\n')
      .flatMap((line) => oddWordsIn(page, line)),
  )
  expect(found).toEqual([])
})

test('names of tests have no odd words, and begin no condition with "where"', () => {
  const name =
    /\b(?:describe|test|it)(?:\.\w+)*(?:\([^()]*\))?\(\s*(?:'((?:\\.|[^'\\\n])*)'|"([^"\n]*)"|`([^`\n]*)`)/g
  const odd = [...oddWords, [/^where\b/i, 'if'], [/\bhand(?:s|ed)? on\b/i, 'pass on']] as typeof oddWords
  const found = files(/^test\/.*\.test\.ts$/).flatMap((file) =>
    [...read(file).matchAll(name)].flatMap((match) => {
      const title = match[1] ?? match[2] ?? match[3] ?? ''
      return odd
        .filter(([word]) => word.test(title))
        .map(([, instead]) => `${file}: write ${instead}: ${title}`)
    }),
  )
  expect(found).toEqual([])
})

test('sentences of comments are short: none has more than 40 words, and three in 200 more than 25', () => {
  const sentences = [...comments].flatMap(([file, ofFile]) =>
    ofFile
      .flatMap((text) => sentencesOf(text.replace(/\n\s*@\w+/g, '\n\n')))
      .map((sentence) => ({ file, sentence, words: sentence.split(/\s+/).length })),
  )
  expect(sentences.filter(({ words }) => words > 40)).toEqual([])
  const long = sentences.filter(({ words }) => words > 25)
  expect(long.length / sentences.length).toBeLessThan(0.015)
  const share = Map.groupBy(long, ({ file }) => file)
  const above = [...share].filter(([, ofFile]) => ofFile.length > 3)
  expect(above, 'make two sentences of each').toEqual([])
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

const withoutBlocks = (page: string): string => page.replace(/```[\s\S]*?```/g, '')

/** The sentences of a page without its code, tables and headings. */
function sentencesOf(page: string): string[] {
  const prose = withoutBlocks(page)
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
const guides = [...pages, ...files(/^(?:CONTRIBUTING|SECURITY|(?:examples|fast|deploy)\/.*)\.md$/)]

test('no sentence of a page has more than 40 words', () => {
  const sentences = guides.flatMap((page) =>
    sentencesOf(read(page)).map((sentence) => ({ page, sentence, words: sentence.split(/\s+/).length })),
  )
  expect(sentences.filter(({ words }) => words > 40)).toEqual([])
})

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
