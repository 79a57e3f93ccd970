/** Which operation is run if the text has several: the picked one, or the one at the cursor. */
import type { EditorView } from '@codemirror/view'
import { operationNameAt, operationNamesIn } from '../graph/operation.ts'
import { createStore } from '../ui/store.ts'

export const picked = createStore<string | undefined>(undefined)

/** Undefined if there is nothing to choose. */
export const nameToRun = (names: readonly string[]): string | undefined =>
  names.length > 1 ? (names.find((name) => name === picked.current()) ?? names[0]) : undefined

export const operationNameOf = ({ query }: { readonly query: string }): string | undefined =>
  nameToRun(operationNamesIn(query))

let editor: EditorView | undefined

/** Called with the editor of the operation. */
export function noteEditor(view: EditorView | undefined): void {
  editor = view
}

/** The operation at the cursor, if the editor has the focus and the text has several. */
export function operationNameAtCursor(): string | undefined {
  if (editor?.hasFocus !== true) return undefined
  const text = editor.state.doc.toString()
  const known = operationNamesIn(text)
  return known.length < 2 ? undefined : (operationNameAt(text, editor.state.selection.main.head) ?? known[0])
}
