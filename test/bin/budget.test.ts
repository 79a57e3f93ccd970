/**
 * How much a checkout installs and starts may not grow unnoticed: each number is what it was when this was written, and
 * 5 %. Lower it if it is met by far; raise it for what is worth it, and say so in the commit.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/deploy.ts'
import { environment, main, sources } from '../support/process.ts'

interface Entry {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>
}

/** Where a package finds another one, as Node looks for it. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (place in packages) return place
    if (folder === '') return undefined
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

function installedBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string, from: string): void => {
    const place = placeOf(name, from)
    if (place !== undefined) found.add(place)
  }
  for (const name of names) add(name, '')
  for (const place of found) {
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta,
    } = packages[place] as Entry
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      add(name, place)
  }
  return found
}

const { devDependencies = {} } = packages[''] as Entry

test('npm ci brings so many packages at most, those of every platform among them', () => {
  expect(installedBy(Object.keys(devDependencies)).size).toBeLessThanOrEqual(426)
})

test.skipIf(main === sources)('the bundled command line has so many bytes at most', () => {
  const folder = dirname(main)
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(7_500_000)
})

/** Files of the bundle that were loaded, and modules of Node, at the end of the process. */
const counting = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let files = 0
  registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files += 1; return next(url, context) } })
  process.on('exit', () => console.log('loaded ' + JSON.stringify([files, process.moduleLoadList.length])))
`)}`

test.skipIf(main === sources)('a start loads so many files and modules of Node at most', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly number[]>()
  const child = spawn(process.execPath, ['--import', counting, main, 'serve', '--port', '0'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const isReady = /^graph +\S/m.test(output)
    output += text
    if (!isReady && /^graph +\S/m.test(output)) child.kill('SIGTERM')
  })
  child.on('close', () => resolve(JSON.parse(/loaded (.+)/.exec(output)?.[1] ?? '[]')))
  const [files, modules] = await promise
  expect(files).toBeGreaterThan(0)
  expect(files).toBeLessThanOrEqual(54)
  expect(modules).toBeLessThanOrEqual(275)
})
