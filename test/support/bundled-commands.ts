/**
 * The command line as a few files, for tests that start it as a process. A start from the sources loads 1,400 modules,
 * which is a third of its CPU time, and a run of all tests starts 200 processes. What the modules do is the same, and
 * each keeps the address of its source file. `TESSERA_TEST_SOURCES=true` starts the sources.
 *
 * The bundle is kept for the next run, until something that goes into it changes.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'
import { bundleVariable } from './process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundles = join(root, 'node_modules/.cache/commands')
/** Of some 10 MB each. A run that still goes on has one of the newest. */
const mostBundles = 8

/**
 * Vitest runs it once for the whole run and again for each project: the first one holds for all. If it watches, the
 * sources change while it runs.
 */
export async function setup({ config }: TestProject): Promise<void> {
  if (process.env.TESSERA_TEST_SOURCES !== 'true' && !config.watch)
    process.env[bundleVariable] ??= await bundle()
}

/** Resolves to the path of the bundle's entry. */
async function bundle(): Promise<string> {
  const folder = join(bundles, contentHash())
  const entry = join(folder, 'main.mjs')
  if (existsSync(entry)) return entry
  dropOldest()
  const made = `${folder}.${process.pid}`
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [ownAddresses],
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'gateway/main.ts'),
      outDir: made,
      target: 'node22',
      minify: false,
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another run has made the same meanwhile.
    if (!existsSync(entry)) throw error
    rmSync(made, { recursive: true })
  }
  return entry
}

/** Of all that goes into the bundle, the addresses of the source files as well. */
function contentHash(): string {
  const hash = createHash('sha256').update(`${root}\0`)
  const files = ['shared', 'engine', 'explorer', 'fast', 'gateway', 'sandbox', 'subgraphs'].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name))
        .sort(),
  )
  for (const file of ['package-lock.json', 'tsconfig.json', 'test/support/bundled-commands.ts', ...files])
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Leaves room for one more. */
function dropOldest(): void {
  mkdirSync(bundles, { recursive: true })
  const madeAt = (folder: string): number => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const folders = readdirSync(bundles).map((name) => join(bundles, name))
  const oldest = folders.sort((a, b) => madeAt(b) - madeAt(a)).slice(mostBundles - 1)
  for (const folder of oldest) rmSync(folder, { recursive: true, force: true })
}

/** Modules find files beside them by their address. */
const ownAddresses: Plugin = {
  name: 'tessera-own-addresses',
  transform: {
    filter: { id: /^[^\0]+\.[cm]?[jt]s$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}
