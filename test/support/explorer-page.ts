/** The explorer page for tests: built from the sources as they are now, a browser on it, and what its editor holds. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium, type Visit, type VisitOptions, visit } from './chromium.ts'
import { type Graph, type GraphOptions, startGraph } from './graph.ts'
import { keep } from './keep.ts'

const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

function newest(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(...names.map((name) => statSync(join(path, name)).mtimeMs))
}

/** `npm ci` has built the page; it is built again if its sources are newer. */
export function buildPage(): void {
  const built = statSync(folder('dist/explorer-page/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const changed = Math.max(
    newest(folder('explorer/page')),
    newest(folder('explorer/examples')),
    statSync(folder('explorer/build.ts')).mtimeMs,
  )
  if (built > changed) return
  const { status, stderr } = spawnSync(process.execPath, [folder('explorer/build.ts')], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the explorer page cannot be built:\n${stderr}`)
}

export interface Explorer {
  /** The graph that is served below the page. */
  readonly graph: Graph
  /** Opens the page of that graph until the test ends: without a path by its own editor, which is ready then. */
  open(path?: string, options?: VisitOptions): Promise<Visit>
  /** Opens another address in the same browser. */
  visit(address: string, options?: VisitOptions): Promise<Visit>
}

/** A graph and a browser for all tests of the block in which it is called. */
export function useExplorer(options: GraphOptions = {}): Explorer {
  let browser: Browser
  let graph: Graph
  beforeAll(async () => {
    buildPage()
    browser = await launchChromium()
    graph = await startGraph(options)
  })
  afterAll(async () => {
    await browser?.close()
    await graph?.[Symbol.asyncDispose]()
  })
  return {
    get graph() {
      return graph
    },
    async open(path, options = {}) {
      const address = new URL(`/${path ?? '?editor=built-in'}`, graph.url).href
      const there = keep(await visit(browser, address, options))
      if (path === undefined) await editorReady(there.page)
      return there
    },
    visit: (address, options = {}) => visit(browser, address, options),
  }
}

export const editorReady = (page: Page): Promise<void> =>
  page.getByRole('textbox', { name: 'Operation', exact: true }).waitFor()

export type EditorPart = 'operation' | 'variables' | 'headers' | 'answer' | 'event'
const labels: Readonly<Record<EditorPart, string>> = {
  operation: 'Operation',
  variables: 'Variables, as JSON',
  headers: 'Headers, as JSON',
  answer: 'Answer',
  event: 'Event',
}

/** What is used of CodeMirror's view, which its element leads to. */
interface View {
  readonly state: { readonly doc: { readonly length: number; toString(): string } }
  dispatch(change: {
    readonly changes: { readonly from: number; readonly to: number; readonly insert: string }
  }): void
}
interface EditorElement {
  readonly cmTile: { readonly root: { readonly view: View } }
}

const content = (page: Page, part: EditorPart) => page.locator(`.cm-content[aria-label="${labels[part]}"]`)

/** The whole text of an editor, of which the page shows only some lines; empty if it is not shown. */
export async function editorText(page: Page, part: EditorPart): Promise<string> {
  const editor = content(page, part)
  if ((await editor.count()) === 0) return ''
  return editor.evaluate((element) =>
    (element as unknown as EditorElement).cmTile.root.view.state.doc.toString(),
  )
}

/** Writes it, as pasting would. */
export function writeEditor(page: Page, part: EditorPart, text: string): Promise<void> {
  return content(page, part).evaluate((element, insert) => {
    const { view } = (element as unknown as EditorElement).cmTile.root
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } })
  }, text)
}
