/**
 * Generators of clients copy descriptions into comments and strings of their languages. A description that ends one of
 * those makes code that does not compile.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ASTNode, Kind, parse, printSchema, visit } from 'graphql'
import { expect, test } from 'vitest'
import { servedSupergraph } from '../../gateway/sources/served-supergraph.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'

const root = join(import.meta.dirname, '../..')

/** By what each of them ends or begins. */
const breaking: readonly (readonly [string, RegExp])[] = [
  ['a comment of C, Java, Go, Rust, Kotlin, Swift, TypeScript or CSS', /\*\/|\/\*/],
  ['a text of Python, Kotlin, Swift, Java, Scala or GraphQL', /"""|'''/],
  ['a comment of HTML or XML', /-->|<!--|\]\]>/],
  ['a comment of Haskell, Elm or OCaml', /-\}|\{-|\*\)|\(\*/],
  ['a comment of templates', /#\}|\{#|%\}|\{%/],
  ['a comment of Ruby or Perl', /^=(end|begin|cut)/m],
  ['a comment of Lisp, Julia or PowerShell', /\|#|#\||=#|#>|<#/],
  ['PHP', /\?>|<\?/],
  ['a comment of Lua', /--\]\]|--\[\[/],
  ['a line, which goes on after it', /\\$/m],
  ['an escape, which Java reads in comments as well', /\\u/],
]

const faultsIn = (text: string): string[] =>
  breaking.flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []))

/** The descriptions and reasons of an SDL, with what they are about. */
function textsIn(sdl: string): { about: string; text: string }[] {
  const texts: { about: string; text: string }[] = []
  visit(parse(sdl), {
    enter(node: ASTNode, _key, _parent, _path, ancestors) {
      const about = [...ancestors, node]
        .flatMap((each) =>
          'kind' in each && 'name' in each && each.name !== undefined ? each.name.value : [],
        )
        .join('.')
      if ('description' in node && node.description !== undefined)
        texts.push({ about, text: node.description.value })
      if (node.kind === Kind.DIRECTIVE)
        for (const { value } of node.arguments ?? [])
          if (value.kind === Kind.STRING && node.name.value === 'deprecated')
            texts.push({ about, text: value.value })
    },
  })
  return texts
}

const files = ['schema', 'test/support/fifth-service', 'examples', 'subgraphs', 'gateway'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql') && !path.includes('node_modules'))
    .map((path) => join(folder, path)),
)
const served = printSchema(servedSupergraph(readSchemaFile('supergraph'), {}).supergraph.apiSchema)

test.each([
  ...files.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  ['the schema that is served', served] as const,
])('no description of %s ends a comment or a text of a language', (_, sdl) => {
  const found = textsIn(sdl).flatMap(({ about, text }) => faultsIn(text).map((fault) => `${about}: ${fault}`))
  expect(found).toEqual([])
})

test('and no description of the schema of the configuration does', () => {
  const found: string[] = []
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      if (key === 'description' && typeof member === 'string')
        found.push(...faultsIn(member).map((fault) => `${path}: ${fault}`))
      else walk(member, `${path}.${key}`)
    }
  }
  walk(JSON.parse(readFileSync(join(root, 'schema/config.schema.json'), 'utf8')), '')
  expect(found).toEqual([])
})

test.each([
  'bytes */TOTAL',
  'a """ b',
  "a ''' b",
  'a --}',
  'a -->',
  'x\n=end',
  'a #}',
  'a\\\nb',
  'ends \\',
  '\\u0041',
  '?>',
])('this test finds %j', (text) => {
  expect(faultsIn(text)).not.toEqual([])
  expect(faultsIn('Plain `words`: {a}, [[b]], "c", 10 % of d/e.')).toEqual([])
})

test('there is what it looks at', () => {
  expect(files.filter((path) => path.startsWith('schema/')).length).toBeGreaterThanOrEqual(7)
  expect(textsIn(served).length).toBeGreaterThan(1000)
  expect(
    textsIn('type Query { "a */" a(b: Int): Int @deprecated(reason: "c") }').map(({ text }) => text),
  ).toEqual(['a */', 'c'])
})
