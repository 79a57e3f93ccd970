/**
 * An example app as a reader builds it: `vite build` with its own configuration, then `vite preview` on a free
 * port, with a graph behind the same origin. The files go away with the folder of the run.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { launchChromium, type Visit, type VisitOptions, visit } from './chromium.ts'
import { type Graph, type GraphOptions, startGraph } from './graph.ts'
import { temporaryFolder } from './temporary.ts'

interface App extends AsyncDisposable {
  readonly url: string
}

export interface Example {
  readonly graph: Graph
  /** Opens its page in a browser that knows nothing yet. */
  visit(options?: VisitOptions): Promise<Visit>
}

/** One app and one graph for all tests of the file; each test has a fresh sandbox. */
export function useExample(folder: string, options?: GraphOptions): Example {
  let graph: Graph
  let app: App
  let browser: Browser
  beforeAll(async () => {
    graph = await startGraph(options)
    app = await startApp(folder, graph.url)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.[Symbol.asyncDispose]()
    await graph?.[Symbol.asyncDispose]()
  })
  beforeEach(() => graph.sandbox.reset())
  return {
    get graph() {
      return graph
    },
    visit: (how) => visit(browser, app.url, how),
  }
}

/** `folder` from the root of the repository; its `/graphql` goes to `graphUrl`. */
async function startApp(folder: string, graphUrl: string): Promise<App> {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
  const outDir = temporaryFolder()
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
  return { url: `http://127.0.0.1:${address.port}/`, [Symbol.asyncDispose]: () => server.close() }
}
