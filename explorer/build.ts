/**
 * Bundles the explorer page into `dist/explorer-page`, each file beside its `.br` and `.gz`. `npm ci` runs it
 * (`prepare`), and so does packing; what is installed from a package has the bundle already.
 *
 * Where Vite is not installed (`--omit=dev`) there is nothing to bundle with: it says so and fails no
 * installation. The gateway serves without the page, and says at `/` what to run.
 */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('page', import.meta.url))
const place = fileURLToPath(new URL('../dist/explorer-page', import.meta.url))
/** Whole before it takes its place: two may build at once, and somebody may be reading. */
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

/** Lets the browser fetch the editor while the page's first script still loads. */
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
    const params = {
      // The best quality takes ten times as long for the last few per cent.
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }))
    await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

// Vite builds for development if this says so, as it does below a test runner.
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
      // The page lies at `/` and its files at `/explorer/`, below whatever path a proxy puts in front of both.
      experimental: {
        renderBuiltUrl: (file, { hostType }) =>
          hostType === 'html' ? `explorer/${file}` : { relative: true },
      },
      build: {
        outDir,
        emptyOutDir: true,
        assetsDir: 'assets',
        // Data URLs in scripts and workers would need a wider content security policy.
        assetsInlineLimit: 0,
        // The editor is one large part, which is only loaded when it is used.
        chunkSizeWarningLimit: 5000,
        reportCompressedSize: false,
        rolldownOptions: {
          // A directive of React's compiler, which has done its work before these packages came here.
          onLog: (level, log, pass) => {
            if (log.code !== 'MODULE_LEVEL_DIRECTIVE') pass(level, log)
          },
        },
      },
    })
    await compress(join(outDir, 'assets'))
    await takePlace()
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

/** Tries again if another build has taken the place meanwhile. */
async function takePlace(triesLeft = 5): Promise<void> {
  await rm(place, { recursive: true, force: true })
  try {
    await rename(outDir, place)
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY'
    if (!isTaken || triesLeft === 0) throw error
    await takePlace(triesLeft - 1)
  }
}
