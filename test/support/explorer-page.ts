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

/** `npm ci` has built the page; it is built again where its sources have changed since. */
export function buildPage(): void {
  const built = statSync(folder('dist/explorer/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const changed = Math.max(
    newest(folder('gateway/explorer/page')),
    statSync(folder('gateway/explorer/build.ts')).mtimeMs,
  )
  if (built > changed) return
  const { status, stderr } = spawnSync(process.execPath, [folder('gateway/explorer/build.ts')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the explorer page cannot be built:\n${stderr}`)
}

export type EditorPart = 'operation' | 'variables' | 'response'
const files: Readonly<Record<EditorPart, string>> = {
  operation: 'operation.graphql',
  variables: 'variables.json',
  response: 'response.json',
}

interface Editors {
  readonly __MONACO?: {
    readonly editor: {
      getModels(): {
        readonly uri: { readonly path: string }
        getValue(): string
        setValue(text: string): void
      }[]
    }
  }
}

/** The whole text of a part of GraphiQL, of which the page shows only some lines. */
export function editorText(page: Page, part: EditorPart): Promise<string> {
  return page.evaluate((file) => {
    const models = (globalThis as Editors).__MONACO?.editor.getModels() ?? []
    return models.find(({ uri }) => uri.path.endsWith(file))?.getValue() ?? ''
  }, files[part])
}

/** Writes it, as somebody who pastes it would. */
export function writeEditor(page: Page, part: EditorPart, text: string): Promise<void> {
  return page.evaluate(
    ([file, value]) => {
      const models = (globalThis as Editors).__MONACO?.editor.getModels() ?? []
      models.find(({ uri }) => uri.path.endsWith(file))?.setValue(value)
    },
    [files[part], text] as const,
  )
}
