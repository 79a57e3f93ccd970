/** The explorer page for tests: built from the sources as they are now, and what its editor holds. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

function newest(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(...names.map((name) => statSync(join(path, name)).mtimeMs))
}

/** `npm ci` has built the page; it is built again where its sources are newer. */
export function buildPage(): void {
  const built = statSync(folder('dist/explorer/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const changed = Math.max(
    newest(folder('gateway/explorer/page')),
    newest(folder('gateway/explorer/examples')),
    statSync(folder('gateway/explorer/build.ts')).mtimeMs,
  )
  if (built > changed) return
  const { status, stderr } = spawnSync(process.execPath, [folder('gateway/explorer/build.ts')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the explorer page cannot be built:\n${stderr}`)
}

export type EditorPart = 'operation' | 'variables' | 'headers' | 'answer'
const labels: Readonly<Record<EditorPart, string>> = {
  operation: 'Operation',
  variables: 'Variables, as JSON',
  headers: 'Headers, as JSON',
  answer: 'Answer',
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

/** The whole text of an editor, of which the page shows only some lines; empty where it is not shown. */
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
