/** The list of keyboard shortcuts. */
import { shortcuts } from '../keys.ts'
import { Dialog } from './dialog.tsx'

export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keyboard shortcuts" className="shortcuts" head={null} onClose={onClose}>
      {shortcuts.map(([group, list]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {list.map(({ keys, does }) => (
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
