/** JSON text to read and fold. */
import { useMemo } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { jsonAnswer } from '../editor/languages.ts'

export function JsonView({ label, text }: { readonly label: string; readonly text: string }) {
  const extensions = useMemo(() => jsonAnswer(), [])
  return <CodeEditor label={label} documentId="json" value={text} extensions={extensions} />
}
