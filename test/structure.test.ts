/** The house rules that a machine can hold: who imports whom, what is read where, what is shipped. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

/** Files of ours that a file imports, relative to the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(root, normalize(join(root, dirname(file), path ?? ''))),
  )
}

const sources = ['gateway', 'subgraphs', 'sandbox'].flatMap(sourcesIn)
const breaches = (breaks: (file: string, imported: string) => boolean): string[] =>
  sources.flatMap((file) =>
    importsOf(file)
      .filter((imported) => breaks(file, imported))
      .map((imported) => `${file} imports ${imported}`),
  )
const serviceOf = (file: string): string | undefined => /^subgraphs\/(?!lib\/)([^/]+)\//.exec(file)?.[1]

test('a subgraph imports neither another subgraph nor the gateway', () => {
  expect(
    breaches((file, imported) => {
      if (!file.startsWith('subgraphs/')) return false
      if (imported.startsWith('gateway/')) return true
      const [from, to] = [serviceOf(file), serviceOf(imported)]
      return from !== undefined && to !== undefined && from !== to
    }),
  ).toEqual([])
})

test('the shared library knows no service', () => {
  expect(
    breaches((file, imported) => file.startsWith('subgraphs/lib/') && !imported.startsWith('subgraphs/lib/')),
  ).toEqual([])
})

test("a service's inside is imported by nobody but itself", () => {
  expect(
    breaches((file, imported) => {
      const to = serviceOf(imported)
      return to !== undefined && serviceOf(file) !== to && !imported.endsWith(`${to}/index.ts`)
    }),
  ).toEqual([])
})

test('the sandbox imports nothing of the product, and only the command line imports the sandbox', () => {
  expect(
    breaches((file, imported) => file.startsWith('sandbox/') && !imported.startsWith('sandbox/')),
  ).toEqual([])
  expect(
    breaches(
      (file, imported) =>
        imported.startsWith('sandbox/') && !file.startsWith('sandbox/') && !file.startsWith('gateway/cli/'),
    ),
  ).toEqual([])
})

test('the environment is read at the edge of the process alone', () => {
  const readers = sources.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')))
  expect(readers).toEqual(['gateway/main.ts'])
})

test('only the upstream client, transports and uploads speak HTTP to somebody else', () => {
  const speakers = sources.filter(
    (file) => !file.startsWith('sandbox/') && /from 'undici'/.test(readFileSync(join(root, file), 'utf8')),
  )
  for (const file of speakers) {
    expect(file).toMatch(
      /^(subgraphs\/lib\/(upstream|credential)|subgraphs\/videos\/upload\/relay|gateway\/(transport|uploads|authenticate|cli\/))/,
    )
  }
})

test('nothing in the runtime tree is under the Elastic licence', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>
  }
  const runtime = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  )
  expect(runtime.length).toBeGreaterThan(50)
  const elastic = runtime.flatMap(([path]) => {
    const file = join(root, path, 'package.json')
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return []
    const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
      license?: unknown
      licenses?: unknown
    }
    return /elastic/i.test(JSON.stringify([license, licenses])) ? [path] : []
  })
  expect(elastic).toEqual([])
})
