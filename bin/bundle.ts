/**
 * Bundles the command line of a checkout into `dist/bundle`: one file for what every command needs, and one for each part
 * that is loaded when it is first used. It starts with a fraction of the CPU time of the sources. `npm ci` runs it
 * (`prepare`).
 *
 * `bin/tessera.js` takes the bundle as long as each file that went into it is as it was (`inputs.json`), and the sources
 * otherwise. Modules find files beside them by their address, so each keeps the address of its source file.
 */
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = join(root, 'dist/bundle')
/** Whole before it takes its place: two may build at once, and a process may be starting. */
const made = `${place}.${process.pid}`

async function vite(): Promise<typeof import('vite') | undefined> {
  try {
    return await import('vite')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

const ownAddresses: Plugin = {
  name: 'tessera-own-addresses',
  transform: {
    filter: { id: /^[^\0]+\.[cm]?[jt]s$/, code: 'import.meta.url' },
    // From where the bundle is, so that a checkout may be moved.
    handler: (code, id) =>
      code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(relative(place, id))}, import.meta.url).href`,
      ),
  },
}

/** What went into it, with its time and size. */
const inputs = new Map<string, readonly [number, number]>()
const noteInputs: Plugin = {
  name: 'tessera-inputs',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const stats = statSync(id, { throwIfNoEntry: false })
      if (stats !== undefined && !id.includes('/node_modules/'))
        inputs.set(relative(root, id), [stats.mtimeMs, stats.size])
    }
    const lock = statSync(join(root, 'node_modules/.package-lock.json'), { throwIfNoEntry: false })
    if (lock !== undefined) inputs.set('node_modules/.package-lock.json', [lock.mtimeMs, lock.size])
  },
}

const bundler = await vite()
if (bundler === undefined) {
  console.error('The command line is not bundled, as Vite is not installed; it runs from its sources.')
} else {
  await bundler.build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [ownAddresses, noteInputs],
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'gateway/main.ts'),
      outDir: made,
      target: 'node22',
      minify: false,
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  writeFileSync(join(made, 'inputs.json'), JSON.stringify(Object.fromEntries(inputs)))
  rmSync(place, { recursive: true, force: true })
  try {
    renameSync(made, place)
  } catch (error) {
    // Another build has made the same meanwhile.
    if (!existsSync(join(place, 'inputs.json'))) throw error
    rmSync(made, { recursive: true })
  }
}
