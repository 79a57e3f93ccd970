/** Documents that repeat the code are held to it, both ways. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { configurationPage } from '../docs/configuration.ts'
import { readConfig, settings } from '../gateway/config/index.ts'
import type { MediaType } from '../gateway/pipeline/operation-request.ts'
import { statusOf } from '../gateway/pipeline/result-status.ts'
import { type ErrorCode, errorCodes, tesseraError } from '../shared/errors.ts'
import { temporaryFile } from './support/temporary.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('docs/errors.md lists every error code with its meaning and its status for both media types, and no other', () => {
  const rows = [
    ...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (\d+) \| (.+?) \| (.+) \|$/gm),
  ]
  const listed = Object.fromEntries(
    rows.map(([, code, status, legacy, meaning]) => [
      code,
      { status: Number(status), legacy: Number(legacy), meaning },
    ]),
  )
  const statusWith = (code: string, type: MediaType): number =>
    statusOf({ errors: [tesseraError(code as ErrorCode, 'x')] }, type)
  expect(listed).toEqual(
    Object.fromEntries(
      Object.entries(errorCodes).map(([code, { meaning }]) => [
        code,
        {
          status: statusWith(code, 'application/graphql-response+json'),
          legacy: statusWith(code, 'application/json'),
          meaning,
        },
      ]),
    ),
  )
})

test('the configuration lists every setting, as it is (npm run generate)', () => {
  const page = read('docs/configuration.md')
  expect(configurationPage(page)).toBe(page)
  for (const { path, env, description } of settings) {
    expect([env, page.split(`<a id="${path.join('-')}"></a>`).length]).toEqual([env, 2])
    expect([env, description === '']).toEqual([env, false])
  }
})

test('the file for production in the configuration is one', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs/configuration.md')) ?? []
  const file = temporaryFile('tessera.yaml', text)
  const { config, faults } = readConfig({ TESSERA_CONFIG: file })
  expect(faults).toBeUndefined()
  expect(config?.server.publicUrl).toBe('https://graph.example.com')
})

test('the architecture says of every dependency why it is there, and of no other package', () => {
  type Manifest = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
  const packages = ['package.json', 'test/peers/package.json', 'bench/mutants/package.json'].flatMap(
    (path) => {
      const { dependencies, devDependencies } = JSON.parse(read(path)) as Manifest
      return Object.keys({ ...dependencies, ...devDependencies })
    },
  )
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

test('every link from a document to a file of the repository, or to a heading, leads to one', () => {
  const documents = execFileSync('git', ['ls-files', '*.md'], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '')
  expect(documents.length).toBeGreaterThan(10)
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)]
      .filter(([, target = '', place]) => {
        const page = target === '' ? path : join(dirname(path), target)
        if (!existsSync(new URL(`../${page}`, import.meta.url))) return true
        return place !== undefined && page.endsWith('.md') && !placesOf(page).has(place)
      })
      .map(([link]) => `${path} -> ${link}`),
  )
  expect(broken).toEqual([])
})

/** The headings and marks of a page, to which a link can lead. */
function placesOf(page: string): ReadonlySet<string> {
  const text = read(page).replace(/^ *```[\s\S]*?^ *```$/gm, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)])
}

/** Files of the reader, of other repositories and of what is built. */
const elsewhere =
  /^(app\/graphql|src|\.(vscode|cursor|storybook)|node_modules|test-artifacts|tessera-graph)\/|^test\/stand-in\.ts$|^(schema\/books\.graphql|(subgraphs|sandbox)\/books\/)$|^deploy\/secrets\.yaml$/

test('an example that imports a package of test/peers has them installed by its page', () => {
  const { devDependencies } = JSON.parse(read('test/peers/package.json'))
  const names = Object.keys(devDependencies as Record<string, string>)
  const examples = readdirSync(new URL('../examples', import.meta.url))
    .map((name) => `examples/${name}`)
    .filter((folder) => existsSync(`${folder}/README.md`) && read(`${folder}/README.md`).includes('\nnpm ci'))
  const inNeed = examples.filter((folder) => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.[jt]sx?$/.test(file),
    )
    const text = sources.map((file) => read(`${folder}/${file}`)).join('\n')
    return names.some((name) => text.includes(` '${name}'`) || text.includes(` '${name}/`))
  })
  expect(inNeed.length).toBeGreaterThan(3)
  expect(inNeed.filter((folder) => !read(`${folder}/README.md`).includes('npm run setup:peers'))).toEqual([])
})

test('every file and folder that a page names is in the repository', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  }).split('\n')
  const folders = files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))
  // Pages of a module name its files from the module on.
  const ends = new Set(
    [...files, ...new Set(folders)].flatMap((path) =>
      path.split('/').map((_, at, parts) => parts.slice(at).join('/')),
    ),
  )
  const top = new Set(files.map((file) => file.split('/')[0] ?? ''))
  const pages = files.filter((file) =>
    /^(docs\/[\w-]+|README|CONTRIBUTING|SECURITY|fast\/.*)\.md$/.test(file),
  )
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:[\w.-]+\/)+(?:[\w-]+(?:\.[\w.-]+)?)?)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.endsWith('.ts') || top.has(path.split('/')[0] ?? ''))
      .filter((path) => !elsewhere.test(path) && !ends.has(path.replace(/\/$/, '')))
      .map((path) => `${page}: ${path}`),
  )
  expect(pages.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})
