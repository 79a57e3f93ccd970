/**
 * Our own editor: library, operation and result side by side. On a narrow screen, tabs show one of them. It is
 * loaded when it is first shown.
 */
import { type CSSProperties, useEffect, useRef } from 'react'
import { listenToPageKeys } from '../keys.ts'
import { ResultPane } from '../result/result-pane.tsx'
import { loadSchema } from '../schema/load.ts'
import { overlay } from '../ui/overlay.ts'
import { Splitter, useSize } from '../ui/splitter.tsx'
import { createStore } from '../ui/store.ts'
import { Tabs } from '../ui/tabs.tsx'
import { find, runOpen, togglePalette } from './actions.ts'
import { Library } from './library.tsx'
import { panel } from './navigation.ts'
import { OperationPane } from './operation-pane.tsx'
import { runArriving, useFault } from './run.ts'
import { followLinks } from './shared-link.ts'

/**
 * Loaded before a dialog is opened: until it shows, the keys that are typed for it go into the editor. A component by
 * `lazy` shows late when it is first opened, although it is loaded (findings/react-lazy-loaded-shows-late.sh).
 */
const overlays = createStore<typeof import('./overlays.tsx').Overlays | undefined>(undefined)
const loadOverlays = () => void import('./overlays.tsx').then((loaded) => overlays.set(loaded.Overlays))

const parts = [
  { id: 'library', title: 'Library' },
  { id: 'operation', title: 'Operation' },
  { id: 'result', title: 'Result' },
] as const

loadSchema()
runArriving()
listenToPageKeys({
  run: runOpen,
  palette: togglePalette,
  save: () => overlay.set('save'),
  find,
  shortcuts: () => overlay.set('shortcuts'),
})

export function Workbench() {
  useEffect(followLinks, [])
  useEffect(() => {
    loadOverlays()
    // Each dialog tries it again, if it failed before.
    return overlay.subscribe(loadOverlays)
  }, [])
  const shown = overlay.use()
  const Overlays = overlays.use()
  const part = panel.use()
  const reason = useFault()
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
    <div ref={panes} className="workbench" data-panel={part} style={columns}>
      <Tabs
        label="Parts of the page"
        name="part"
        className="parts"
        tabs={parts}
        value={part}
        onChange={panel.set}
      />
      <div className="part part-library column" id="part-panel-library">
        <Library />
      </div>
      <Splitter label="Width of the library" orientation="vertical" size={library} />
      <div className="part part-operation column" id="part-panel-operation">
        {reason === undefined ? null : (
          <p className="notice row notice-failed" role="alert">
            {reason}
          </p>
        )}
        <OperationPane />
      </div>
      <Splitter label="Width of the operation" orientation="vertical" size={share} scale={scale} />
      <div className="part part-result column" id="part-panel-result">
        <ResultPane />
      </div>
      {shown === undefined || Overlays === undefined ? null : <Overlays shown={shown} />}
    </div>
  )
}
