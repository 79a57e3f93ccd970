/** The panel of the operation: its tabs, its toolbar, its text, its price, and its variables. */
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { updateSchema } from 'cm6-graphql'
import { useEffect, useMemo, useRef, useState } from 'react'
import { operationNamesIn } from '../graph/operation.ts'
import { runKeys, saveKeys } from '../keys.ts'
import { plural } from '../result/format-numbers.ts'
import { loadedSchema, useLoadedSchema } from '../schema/load.ts'
import { shareItems } from '../share/share-items.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CloseIcon, ExplainIcon, FormatIcon, PlusIcon, RunIcon, SaveIcon, StopIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import { overlay } from '../ui/overlay.ts'
import { Splitter, useSize } from '../ui/splitter.tsx'
import { panelProps, Tabs } from '../ui/tabs.tsx'
import { explainOpen, format } from './actions.ts'
import { nameToRun, noteEditor, picked } from './chosen-operation.ts'
import { CodeEditor } from './code-editor.tsx'
import { graphqlLanguage, jsonLanguage, lookAgain, marking } from './languages.ts'
import { goTo } from './navigation.ts'
import { run, stop, useIsRunning } from './run.ts'
import { usePrice } from './use-price.ts'
import { type VariableFaults, variableFaults } from './variable-faults.ts'
import {
  changeDraft,
  closeDraft,
  emptyDraft,
  type OpenDraft,
  openDraft,
  selectDraft,
  titleOf,
  useCurrentDraft,
  useDrafts,
} from './workspace.ts'

export function OperationPane() {
  const current = useCurrentDraft()
  const schema = useLoadedSchema()
  const { query, variables } = current
  const names = useMemo(() => operationNamesIn(query), [query])
  picked.use()
  const operationName = nameToRun(names)
  const faults = useMemo(
    () => variableFaults(query, variables, operationName),
    [query, variables, operationName],
  )
  const view = useRef<EditorView>(undefined)
  const drawerView = useRef<EditorView>(undefined)
  const latest = useRef(faults)
  latest.current = faults
  const languages = useMemo(
    () => ({
      operation: [graphqlLanguage(goTo), marking(() => latest.current.missing)],
      variables: [jsonLanguage(), marking(() => latest.current.undeclared)],
      headers: [jsonLanguage()],
    }),
    [],
  )
  useEffect(() => {
    if (view.current !== undefined) updateSchema(view.current, schema)
  }, [schema])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks change with the faults only
  useEffect(() => {
    for (const editor of [view.current, drawerView.current]) editor?.dispatch({ effects: lookAgain.of(null) })
  }, [faults])
  return (
    <section className="operation column fill" aria-label="Operation">
      <DraftsBar />
      <Toolbar names={names} operationName={operationName} />
      <div className="operation-text">
        <CodeEditor
          label="Operation"
          documentId={current.id}
          value={current.query}
          extensions={languages.operation}
          placeholder="Write a GraphQL operation, or open an example"
          takesFocus
          onChange={(text) => changeDraft({ query: text })}
          onView={(made) => {
            view.current = made
            noteEditor(made)
            if (made !== undefined) updateSchema(made, loadedSchema())
          }}
        />
      </div>
      <PriceLine draft={current} faults={faults} />
      <Drawer
        languages={languages}
        onView={(made) => {
          drawerView.current = made
        }}
      />
    </section>
  )
}

/** The open operations as tabs, and a button for a new one. */
function DraftsBar() {
  const drafts = useDrafts()
  const current = useCurrentDraft()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab of another one is to be seen
  useEffect(() => {
    list.current?.querySelector('.draft-current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current.id])
  return (
    <div className="pane-head row">
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
                onClick={() => selectDraft(draft.id)}
              >
                {title}
              </button>
              {drafts.length > 1 ? (
                <button
                  type="button"
                  className="draft-close"
                  aria-label={`Close ${title}`}
                  onClick={() => closeDraft(draft.id)}
                >
                  <CloseIcon />
                </button>
              ) : null}
            </li>
          )
        })}
      </ul>
      <IconButton label="New operation" onClick={() => openDraft(emptyDraft)}>
        <PlusIcon />
      </IconButton>
    </div>
  )
}

interface ToolbarProps {
  /** The names of the operations, and that of the one that is run. */
  readonly names: readonly string[]
  readonly operationName: string | undefined
}

function Toolbar({ names, operationName }: ToolbarProps) {
  return (
    <div className="toolbar row" role="toolbar" aria-label="Operation">
      {useIsRunning() ? (
        <Button look="primary" className="run" onClick={stop}>
          <StopIcon />
          Stop
        </Button>
      ) : (
        <Button look="primary" className="run" title={`Run (${runKeys})`} onClick={() => run(operationName)}>
          <RunIcon />
          Run
        </Button>
      )}
      {names.length > 1 ? (
        <select
          aria-label="Which operation to run"
          className="tool"
          value={operationName}
          onChange={(event) => picked.set(event.currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      ) : null}
      <span className="spring" />
      <IconButton label="Save" title={`Save (${saveKeys})`} onClick={() => overlay.set('save')}>
        <SaveIcon />
      </IconButton>
      <IconButton label="Format" onClick={() => void format()}>
        <FormatIcon />
      </IconButton>
      <Menu label="Share or copy" title="Share" items={shareItems} />
    </div>
  )
}

/** The price of the operation, which opens the explanation, and variables without a value. */
function PriceLine({ draft, faults }: { readonly draft: OpenDraft; readonly faults: VariableFaults }) {
  const { missingNames } = faults
  const price = usePrice(draft, missingNames.length === 0)
  return (
    <div className="price-line row">
      <button
        type="button"
        className="price row"
        title="What it needs and costs at most. Nothing is run."
        onClick={explainOpen}
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

const drawerTabs = [
  { id: 'variables', title: 'Variables', placeholder: '{}' },
  { id: 'headers', title: 'Headers', placeholder: '{ "name": "value" }' },
] as const

type DrawerTab = (typeof drawerTabs)[number]['id']

interface DrawerProps {
  readonly languages: Readonly<Record<DrawerTab, readonly Extension[]>>
  readonly onView: (view: EditorView | undefined) => void
}

/** The variables and the headers of the operation, below it. */
function Drawer({ languages, onView }: DrawerProps) {
  const current = useCurrentDraft()
  const [shown, setShown] = useState<DrawerTab>('variables')
  const height = useSize('drawer', [80, 180, 600])
  return (
    <>
      <Splitter label="Height of the variables" orientation="horizontal" size={height} scale={-1} />
      <div className="drawer column" style={{ height: height.value }}>
        <Tabs
          label="Beside the operation"
          name="drawer"
          tabs={drawerTabs}
          value={shown}
          onChange={setShown}
        />
        <div className="fill" {...panelProps('drawer', shown)}>
          {drawerTabs
            .filter(({ id }) => id === shown)
            .map(({ id, title, placeholder }) => (
              <CodeEditor
                key={id}
                label={`${title}, as JSON`}
                documentId={`${current.id} ${id}`}
                value={current[id]}
                extensions={languages[id]}
                placeholder={placeholder}
                onChange={(text) => changeDraft({ [id]: text })}
                onView={onView}
              />
            ))}
        </div>
      </div>
    </>
  )
}
