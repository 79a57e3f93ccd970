/** The look of code: the page's own colours, which change with its theme. */
import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-name)' },
  { tag: [tags.variableName], color: 'var(--code-variable)' },
  { tag: [tags.string], color: 'var(--code-string)' },
  { tag: [tags.integer, tags.float, tags.number], color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null, tags.special(tags.name)], color: 'var(--code-constant)' },
  { tag: [tags.atom], color: 'var(--code-type)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-quiet)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.brace, tags.paren, tags.separator], color: 'var(--text-quiet)' },
])

export const colours = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-quiet)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 2px 0 12px', minWidth: '28px' },
  '.cm-foldGutter .cm-gutterElement': { width: '16px', cursor: 'pointer' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-match)' },
  '.cm-foldPlaceholder': {
    border: '1px solid var(--line)',
    background: 'var(--page)',
    color: 'var(--text-quiet)',
    padding: '0 6px',
    margin: '0 2px',
  },
  '.cm-placeholder': { color: 'var(--text-quiet)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(480px, calc(100vw - 24px))',
    zIndex: '20',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { color: 'var(--text-quiet)', fontStyle: 'normal', paddingLeft: '8px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo, .cm-tooltip-hover': { padding: '8px 12px', whiteSpace: 'pre-line' },
  '.cm-panels': { backgroundColor: 'var(--page)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-textfield': {
    border: '1px solid var(--line)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
  },
  '.cm-button': {
    border: '1px solid var(--line)',
    borderRadius: '6px',
    background: 'var(--surface-raised)',
  },
})
