/** The languages that are written here: GraphQL against the served schema, and JSON. */
import { autocompletion, startCompletion } from '@codemirror/autocomplete'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { type Diagnostic, linter } from '@codemirror/lint'
import { type Extension, StateEffect } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { getSchema, graphql, offsetToPos } from 'cm6-graphql'
import { getHoverInformation, Position } from 'graphql-language-service'
import type { TextFault } from './variable-faults.ts'

export interface GraphqlOptions {
  /** Control or Command with a click on a name. */
  readonly onShowInDocs: (coordinate: { readonly type?: string; readonly field?: string }) => void
}

/** Completion, errors, and descriptions of what the pointer is on; the schema comes with `updateSchema`. */
export function graphqlLanguage({ onShowInDocs }: GraphqlOptions): Extension[] {
  return [
    graphql(undefined, {
      onShowInDocs: (field, _type, parent) =>
        onShowInDocs({
          ...(parent === undefined ? {} : { type: parent.replace(/[[\]!]/g, '') }),
          ...(field === undefined ? {} : { field }),
        }),
    }),
    autocompletion({ icons: false }),
    // A new line of a selection begins with a field's name.
    keymap.of([{ key: 'Ctrl-Space', mac: 'Alt-Space', run: startCompletion }]),
    hoverTooltip((view, offset) => {
      const schema = getSchema(view.state)
      if (!schema) return null
      const { line, character } = offsetToPos(view.state.doc, offset)
      const text = getHoverInformation(schema, view.state.doc.toString(), new Position(line, character))
      if (typeof text !== 'string' || text === '') return null
      return {
        pos: offset,
        above: true,
        create() {
          const dom = document.createElement('div')
          dom.textContent = text
          return { dom }
        },
      }
    }),
  ]
}

/** Tells an editor that what it marks depends on something that has changed. */
export const lookAgain = StateEffect.define<null>()

/** Marks what `faults` says of the text; `null` of the effect above has it asked again. */
export const marking = (faults: () => readonly TextFault[]): Extension =>
  linter(
    (view): Diagnostic[] =>
      faults()
        .filter(({ to }) => to <= view.state.doc.length)
        .map((fault) => ({ ...fault, severity: 'warning' })),
    {
      delay: 250,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(lookAgain))),
    },
  )

/** Text that is not JSON is marked; nothing at all is no fault. */
export const jsonLanguage = (): Extension[] => {
  const faultsOf = jsonParseLinter()
  return [
    json(),
    linter((view: EditorView) => (view.state.doc.toString().trim() === '' ? [] : faultsOf(view))),
  ]
}

export const jsonAnswer = (): Extension[] => [json()]
