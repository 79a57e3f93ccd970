/** docs/clients.md: snippets of clients whose packages are here run against a graph; others stand in the examples. */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Graph, startGraph } from '../../gateway/hosts/sandbox.ts'
import { lacks } from '../peers/needs.ts'
import { root } from '../support/deploy.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { blocks } from './blocks.ts'

const written = blocks().filter(({ page }) => page === 'docs/clients.md')
const folder = temporaryFolder()
let graph: Graph
beforeAll(async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  graph = await startGraph()
})
afterAll(() => graph.stop())

const installed = ['@apollo/client', '@urql/core', 'relay-runtime'].filter((name) => !lacks(name))

/** What follows a snippet: an answer of Relay's network, and the number of videos that Apollo's cache has after a second page. */
const shownAfter: Readonly<Record<string, string>> = {
  'relay-runtime':
    '\nconst answer = await ask({ text: "{ __typename }" }, {})\nconsole.log(answer.data.__typename)\n',
  '@apollo/client': `
await client.query({ query, fetchPolicy: 'network-only', variables: { after: (data as any).chartVideos.pageInfo.endCursor } })
console.log(client.readQuery<any>({ query }).chartVideos.edges.length)
`,
}

const snippets = installed.map((name): [string, string] => [
  name,
  written.find(({ language, text }) => language === 'ts' && text.includes(`from '${name}'`))?.text ?? '',
])

test.skipIf(installed.length === 0)('the snippets in TypeScript type-check', async () => {
  const files = snippets.map(([, text], index) => {
    const file = join(folder, `typed-${index}.mts`)
    writeFileSync(file, text)
    return file
  })
  const options = '--noEmit --strict --skipLibCheck --target es2024 --module nodenext --types node'
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const checked = promisify(execFile)(process.execPath, [tsc, ...options.split(' '), ...files], {
    cwd: folder,
  })
  expect(await checked.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({ stdout: '' })
})

test.skipIf(installed.length === 0).each(snippets)('the snippet of %s runs', async (name, text) => {
  const file = join(folder, `${name.replaceAll('/', '-')}.mts`)
  const shown = shownAfter[name] ?? ''
  writeFileSync(file, text.replace('http://127.0.0.1:4000/graphql', graph.url) + shown)
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
  expect(stdout.trim().split('\n')).toEqual(
    name === 'relay-runtime'
      ? ['Query']
      : ['The first escapement', 'The first soup', ...(name === '@apollo/client' ? ['4'] : [])],
  )
})

test.each([
  ['vue', ['vue', '@urql/vue']],
  ['svelte', ['svelte', '@urql/svelte']],
] as const)('the component of %s is compiled and renders the answer', async (language, packages) => {
  if (packages.some(lacks)) return
  const [snippet] = written.filter((block) => block.language === language)
  const file = join(folder, `snippet.${language}`)
  writeFileSync(file, snippet?.text ?? '')
  const program = join(root, 'test/snippets/rendered', `${language}.ts`)
  const { stdout } = await promisify(execFile)(process.execPath, [program, file, graph.url], { cwd: folder })
  const shown = [...stdout.matchAll(/<(?:li|p)>(.*?)<\/(?:li|p)>/g)].map(([, title]) => title)
  expect(shown).toHaveLength(10)
  expect(shown[0]).toBe('The first escapement')
})

test.each([
  ['go', 'go-genqlient/main.go'],
  ['python', 'python-ariadne/main.py'],
  ['kotlin', 'kotlin-apollo/app/src/main/kotlin/Main.kt'],
])('the lines in %s are in the program that CI runs', (language, file) => {
  const program = readFileSync(join(root, 'examples/clients', file), 'utf8')
  const [snippet] = written.filter((block) => block.language === language)
  expect(program).toContain(snippet?.text)
})
