/** JSON text to read and fold. Parts of it can be marked. */
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { jsonAnswer } from '../editor/languages.ts'
import type { Span } from '../stream/places.ts'

export interface JsonViewProps {
  readonly label: string
  readonly text: string
  /** In the order of the text. */
  readonly marked?: readonly Span[]
  /** Whether the first mark is scrolled to. */
  readonly isShown?: boolean
}

const none: readonly Span[] = []

export function JsonView({ label, text, marked = none, isShown = false }: JsonViewProps) {
  const view = useRef<EditorView>(undefined)
  const extensions = useMemo(() => [jsonAnswer(), marks], [])
  // After the editor has got the text.
  useEffect(() => {
    const { current: editor } = view
    if (editor === undefined) return
    const { length } = editor.state.doc
    const inside = marked.filter(({ from, to }) => from < to && to <= length && to <= text.length)
    const [first] = inside
    editor.dispatch({
      effects: [
        setMarks.of(inside),
        ...(isShown && first !== undefined ? [EditorView.scrollIntoView(first.from, { y: 'nearest' })] : []),
      ],
    })
  }, [text, marked, isShown])
  return (
    <CodeEditor
      label={label}
      documentId="json"
      value={text}
      extensions={extensions}
      onView={(made) => {
        view.current = made
      }}
    />
  )
}

const setMarks = StateEffect.define<readonly Span[]>()
const line = Decoration.line({ class: 'cm-arrived' })

/** Whole lines, as a part of JSON begins and ends with one. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { effects, changes, state: { doc } }) {
    let after = before.map(changes)
    for (const effect of effects) {
      if (!effect.is(setMarks)) continue
      const starts = new Set<number>()
      for (const { from, to } of effect.value) {
        for (let at = doc.lineAt(from).number; at <= doc.lineAt(to).number; at++)
          starts.add(doc.line(at).from)
      }
      after = Decoration.set([...starts].sort((a, b) => a - b).map((start) => line.range(start)))
    }
    return after
  },
  provide: (field) => EditorView.decorations.from(field),
})
