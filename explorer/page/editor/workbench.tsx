/**
 * Our own editor: the library, the operation and the result side by side; on a narrow screen one at a time, under
 * tabs. Loaded when it is first shown.
 */
import { type CSSProperties, useRef, useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { useSize } from '../frame/size.ts'
import { Splitter } from '../frame/splitter.tsx'
import { Tabs } from '../frame/tabs.tsx'
import type { Theme } from '../frame/theme.ts'
import type { Operation } from '../graph/operation.ts'
import type { Sender } from '../graph/send.ts'
import { type Session, useSession } from '../graph/session.ts'
import type { Finding } from '../result/finding.ts'
import { ResultPane } from '../result/result-pane.tsx'
import { useSchema } from '../schema/load.ts'
import type { Place } from '../schema/search.ts'
import type { SignInWish } from '../sign-in/types.ts'
import { objectFrom } from './format.ts'
import { Library, type Shelf } from './library.tsx'
import { OperationPane } from './operation-pane.tsx'
import { type Draft, draftOf, useWorkspace } from './workspace.ts'

export interface WorkbenchProps {
  readonly endpoint: string
  readonly examples: readonly Example[]
  readonly session: Session
  readonly sender: Sender
  readonly theme: Theme
  readonly minting: boolean
  readonly finding: Finding | undefined
  readonly onClear: () => void
  readonly onPasteToken: () => void
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
}

type Panel = 'library' | 'operation' | 'result'

/** What went with the last request, to send it again. */
interface Asked {
  readonly operationName: string | undefined
  readonly explain: boolean | undefined
}

export function Workbench(props: WorkbenchProps) {
  const { endpoint, examples, session, sender, theme, minting, finding } = props
  const [schema, reload] = useSchema(endpoint, session)
  const workspace = useWorkspace(examples)
  const state = useSession(session)
  const [panel, setPanel] = useState<Panel>('operation')
  const [shelf, setShelf] = useState<Shelf>('examples')
  const [trail, setTrail] = useState<readonly Place[]>([])
  const [running, setRunning] = useState<AbortController>()
  const [fault, setFault] = useState<string>()
  const asked = useRef<Asked>({ operationName: undefined, explain: undefined })
  const [libraryWidth, setLibraryWidth] = useSize('library', 264)
  const [share, setShare] = useSize('operation', 46)
  const panes = useRef<HTMLDivElement>(null)
  const { current } = workspace

  const send = (operationName: string | undefined, explain?: boolean): void => {
    const variables = objectFrom(current.variables)
    const headers = objectFrom(current.headers)
    if (variables === undefined || headers === undefined) {
      setFault(`The ${variables === undefined ? 'variables' : 'headers'} are not a JSON object.`)
      return
    }
    if (current.query.trim() === '') return
    setFault(undefined)
    asked.current = { operationName, explain }
    running?.abort('leave')
    const stop = new AbortController()
    setRunning(stop)
    setPanel('result')
    workspace.remember(current)
    const operation: Operation = { query: current.query, operationName, variables }
    sender
      .send(operation, {
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        signal: stop.signal,
        ...(explain === undefined ? {} : { explain }),
      })
      .catch(() => {})
      .finally(() => setRunning((now) => (now === stop ? undefined : now)))
  }
  const again = (): void => send(asked.current.operationName, asked.current.explain)
  const latest = useRef(again)
  latest.current = again

  const open = (draft: Draft): void => {
    running?.abort('leave')
    workspace.open(draft)
    props.onClear()
    setFault(undefined)
    setPanel('operation')
  }
  const addScopes = (scopes: readonly string[]): void => {
    session.pick([...new Set([...session.state.scopes, ...scopes])]).then(
      () => latest.current(),
      () => {},
    )
  }
  const currentExample = examples.find(({ document }) => document === current.query)?.id

  const columns = {
    '--library': `${libraryWidth}px`,
    '--operation': `${share}fr`,
    '--result': `${100 - share}fr`,
  } as CSSProperties

  return (
    <div ref={panes} className="workbench" data-panel={panel} style={columns}>
      <Tabs
        label="Parts of the page"
        name="part"
        className="parts"
        tabs={[
          { id: 'library', title: 'Library' },
          { id: 'operation', title: 'Operation' },
          { id: 'result', title: 'Result' },
        ]}
        value={panel}
        onChange={setPanel}
      />
      <div className="part part-library" id="part-panel-library">
        <Library
          examples={examples}
          currentExample={currentExample}
          onExample={(example) => open(draftOf(example))}
          schema={schema}
          onReload={reload}
          past={workspace.past}
          onDraft={open}
          shelf={shelf}
          onShelf={setShelf}
          trail={trail}
          onTrail={setTrail}
        />
      </div>
      <Splitter
        label="Width of the library"
        orientation="vertical"
        value={libraryWidth}
        min={200}
        max={520}
        onChange={setLibraryWidth}
      />
      <div className="part part-operation" id="part-panel-operation">
        {fault === undefined ? null : (
          <p className="notice notice-failed" role="alert">
            {fault}
          </p>
        )}
        <OperationPane
          workspace={workspace}
          schema={schema.kind === 'loaded' ? schema.schema : undefined}
          running={running !== undefined}
          onRun={(name) => send(name)}
          onExplain={(name) => send(name, true)}
          onStop={() => running?.abort('stop')}
          onShowInDocs={(place) => {
            setShelf('schema')
            setTrail([...trail, place])
            setPanel('library')
          }}
        />
      </div>
      <Splitter
        label="Width of the operation"
        orientation="vertical"
        value={share}
        min={20}
        max={75}
        scale={((panes.current?.clientWidth ?? 1200) - libraryWidth) / 100}
        onChange={setShare}
      />
      <div className="part part-result" id="part-panel-result">
        <ResultPane
          finding={finding}
          running={running !== undefined}
          theme={theme}
          session={state}
          minting={minting}
          onAddScopes={addScopes}
          addLabel="Add and run again"
          onPasteToken={props.onPasteToken}
          onSignIn={props.onSignIn}
          onRetry={again}
        />
      </div>
    </div>
  )
}
