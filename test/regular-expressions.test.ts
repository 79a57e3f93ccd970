/**
 * Regular expressions of the product take time linear in the text: each literal is analysed (scslre), and patterns
 * made at run time are listed by hand. Text from outside meets most of them, and the rest may move there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { analyse } from 'scslre'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['shared', 'engine', 'explorer', 'fast', 'gateway', 'subgraphs', 'sandbox']
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.generated.ts'))
    .map((name) => join(folder, name)),
)

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly unknown[]
}

/** Literals, and places that make a pattern at run time. */
function patternsIn(file: string): { literals: RegExp[]; made: number } {
  const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const found = { literals: [] as RegExp[], made: 0 }
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const node = value as Node
    if (node.type === 'Literal' && node.regex !== undefined) {
      found.literals.push(new RegExp(node.regex.pattern, node.regex.flags))
    }
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee?.name === 'RegExp') {
      found.made += 1
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'regex' && key !== 'value') walk(child)
  }
  walk(program)
  return found
}

const patterns = new Map(sources.map((file) => [file, patternsIn(file)]))

/** Literals that are still to be made linear. */
const open: ReadonlySet<string> = new Set()

/** Files that make patterns at run time, each with the reason why those are linear. */
const made: Readonly<Record<string, string>> = {
  'gateway/cli/check/redis.ts': 'the name of a field, which the code writes, at the start of a line',
  'subgraphs/kit/service-message.ts': 'a name, escaped, between two look-arounds',
}

test('the analysis finds what is not linear', () => {
  for (const slow of [/(\d+\.?\d*)s/, /\/+$/, /^(a+)+$/, /<[^>]*>?\s*$/]) {
    expect([slow.source, analyse(slow).reports.length > 0]).toEqual([slow.source, true])
  }
  for (const fast of [/^\d{1,16}$/, /^[a-z]+-[0-9]+$/]) expect(analyse(fast).reports).toEqual([])
})

test('every regular expression takes time linear in the text', () => {
  const slow = [...patterns].flatMap(([file, { literals }]) =>
    literals
      .filter((literal) => analyse(literal).reports.length > 0)
      .map((literal) => `${file}: ${String(literal)}`),
  )
  expect(slow.filter((one) => !open.has(one)).sort(), 'rewrite it, or bound the text and anchor it').toEqual(
    [],
  )
  expect(
    [...open].filter((one) => !slow.includes(one)),
    'these are linear now: take them off the list',
  ).toEqual([])
})

test('patterns that are made at run time are known', () => {
  const found = [...patterns].filter(([, file]) => file.made > 0).map(([file]) => file)
  expect(found.sort()).toEqual(Object.keys(made).sort())
})
