/** JSON text that can be read and folded. Parts of it can be marked. */
import { json } from '@codemirror/lang-json'
import { foldEffect, foldedRanges, unfoldEffect } from '@codemirror/language'
import { type EditorState, StateEffect, type StateEffectType, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import type { Span } from '../stream/json-spans.ts'

interface JsonViewProps {
  readonly label: string
  readonly text: string
  /** The marked parts, in the order of the text. The first one is scrolled to. */
  /** The marked parts, in the order of the text. */
  readonly marked?: readonly Span[]
  /** The matches of a search, in the order of the text. */
  readonly found?: readonly Span[]
  /** The current match. */
  readonly foundAt?: number
  /** The part that is folded at first, because it is shown elsewhere. */
  readonly folded?: Span | undefined
}

const none: readonly Span[] = []

export function JsonView(props: JsonViewProps) {
  const { label, text, marked = none, found = none, foundAt = 0, folded } = props
  const view = useRef<EditorView>(undefined)
  const extensions = useMemo(() => [json(), marks, hits], [])
  // Runs after the editor has got the text.
  useEffect(() => {
    const { current: editor } = view
    if (editor === undefined) return
    const { length } = editor.state.doc
    const inside = marked.filter(({ from, to }) => from < to && to <= length && to <= text.length)
    const [first] = inside
    editor.dispatch({
      effects: [
        setMarks.of(inside),
        ...(first === undefined ? [] : [EditorView.scrollIntoView(first.from, { y: 'nearest' })]),
      ],
    })
  }, [text, marked])
  useEffect(() => {
    const { current: editor } = view
    if (editor === undefined || folded === undefined || folded.to > editor.state.doc.length) return
    if (folded.from < folded.to) editor.dispatch({ effects: foldEffect.of(folded) })
  }, [folded])
  useEffect(() => {
    const { current: editor } = view
    if (editor === undefined) return
    const inside = found.filter(({ from, to }) => from < to && to <= editor.state.doc.length)
    const current = inside[foundAt]
    editor.dispatch({
      effects: [
        setHits.of({ spans: inside, at: foundAt }),
        ...(current === undefined ? [] : unfolding(editor.state, current)),
        ...(current === undefined ? [] : [EditorView.scrollIntoView(current.from, { y: 'center' })]),
      ],
    })
  }, [found, foundAt])
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

/** Decorations that an effect replaces. */
function decorated<Value>(
  replacing: StateEffectType<Value>,
  draw: (value: Value, doc: Text) => DecorationSet,
): StateField<DecorationSet> {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(before, { effects, changes, state }) {
      const effect = effects.find((each) => each.is(replacing))
      return effect === undefined ? before.map(changes) : draw(effect.value, state.doc)
    },
    provide: (field) => EditorView.decorations.from(field),
  })
}

const setMarks = StateEffect.define<readonly Span[]>()
const line = Decoration.line({ class: 'cm-arrived' })

/** Marks whole lines, because a part of JSON begins and ends with one. */
const marks = decorated(setMarks, (spans, doc) => {
  const starts = new Set<number>()
  for (const { from, to } of spans)
    for (let at = doc.lineAt(from).number; at <= doc.lineAt(to).number; at++) starts.add(doc.line(at).from)
  return Decoration.set([...starts].sort((a, b) => a - b).map((start) => line.range(start)))
})

const setHits = StateEffect.define<{ readonly spans: readonly Span[]; readonly at: number }>()
const hit = Decoration.mark({ class: 'cm-hit' })
const hitLookedAt = Decoration.mark({ class: 'cm-hit cm-hit-current' })

const hits = decorated(setHits, ({ spans, at }) =>
  Decoration.set(spans.map(({ from, to }, index) => (index === at ? hitLookedAt : hit).range(from, to))),
)

function unfolding(state: EditorState, { from, to }: Span): StateEffect<Span>[] {
  const effects: StateEffect<Span>[] = []
  foldedRanges(state).between(from, to, (start, end) => {
    effects.push(unfoldEffect.of({ from: start, to: end }))
  })
  return effects
}
