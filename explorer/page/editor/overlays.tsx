/** The dialogs over the editor. They are loaded as soon as the editor is shown. */

import { shortcuts } from '../keys.ts'
import { useLoadedSchema } from '../schema/load.ts'
import { MapDialog } from '../schema/map/map-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Overlay } from '../ui/overlay.ts'
import { Palette } from '../ui/palette.tsx'
import { UploadDialog } from '../upload/upload-dialog.tsx'
import { usePageCommands } from './page-commands.ts'
import { SaveDialog } from './save-dialog.tsx'

export function Overlays({ shown }: { readonly shown: Overlay }) {
  const schema = useLoadedSchema()
  const commands = usePageCommands()
  switch (shown) {
    case 'palette':
      return <Palette commands={commands} />
    case 'shortcuts':
      return <ShortcutList />
    case 'save':
      return <SaveDialog />
    case 'upload':
      return <UploadDialog />
    case 'map':
      return schema === undefined ? null : <MapDialog schema={schema} />
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
