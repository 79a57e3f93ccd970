/** Where an operation is written: open drafts in tabs, what can be done with it, the text, and below it its variables and headers. */
import { Prec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CloseIcon, CopyIcon, ExplainIcon, FormatIcon, PlusIcon, RunIcon, StopIcon } from '../frame/icons.tsx'
import { useSize } from '../frame/size.ts'
import { Splitter } from '../frame/splitter.tsx'
import { panelProps, Tabs } from '../frame/tabs.tsx'
import { operationNameAt, operationNamesIn } from '../graph/operation.ts'
import { runKeys } from '../keys.ts'
import type { Place } from '../schema/search.ts'
import { CodeEditor } from './code-editor.tsx'
import { formatGraphql, formatJson } from './format.ts'
import { graphqlLanguage, jsonLanguage } from './languages.ts'
import { titleOf, type Workspace } from './workspace.ts'

export interface OperationPaneProps {
  readonly workspace: Workspace
  readonly schema: GraphQLSchema | undefined
  readonly running: boolean
  /** The name is given if the document holds several operations. */
  readonly onRun: (operationName: string | undefined) => void
  readonly onExplain: (operationName: string | undefined) => void
  readonly onStop: () => void
  readonly onShowInDocs: (place: Place) => void
}

type Drawer = 'variables' | 'headers'

export function OperationPane(props: OperationPaneProps) {
  const { workspace, schema, running } = props
  const { current } = workspace
  const [drawer, setDrawer] = useState<Drawer>('variables')
  const [height, setHeight] = useSize('drawer', 180)
  const [fault, setFault] = useState<string>()
  const view = useRef<EditorView>(undefined)
  const names = useMemo(() => operationNamesIn(current.query), [current.query])
  const [picked, setPicked] = useState<string>()
  const several = names.length > 1
  const operationName = several ? (names.find((name) => name === picked) ?? names[0]) : undefined

  const latest = useRef({ ...props, operationName })
  latest.current = { ...props, operationName }

  const languages = useMemo(() => {
    const runAtCursor = (editor: EditorView): boolean => {
      const text = editor.state.doc.toString()
      const known = operationNamesIn(text)
      const name =
        known.length > 1 ? (operationNameAt(text, editor.state.selection.main.head) ?? known[0]) : undefined
      latest.current.onRun(name)
      return true
    }
    const run = Prec.highest(keymap.of([{ key: 'Mod-Enter', run: runAtCursor }]))
    const runPicked = Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: () => {
            latest.current.onRun(latest.current.operationName)
            return true
          },
        },
      ]),
    )
    const onShowInDocs = ({ type, field }: { readonly type?: string; readonly field?: string }): void => {
      if (type !== undefined) latest.current.onShowInDocs({ type, ...(field === undefined ? {} : { field }) })
    }
    return {
      operation: [run, graphqlLanguage({ onShowInDocs })],
      variables: [runPicked, jsonLanguage()],
      headers: [runPicked, jsonLanguage()],
    }
  }, [])

  useEffect(() => {
    if (view.current !== undefined) updateSchema(view.current, schema)
  }, [schema])

  const format = (): void => {
    workspace.change({ variables: formatJson(current.variables), headers: formatJson(current.headers) })
    formatGraphql(current.query).then(
      (query) => {
        setFault(undefined)
        workspace.change({ query })
      },
      () => setFault('This cannot be formatted: it is not valid GraphQL.'),
    )
  }
  const copy = (): void => {
    navigator.clipboard.writeText(current.query).catch(() => setFault('The browser does not let us copy.'))
  }

  return (
    <section className="operation" aria-label="Operation">
      <div className="pane-head">
        <ul className="drafts" aria-label="Open operations">
          {workspace.drafts.map((draft) => {
            const title = titleOf(draft)
            const isCurrent = draft.id === current.id
            return (
              <li key={draft.id} className={isCurrent ? 'draft draft-current' : 'draft'}>
                <button
                  type="button"
                  aria-current={isCurrent ? 'true' : undefined}
                  onClick={() => workspace.select(draft.id)}
                >
                  {title}
                </button>
                {workspace.drafts.length > 1 ? (
                  <button
                    type="button"
                    className="draft-close"
                    aria-label={`Close ${title}`}
                    onClick={() => workspace.close(draft.id)}
                  >
                    <CloseIcon />
                  </button>
                ) : null}
              </li>
            )
          })}
        </ul>
        <button
          type="button"
          className="tool tool-bare"
          aria-label="New operation"
          title="New operation"
          onClick={() => workspace.open({ query: '', variables: '', headers: '' })}
        >
          <PlusIcon />
        </button>
      </div>
      <div className="toolbar" role="toolbar" aria-label="Operation">
        {running ? (
          <button type="button" className="tool tool-primary run" onClick={props.onStop}>
            <StopIcon />
            Stop
          </button>
        ) : (
          <button
            type="button"
            className="tool tool-primary run"
            title={`Run (${runKeys})`}
            onClick={() => props.onRun(operationName)}
          >
            <RunIcon />
            Run
          </button>
        )}
        {several ? (
          <select
            aria-label="Which operation to run"
            className="tool"
            value={operationName}
            onChange={(event) => setPicked(event.currentTarget.value)}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        ) : null}
        <button
          type="button"
          className="tool"
          title="What would this need and cost? Nothing is run"
          onClick={() => props.onExplain(operationName)}
        >
          <ExplainIcon />
          Explain
        </button>
        <span className="spring" />
        <button type="button" className="tool tool-bare" aria-label="Format" title="Format" onClick={format}>
          <FormatIcon />
        </button>
        <button type="button" className="tool tool-bare" aria-label="Copy" title="Copy" onClick={copy}>
          <CopyIcon />
        </button>
      </div>
      {fault === undefined ? null : (
        <p className="notice notice-failed" role="alert">
          {fault}
          <span className="spring" />
          <button
            type="button"
            className="tool tool-bare"
            aria-label="Dismiss"
            onClick={() => setFault(undefined)}
          >
            <CloseIcon />
          </button>
        </p>
      )}
      <div className="operation-text">
        <CodeEditor
          label="Operation"
          documentId={current.id}
          value={current.query}
          extensions={languages.operation}
          placeholder="Write a GraphQL operation, or open an example"
          onChange={(query) => workspace.change({ query })}
          onView={(made) => {
            view.current = made
            if (made !== undefined) updateSchema(made, latest.current.schema)
          }}
        />
      </div>
      <Splitter
        label="Height of the variables"
        orientation="horizontal"
        value={height}
        min={80}
        max={600}
        scale={-1}
        onChange={setHeight}
      />
      <div className="drawer" style={{ height }}>
        <Tabs
          label="Beside the operation"
          name="drawer"
          tabs={[
            { id: 'variables', title: 'Variables' },
            { id: 'headers', title: 'Headers' },
          ]}
          value={drawer}
          onChange={setDrawer}
        />
        <div className="drawer-text" {...panelProps('drawer', drawer)}>
          {drawer === 'variables' ? (
            <CodeEditor
              key="variables"
              label="Variables, as JSON"
              documentId={`${current.id} variables`}
              value={current.variables}
              extensions={languages.variables}
              placeholder="{}"
              onChange={(variables) => workspace.change({ variables })}
            />
          ) : (
            <CodeEditor
              key="headers"
              label="Headers, as JSON"
              documentId={`${current.id} headers`}
              value={current.headers}
              extensions={languages.headers}
              placeholder='{ "name": "value" }'
              onChange={(headers) => workspace.change({ headers })}
            />
          )}
        </div>
      </div>
    </section>
  )
}
