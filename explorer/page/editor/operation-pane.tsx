/** The panel of the operation: its tabs, its toolbar, its text, its price, and its variables. */
import type { EditorView } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import { useEffect, useMemo, useRef } from 'react'
import { Button, IconButton } from '../frame/button.tsx'
import { CloseIcon, ExplainIcon, FormatIcon, PlusIcon, RunIcon, SaveIcon, StopIcon } from '../frame/icons.tsx'
import { Menu } from '../frame/menu.tsx'
import { runKeys, saveKeys } from '../keys.ts'
import { plural } from '../result/amounts.ts'
import { CodeEditor } from './code-editor.tsx'
import { Drawer } from './drawer.tsx'
import { graphqlLanguage, jsonLanguage, lookAgain, marking } from './languages.ts'
import type { Bench } from './use-bench.ts'
import { emptyDraft, titleOf } from './workspace.ts'

interface Props {
  readonly bench: Bench
}

export function OperationPane({ bench }: Props) {
  const { workspace, loaded: schema, faults } = bench
  const { current } = workspace
  const view = useRef<EditorView>(undefined)
  const variablesView = useRef<EditorView>(undefined)
  const latest = useRef(bench)
  latest.current = bench
  const languages = useMemo(
    () => ({
      operation: [
        graphqlLanguage((place) => latest.current.go(place)),
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
      <DraftsBar bench={bench} />
      <Toolbar bench={bench} />
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
            bench.onView(made)
            if (made !== undefined) updateSchema(made, latest.current.loaded)
          }}
        />
      </div>
      <PriceLine bench={bench} />
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

/** The open operations as tabs, and a button for a new one. */
function DraftsBar({ bench: { workspace } }: Props) {
  const { drafts, current } = workspace
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab of another one is to be seen
  useEffect(() => {
    list.current?.querySelector('.draft-current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current.id])
  return (
    <div className="pane-head">
      <ul ref={list} className="drafts" aria-label="Open operations">
        {drafts.map((draft) => {
          const title = titleOf(draft)
          const isCurrent = draft.id === current.id
          return (
            <li key={draft.id} className={isCurrent ? 'draft draft-current' : 'draft'}>
              <button
                type="button"
                className="cut"
                aria-current={isCurrent ? 'true' : undefined}
                onClick={() => workspace.select(draft.id)}
              >
                {title}
              </button>
              {drafts.length > 1 ? (
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
      <IconButton label="New operation" onClick={() => workspace.open(emptyDraft)}>
        <PlusIcon />
      </IconButton>
    </div>
  )
}

function Toolbar({ bench: { running, names, operationName, onPick, actions, shareItems } }: Props) {
  return (
    <div className="toolbar" role="toolbar" aria-label="Operation">
      {running.isRunning ? (
        <Button look="primary" className="run" onClick={actions.stop}>
          <StopIcon />
          Stop
        </Button>
      ) : (
        <Button
          look="primary"
          className="run"
          title={`Run (${runKeys})`}
          onClick={() => running.send(operationName)}
        >
          <RunIcon />
          Run
        </Button>
      )}
      {names.length > 1 ? (
        <select
          aria-label="Which operation to run"
          className="tool"
          value={operationName}
          onChange={(event) => onPick(event.currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      ) : null}
      <span className="spring" />
      <IconButton label="Save" title={`Save (${saveKeys})`} onClick={actions.save}>
        <SaveIcon />
      </IconButton>
      <IconButton label="Format" onClick={actions.format}>
        <FormatIcon />
      </IconButton>
      <Menu label="Share or copy" title="Share" items={shareItems} />
    </div>
  )
}

/** The price of the operation, which opens the explanation, and variables without a value. */
function PriceLine({ bench: { price, faults, actions } }: Props) {
  const { missingNames } = faults
  return (
    <div className="price-line">
      <button
        type="button"
        className="price"
        title="What it needs and costs at most. Nothing is run."
        onClick={actions.explain}
      >
        <ExplainIcon />
        {price === undefined ? (
          'Explain'
        ) : (
          <>
            <span className="visually-hidden">Explain: </span>
            <span>
              {plural(price.calls, 'call')} · {plural(price.units, 'unit')}
            </span>
            {price.missing.length === 0 ? null : (
              <span className="badge badge-scope">{plural(price.missing.length, 'scope')} missing</span>
            )}
          </>
        )}
      </button>
      <span className="spring" />
      {missingNames.length === 0 ? null : (
        <span className="price-fault" role="status">
          No value: {missingNames.map((name) => `$${name}`).join(', ')}
        </span>
      )}
    </div>
  )
}
