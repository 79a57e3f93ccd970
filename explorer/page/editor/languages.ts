/** The editor's languages: GraphQL with the served schema, and JSON. */
import { autocompletion, startCompletion } from '@codemirror/autocomplete'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { type Diagnostic, linter } from '@codemirror/lint'
import { type Extension, StateEffect } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { getSchema, graphql, offsetToPos } from 'cm6-graphql'
import { getHoverInformation, Position } from 'graphql-language-service'
import type { SchemaCoordinate } from '../schema/search.ts'
import type { TextFault } from './variable-faults.ts'

/**
 * Completion, errors, and descriptions of the name under the pointer. `updateSchema` sets the schema. `onShow` is
 * called for a click on a name with Control or Command.
 */
export function graphqlLanguage(onShow: (place: SchemaCoordinate) => void): Extension[] {
  return [
    graphql(undefined, {
      onShowInDocs(field, _type, parent) {
        if (parent !== undefined) onShow({ type: parent.replace(/[[\]!]/g, ''), field })
      },
    }),
    autocompletion({ icons: false }),
    // A new line of a selection starts completion of a field name.
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

/** Tells an editor to compute its marks again, because something else has changed. */
export const lookAgain = StateEffect.define<null>()

/** Marks the faults that `faults` returns for the text. The effect above makes it run again. */
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

/** Marks text that is not JSON. An empty text is not a fault. */
export const jsonLanguage = (): Extension[] => {
  const faultsOf = jsonParseLinter()
  return [
    json(),
    linter((view: EditorView) => (view.state.doc.toString().trim() === '' ? [] : faultsOf(view))),
  ]
}
