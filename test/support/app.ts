/**
 * An example app as a reader builds it: `vite build` with its own configuration, then `vite preview` on a free
 * port, with a graph behind the same origin. The files go away with the server.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

export interface App extends AsyncDisposable {
  readonly url: string
}

/** `folder` from the root of the repository; its `/graphql` goes to `graphUrl`. */
export async function startApp(folder: string, graphUrl: string): Promise<App> {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
  const outDir = await mkdtemp(join(tmpdir(), 'tessera-app-'))
  const options = {
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, reportCompressedSize: false },
    preview: {
      host: '127.0.0.1',
      port: 0,
      proxy: { '/graphql': { target: new URL(graphUrl).origin, ws: true } },
    },
  } as const
  // As a reader builds it: React takes its slow form if NODE_ENV says that this is a test.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await build({ ...options, mode: 'production' })
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
  const server = await preview(options)
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error(`${folder} is not served`)
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
