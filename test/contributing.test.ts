/**
 * The worked examples of CONTRIBUTING.md, followed to the letter in a copy of the tree: each diff is applied to the file
 * that is named before it. If everything is checked (`campaign-size.ts`), `npm run generate` and the check of types
 * are run, and the queries are sent to the result.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacks } from './peers/needs.ts'
import { isFull } from './support/campaign-size.ts'
import { postJson } from './support/post-json.ts'
import { startProcess } from './support/process.ts'
import { copyOfTree } from './support/tree-copy.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

const section = (title: string): string => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

interface Block {
  readonly language: string
  readonly lines: readonly string[]
  /** What stands before it in the section. */
  readonly before: string
}

function blocksOf(title: string): Block[] {
  const whole = section(title)
  return [...whole.matchAll(/^( *)```(\w+)\n([\s\S]*?)\n\1```$/gm)].map((match) => ({
    language: match[2] ?? '',
    lines: (match[3] ?? '').split('\n').map((line) => line.slice(match[1]?.length)),
    before: whole.slice(0, match.index),
  }))
}

const bodyOf = (title: string, language: string): string =>
  blocksOf(title)
    .find((block) => block.language === language)
    ?.lines.join('\n') ?? ''

/** Applies a diff without line numbers: what it has but its additions must be in the file exactly once. */
function apply(folder: string, { lines, before }: Block): void {
  const named = [...before.matchAll(/`([\w./-]+\.(?:ts|graphql))`/g)].map(([, path]) => path ?? '')
  const path = join(folder, named.at(-1) ?? '')
  const wanted = (signs: string): string =>
    lines
      .filter((line) => signs.includes(line[0] ?? ' '))
      .map((line) => line.slice(1))
      .join('\n')
  const file = readFileSync(path, 'utf8')
  const [old, made] = [wanted(' -'), wanted(' +')]
  const parts = file.split(`\n${old}\n`)
  if (parts.length !== 2)
    throw new Error(`${named.at(-1)}: the text is there ${parts.length - 1} times, not once:\n${old}`)
  writeFileSync(path, parts.join(`\n${made}\n`))
}

function npm(folder: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}:\n${stdout}${stderr}`)
}

const titles = ['Add a field', 'Add an operation']

/** A copy of the tree with all changes of the examples. */
function changedTree(): string {
  const folder = copyOfTree()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const title of titles) {
    const diffs = blocksOf(title).filter(({ language }) => language === 'diff')
    expect(diffs.length, title).toBeGreaterThan(1)
    for (const diff of diffs) apply(folder, diff)
  }
  return folder
}

describe('the worked examples of CONTRIBUTING.md', () => {
  test('change files of the tree as they are', () => {
    changedTree()
  })

  test.skipIf(!isFull || lacks('@graphql-codegen/cli'))(
    'add a field and an operation, as they say',
    async () => {
      const folder = changedTree()
      npm(folder, 'run', 'generate')
      // What the examples change: the tests of the copy are those of this tree, which `check` has looked at.
      const include = ['shared', 'engine', 'explorer', 'fast', 'subgraphs', 'gateway', 'sandbox']
      const config = JSON.stringify({ extends: './tsconfig.json', include })
      writeFileSync(join(folder, 'tsconfig.copy.json'), config)
      npm(folder, 'exec', '--', 'tsc', '--noEmit', '--checkers', '1', '-p', 'tsconfig.copy.json')
      expect(readFileSync(join(folder, 'schema/api.graphql'), 'utf8')).toContain('labelNames: [String!]')

      const main = join(folder, 'gateway/main.ts')
      await using gateway = startProcess(process.execPath, [main, 'serve', '--port', '0'], { cwd: folder })
      const url = await gateway.said('graph')
      const token = execFileSync(process.execPath, [main, 'token', '--scope', 'metrics.read'], {
        cwd: folder,
        encoding: 'utf8',
      })
      const ask = async (query: string): Promise<Response> =>
        postJson(url, { query }, { authorization: `Bearer ${token.trim()}` })
      expect(await (await ask(bodyOf('Add a field', 'graphql'))).json()).toEqual({
        data: JSON.parse(bodyOf('Add a field', 'json')),
      })
      const answer = await ask(bodyOf('Add an operation', 'graphql'))
      const { data } = (await answer.json()) as { data: { metrics: Record<string, string[]> } }
      expect(data.metrics.labelNames).toEqual(expect.arrayContaining(['__name__', 'instance', 'job']))
      expect(data.metrics.again).toEqual(data.metrics.labelNames)
      // Selected twice, called once.
      expect(answer.headers.get('server-timing')).toMatch(/^metrics;.*desc="1 call"$/)
    },
  )
})
