/**
 * CodeMirror as a React component. The caller owns the text. Each document (`documentId`) keeps its own undo
 * history and cursor while the component is mounted.
 */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { colours, highlighting } from './appearance.ts'

interface CodeEditorProps {
  readonly label: string
  readonly documentId: string
  readonly value: string
  /** The language and other extensions. Those of the first render stay. */
  readonly extensions: readonly Extension[]
  readonly onChange?: (text: string) => void
  /** Without `onChange` the text is read-only, but can be folded. */
  readonly onView?: (view: EditorView | undefined) => void
  readonly placeholder?: string
  /** Whether it has the focus at first, with the cursor at the end of its text. */
  readonly takesFocus?: boolean
}

const shared: Extension = [
  highlightSpecialChars(),
  foldGutter({
    markerDOM(open) {
      const marker = document.createElement('span')
      marker.className = open ? 'fold fold-open' : 'fold'
      return marker
    },
  }),
  drawSelection(),
  bracketMatching(),
  highlightSelectionMatches(),
  syntaxHighlighting(highlighting),
  EditorView.lineWrapping,
  colours,
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')]),
]

const writable: Extension = [
  lineNumbers(),
  history(),
  indentOnInput(),
  closeBrackets(),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap]),
]

const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)]

export function CodeEditor(props: CodeEditorProps) {
  const { documentId, value, label } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const shown = useRef(documentId)
  const states = useRef(new Map<string, EditorState>())
  const latest = useRef(props)
  latest.current = props
  const first = useRef<(text: string) => EditorState>(undefined)

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const { onChange, extensions, placeholder } = latest.current
    first.current = (doc) =>
      EditorState.create({
        doc,
        extensions: [
          ...extensions,
          onChange === undefined ? readOnly : writable,
          shared,
          placeholder === undefined ? [] : placeholderText(placeholder),
          // A read-only text can also be focused and scrolled by keyboard.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      })
    const made = new EditorView({ state: first.current(latest.current.value), parent: element })
    view.current = made
    shown.current = latest.current.documentId
    latest.current.onView?.(made)
    if (latest.current.takesFocus === true) {
      made.dispatch({ selection: { anchor: made.state.doc.length } })
      // On a touch screen, the focus would open the keyboard too early.
      if (matchMedia('(pointer: fine)').matches) made.focus()
    }
    return () => {
      latest.current.onView?.(undefined)
      made.destroy()
      view.current = undefined
      states.current.clear()
    }
  }, [label])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined) return
    if (shown.current !== documentId) {
      states.current.set(shown.current, editor.state)
      shown.current = documentId
      const next = states.current.get(documentId) ?? first.current?.(value)
      if (next !== undefined) editor.setState(next)
      // A new state has lost what other extensions keep in it, such as the schema, so it is set again.
      latest.current.onView?.(editor)
    }
    const before = editor.state.doc.toString()
    if (before !== value) editor.dispatch({ changes: changeBetween(before, value) })
  }, [documentId, value])

  return <div ref={place} className="code-editor" />
}

/** Equal text at both ends is kept, so that folds and the scroll position stay. */
function changeBetween(before: string, after: string) {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
