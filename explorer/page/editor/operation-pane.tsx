/** The panel of the operation: its tabs, its toolbar, its text, its price, and its variables. */
import type { EditorView } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { useEffect, useMemo, useRef } from 'react'
import { operationNameAt, operationNamesIn } from '../graph/operation.ts'
import type { Place } from '../schema/search.ts'
import { CodeEditor } from './code-editor.tsx'
import { DraftsBar } from './drafts-bar.tsx'
import { Drawer } from './drawer.tsx'
import { graphqlLanguage, jsonLanguage, lookAgain, marking } from './languages.ts'
import { OperationToolbar, type OperationToolbarProps } from './operation-toolbar.tsx'
import { PriceLine } from './price-line.tsx'
import type { Price } from './use-price.ts'
import type { VariableFaults } from './variable-faults.ts'
import type { Workspace } from './workspace.ts'

export interface OperationPaneProps extends Omit<OperationToolbarProps, 'onRun'> {
  readonly workspace: Workspace
  readonly schema: GraphQLSchema | undefined
  readonly price: Price | undefined
  readonly faults: VariableFaults
  readonly onRun: (operationName: string | undefined) => void
  readonly onExplain: () => void
  readonly onShowInDocs: (place: Place) => void
  /** The editor of the text, so that commands of the page can run the operation at the cursor. */
  readonly onView: (view: EditorView | undefined) => void
}

/** The name of the operation at the cursor, if the text has several. */
export function nameAtCursor(view: EditorView | undefined): string | undefined {
  if (view === undefined) return undefined
  const text = view.state.doc.toString()
  const known = operationNamesIn(text)
  return known.length > 1 ? (operationNameAt(text, view.state.selection.main.head) ?? known[0]) : undefined
}

export function OperationPane(props: OperationPaneProps) {
  const { workspace, schema, faults, operationName } = props
  const { current } = workspace
  const view = useRef<EditorView>(undefined)
  const variablesView = useRef<EditorView>(undefined)
  const latest = useRef(props)
  latest.current = props
  const languages = useMemo(
    () => ({
      operation: [
        graphqlLanguage({
          onShowInDocs: ({ type, field }) => {
            if (type !== undefined)
              latest.current.onShowInDocs({ type, ...(field === undefined ? {} : { field }) })
          },
        }),
        marking(() => latest.current.faults.missing),
      ],
      variables: [jsonLanguage(), marking(() => latest.current.faults.undeclared)],
      headers: [jsonLanguage()],
    }),
    [],
  )
  useEffect(() => {
    if (view.current !== undefined) updateSchema(view.current, schema)
  }, [schema])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks change with the faults only
  useEffect(() => {
    for (const editor of [view.current, variablesView.current])
      editor?.dispatch({ effects: lookAgain.of(null) })
  }, [faults])
  return (
    <section className="operation" aria-label="Operation">
      <DraftsBar workspace={workspace} />
      <OperationToolbar {...props} onRun={() => props.onRun(operationName)} />
      <div className="operation-text">
        <CodeEditor
          label="Operation"
          documentId={current.id}
          value={current.query}
          extensions={languages.operation}
          placeholder="Write a GraphQL operation, or open an example"
          takesFocus
          onChange={(query) => workspace.change({ query })}
          onView={(made) => {
            view.current = made
            props.onView(made)
            if (made !== undefined) updateSchema(made, latest.current.schema)
          }}
        />
      </div>
      <PriceLine price={props.price} missingVariables={faults.missingNames} onExplain={props.onExplain} />
      <Drawer
        workspace={workspace}
        variables={languages.variables}
        headers={languages.headers}
        onView={(made) => {
          variablesView.current = made
        }}
      />
    </section>
  )
}
