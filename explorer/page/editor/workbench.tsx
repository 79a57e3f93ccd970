/**
 * Our own editor: library, operation and result side by side. On a narrow screen, tabs show one of them. It is
 * loaded when it is first shown.
 */
import { type CSSProperties, lazy, Suspense, useRef } from 'react'
import { overlay } from '../frame/overlay.ts'
import { Splitter, useSize } from '../frame/splitter.tsx'
import { Tabs } from '../frame/tabs.tsx'
import { ResultPane } from '../result/result-pane.tsx'
import { Library } from './library.tsx'
import { OperationPane } from './operation-pane.tsx'
import { useBench } from './use-bench.ts'

const Overlays = lazy(async () => ({ default: (await import('./overlays.tsx')).Overlays }))

const parts = [
  { id: 'library', title: 'Library' },
  { id: 'operation', title: 'Operation' },
  { id: 'result', title: 'Result' },
] as const

export function Workbench() {
  const bench = useBench()
  const shown = overlay.use()
  const { panel, running } = bench
  const library = useSize('library', [220, 360, 560])
  const share = useSize('operation', [20, 46, 75])
  const panes = useRef<HTMLDivElement>(null)
  const columns = {
    '--library': `${library.value}px`,
    '--operation': `${share.value}fr`,
    '--result': `${100 - share.value}fr`,
  } as CSSProperties
  const scale = ((panes.current?.clientWidth ?? 1200) - library.value) / 100
  return (
    <div ref={panes} className="workbench" data-panel={panel} style={columns}>
      <Tabs
        label="Parts of the page"
        name="part"
        className="parts"
        tabs={parts}
        value={panel}
        onChange={bench.setPanel}
      />
      <div className="part part-library" id="part-panel-library">
        <Library bench={bench} />
      </div>
      <Splitter label="Width of the library" orientation="vertical" size={library} />
      <div className="part part-operation" id="part-panel-operation">
        {running.fault === undefined ? null : (
          <p className="notice notice-failed" role="alert">
            {running.fault}
          </p>
        )}
        <OperationPane bench={bench} />
      </div>
      <Splitter label="Width of the operation" orientation="vertical" size={share} scale={scale} />
      <div className="part part-result" id="part-panel-result">
        <ResultPane {...bench.resultProps} />
      </div>
      {shown === undefined ? null : (
        <Suspense fallback={null}>
          <Overlays bench={bench} shown={shown} />
        </Suspense>
      )}
    </div>
  )
}
