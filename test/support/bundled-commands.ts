/**
 * The command line as a few files, for tests that start it as a process. A start from the sources loads 1,400 modules,
 * which is a third of its CPU time, and a run of all tests starts 200 processes. What the modules do is the same, and
 * each keeps the address of its source file. `TESSERA_TEST_SOURCES=true` starts the sources.
 *
 * What `npm ci` has bundled for `npm start` is the same, if nothing that went into it has changed. Another bundle is kept
 * for the next run, until something that goes into it changes.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'
import { configOf, root } from '../../bin/bundling.ts'
import { preparedBundle } from '../../bin/prepared.js'
import { bundleVariable } from './process.ts'

const bundles = join(root, 'node_modules/.cache/commands')
/** Of some 10 MB each. A run that still goes on has one of the newest. */
const mostBundles = 8

/**
 * Vitest runs it once for the whole run and again for each project: the first one holds for all. If it watches, the
 * sources change while it runs.
 */
export async function setup({ config }: TestProject): Promise<void> {
  if (process.env.TESSERA_TEST_SOURCES !== 'true' && !config.watch)
    process.env[bundleVariable] ??= preparedBundle(root) ?? (await bundle())
}

/** Resolves to the path of the bundle's entry. */
async function bundle(): Promise<string> {
  const folder = join(bundles, contentHash())
  const entry = join(folder, 'main.mjs')
  if (existsSync(entry)) return entry
  dropOldest()
  const made = `${folder}.${process.pid}`
  const entries = { main: join(root, 'gateway/main.ts') }
  await build(configOf({ place: folder, made, entries, external: [] }))
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another run has made the same meanwhile.
    if (!existsSync(entry)) throw error
    rmSync(made, { recursive: true })
  }
  return entry
}

/** Of all that goes into the bundle. */
function contentHash(): string {
  const hash = createHash('sha256')
  const folders = ['shared', 'engine', 'explorer', 'fast', 'gateway', 'sandbox', 'schema', 'subgraphs']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|graphql)$/.test(name))
      .map((name) => join(folder, name))
      .sort(),
  )
  for (const file of ['package-lock.json', 'tsconfig.json', 'bin/bundling.ts', ...files])
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
