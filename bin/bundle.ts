/**
 * Bundles the command line into `dist/bundle`: one file for what every command needs, and one for each part that is
 * loaded when it is first used. It starts with a fraction of the CPU time of the sources. `npm ci` and `npm pack` run it
 * (`prepare`). `bin/tessera.js` takes the bundle as long as each file that went into it is as it was (`inputs.json`), and
 * the sources otherwise.
 *
 * `node bin/bundle.ts library` bundles what the package exports into `dist/library`. What programs share with it stays
 * outside, and is a peer dependency of the package. `THIRD-PARTY.md` in each folder has the licences of what is in it.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { configOf, root } from './bundling.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

async function vite(): Promise<typeof import('vite') | undefined> {
  try {
    return await import('vite')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** What went into it, with its time and size. */
const inputs = new Map<string, readonly [number, number]>()
const noteInputs: Plugin = {
  name: 'tessera-inputs',
  generateBundle() {
    // Some of them are in the bundle, parsed.
    const schemas = readdirSync(join(root, 'schema')).map((name) => join(root, 'schema', name))
    // Modules that a plugin makes are no files.
    const modules = [...this.getModuleIds()].filter((id) => !/^\0|\/node_modules\//.test(id))
    const others = ['bin/bundling.ts', 'tsconfig.json', 'node_modules/.package-lock.json']
    for (const id of [...modules, ...schemas, ...others.map((path) => join(root, path))]) {
      const stats = statSync(id, { throwIfNoEntry: false })
      if (stats !== undefined) inputs.set(relative(root, id), [stats.mtimeMs, stats.size])
    }
  },
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** The source of each export that has types, by the name of its file: types lie below `dist/` as the sources do. */
function exportedSources(): Record<string, string> {
  const sources: Record<string, string> = {}
  for (const entry of Object.values(manifest.exports)) {
    if (typeof entry === 'string') continue
    const name = /^\.\/dist\/library\/(.+)\.mjs$/.exec(entry.default)?.[1]
    const source = /^\.\/dist\/(.+)\.d\.ts$/.exec(entry.types)?.[1]
    if (name === undefined || source === undefined) throw new Error(`package.json: exports: ${entry.default}`)
    sources[name] = join(root, `${source}.ts`)
  }
  return sources
}

const bundler = await vite()
const isLibrary = process.argv[2] === 'library'
const place = join(root, isLibrary ? 'dist/library' : 'dist/bundle')
/**
 * Written completely before it takes its place: two builds may run at the same time, and a process may be starting.
 */
const made = `${place}.${process.pid}`
if (bundler === undefined) {
  console.error('The command line is not bundled, as Vite is not installed; it runs from its sources.')
} else {
  const entries = isLibrary ? exportedSources() : { main: join(root, 'gateway/main.ts') }
  const external = isLibrary ? Object.keys(manifest.peerDependencies) : []
  await bundler.build(configOf({ place, made, entries, external, plugins: [noteInputs] }))
  if (!isLibrary) writeFileSync(join(made, 'inputs.json'), JSON.stringify(Object.fromEntries(inputs)))
  rmSync(place, { recursive: true, force: true })
  try {
    renameSync(made, place)
  } catch (error) {
    // Another build has made the same meanwhile.
    if (!existsSync(join(place, 'THIRD-PARTY.md'))) throw error
    rmSync(made, { recursive: true })
  }
}
