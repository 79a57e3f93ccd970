/** The dialogs over the editor. They are loaded when the first one is opened. */
import { Dialog } from '../frame/dialog.tsx'
import { Palette } from '../frame/palette.tsx'
import { useStoredList } from '../frame/stored-list.ts'
import { shortcuts } from '../keys.ts'
import { MapDialog } from '../schema/map/map-dialog.tsx'
import { UploadDialog } from '../upload/upload-dialog.tsx'
import { pageCommands } from './page-commands.ts'
import { SaveDialog } from './save-dialog.tsx'
import { saved } from './saved.ts'
import type { Bench, Overlay } from './use-bench.ts'

export interface OverlaysProps {
  readonly bench: Bench
  readonly overlay: Overlay
  readonly onClose: () => void
}

export function Overlays({ bench, overlay, onClose }: OverlaysProps) {
  const { actions, workspace, loaded } = bench
  const kept = useStoredList(saved)
  switch (overlay) {
    case 'palette':
      return <Palette commands={pageCommands(bench, kept)} onClose={onClose} />
    case 'shortcuts':
      return <ShortcutList onClose={onClose} />
    case 'save':
      return <SaveDialog draft={workspace.current} onClose={onClose} />
    case 'upload':
      return <UploadDialog onAsk={bench.askForUpload} onClose={onClose} />
    case 'map':
      return loaded === undefined ? null : (
        <MapDialog
          schema={loaded}
          onGo={(place) => {
            onClose()
            actions.go(place)
          }}
          onClose={onClose}
        />
      )
  }
}

function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keyboard shortcuts" className="shortcuts" head={null} onClose={onClose}>
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
