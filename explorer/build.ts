/**
 * Bundles the explorer page into `dist/explorer-page`, with a `.br` and a `.gz` beside each file. `npm ci`
 * (`prepare`) and packing run it, and an installed package already contains the bundle.
 *
 * If Vite is not installed (`--omit=dev`), it prints a message and does not fail the installation. The gateway then
 * serves no page, and says at `/` what to run.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { takePlace } from './take-place.ts'

const root = fileURLToPath(new URL('page', import.meta.url))
const place = fileURLToPath(new URL('../dist/explorer-page', import.meta.url))
/**
 * The bundle is complete before it is moved into place, because two builds may run at the same time, and somebody
 * may be reading.
 */
const outDir = `${place}.${process.pid}`
const compressible = /\.(css|js|svg)$/

async function installed(): Promise<
  [typeof import('vite'), typeof import('@vitejs/plugin-react')] | undefined
> {
  try {
    return await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Lets the browser load the editor while it still loads the page's first script. */
const preloadEditor: Plugin = {
  name: 'tessera-preload-editor',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const editor = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'workbench')
      if (editor?.type !== 'chunk') throw new Error('the build has no part named "workbench"')
      const isEntry = (name: string): boolean => Object(bundle[name]).isEntry === true
      const files = [editor.fileName, ...editor.imports].filter((name) => !isEntry(name))
      return files.map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `explorer/${file}` },
        injectTo: 'head',
      }))
    },
  },
}

async function compress(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!compressible.test(name)) continue
    const file = join(folder, name)
    const bytes = await readFile(file)
    // The quality is the best, by default: a file is compressed once, and every visitor loads it.
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }))
    await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

// Without this, Vite would build for development below a test runner.
env.NODE_ENV = 'production'
const tools = await installed()
if (tools === undefined) {
  process.stdout.write('The explorer page is not built: its development dependencies are not installed.\n')
} else {
  const [{ build }, { default: react }] = tools
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      base: './',
      plugins: [react(), preloadEditor],
      worker: { format: 'es' },
      // The page is at `/` and its files at `/explorer/`, below any path that a proxy puts in front of both.
      experimental: {
        renderBuiltUrl: (file, { hostType }) =>
          hostType === 'html' ? `explorer/${file}` : { relative: true },
      },
      build: {
        outDir,
        license: { fileName: 'THIRD-PARTY.md' },
        emptyOutDir: true,
        assetsDir: 'assets',
        // Data URLs in scripts and workers would need a less strict content security policy.
        assetsInlineLimit: 0,
        // The editor is one large chunk, which is loaded only when it is used.
        chunkSizeWarningLimit: 5000,
        reportCompressedSize: false,
        rolldownOptions: {
          // A directive for React's compiler, which has already run on these packages.
          onLog: (level, log, pass) => {
            if (log.code !== 'MODULE_LEVEL_DIRECTIVE') pass(level, log)
          },
        },
      },
    })
    await compress(join(outDir, 'assets'))
    await takePlace(outDir, place)
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
