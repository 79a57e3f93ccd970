/**
 * Our own editor: library, operation and result side by side. On a narrow screen, tabs show one of them. It is
 * loaded when it is first shown.
 */
import { type CSSProperties, lazy, Suspense, useRef } from 'react'
import { useSize } from '../frame/size.ts'
import { Splitter } from '../frame/splitter.tsx'
import { Tabs } from '../frame/tabs.tsx'
import { ResultPane } from '../result/result-pane.tsx'
import { Library } from './library.tsx'
import { OperationPane } from './operation-pane.tsx'
import { useBench, type WorkbenchProps } from './use-bench.ts'
import { draftOf } from './workspace.ts'

const Overlays = lazy(async () => ({ default: (await import('./overlays.tsx')).Overlays }))

export function Workbench(props: WorkbenchProps) {
  const bench = useBench(props)
  const { workspace, running, actions } = bench
  const [libraryWidth, setLibraryWidth] = useSize('library', 360)
  const [share, setShare] = useSize('operation', 46)
  const panes = useRef<HTMLDivElement>(null)
  const columns = {
    '--library': `${libraryWidth}px`,
    '--operation': `${share}fr`,
    '--result': `${100 - share}fr`,
  } as CSSProperties
  return (
    <div ref={panes} className="workbench" data-panel={bench.panel} style={columns}>
      <Tabs
        label="Parts of the page"
        name="part"
        className="parts"
        tabs={[
          { id: 'library', title: 'Library' },
          { id: 'operation', title: 'Operation' },
          { id: 'result', title: 'Result' },
        ]}
        value={bench.panel}
        onChange={bench.setPanel}
      />
      <div className="part part-library" id="part-panel-library">
        <Library
          examples={props.examples}
          currentExample={props.examples.find(({ document }) => document === workspace.current.query)?.id}
          onExample={(example) => actions.open(draftOf(example))}
          schema={bench.schema}
          onReload={bench.reload}
          workspace={workspace}
          onDraft={actions.open}
          onSave={actions.save}
          onMap={actions.map}
          onSdl={actions.sdl}
          shelf={bench.shelf}
          onShelf={bench.setShelf}
          trail={bench.trail}
          onTrail={bench.setTrail}
        />
      </div>
      <Splitter
        label="Width of the library"
        orientation="vertical"
        value={libraryWidth}
        min={220}
        max={560}
        onChange={setLibraryWidth}
      />
      <div className="part part-operation" id="part-panel-operation">
        {running.fault === undefined ? null : (
          <p className="notice notice-failed" role="alert">
            {running.fault}
          </p>
        )}
        <OperationPane {...bench.operationProps} />
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
        <ResultPane {...bench.resultProps} />
      </div>
      {props.overlay === undefined ? null : (
        <Suspense fallback={null}>
          <Overlays bench={bench} overlay={props.overlay} onClose={() => props.onOverlay(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
