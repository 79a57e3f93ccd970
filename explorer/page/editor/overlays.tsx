/** The dialogs over the editor. They are loaded when the first one is opened. */
import { Dialog } from '../frame/dialog.tsx'
import { closeOverlay, type Overlay } from '../frame/overlay.ts'
import { Palette } from '../frame/palette.tsx'
import { shortcuts } from '../keys.ts'
import { MapDialog } from '../schema/map/map-dialog.tsx'
import { UploadDialog } from '../upload/upload-dialog.tsx'
import { pageCommands } from './page-commands.ts'
import { SaveDialog } from './save-dialog.tsx'
import { saved } from './saved.ts'
import type { Bench } from './use-bench.ts'

export function Overlays({ bench, shown }: { readonly bench: Bench; readonly shown: Overlay }) {
  const { actions, workspace, loaded } = bench
  const kept = saved.use()
  switch (shown) {
    case 'palette':
      return <Palette commands={pageCommands(bench, kept)} />
    case 'shortcuts':
      return <ShortcutList />
    case 'save':
      return <SaveDialog draft={workspace.current} />
    case 'upload':
      return <UploadDialog onAsk={bench.askForUpload} />
    case 'map':
      return loaded === undefined ? null : (
        <MapDialog
          schema={loaded}
          onGo={(place) => {
            closeOverlay()
            actions.go(place)
          }}
        />
      )
  }
}

function ShortcutList() {
  return (
    <Dialog label="Keyboard shortcuts" className="shortcuts" head={null}>
      {shortcuts.map(([group, list]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {list.map(([keys, does]) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  <kbd>{keys}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
