/** Saved operations in folders. They can be opened, renamed, moved, deleted, and exported as `.graphql` files. */
import { useRef, useState } from 'react'
import { plural } from '../result/format-numbers.ts'
import { Button } from '../ui/button.tsx'
import { download, fileName } from '../ui/copy-and-download.ts'
import { say } from '../ui/feedback.tsx'
import { Menu } from '../ui/menu.tsx'
import { overlay } from '../ui/overlay.ts'
import { open } from './actions.ts'
import { firstLineOf } from './history.ts'
import { SaveDialog } from './save-dialog.tsx'
import { fileOf, foldersOf, importFile, longestFile, removeSaved, type Saved, saved } from './saved.ts'

const exportFile = (name: string, items: readonly Saved[]): void =>
  download(`${fileName(name)}.graphql`, fileOf(items), 'application/graphql')

export function SavedShelf() {
  const items = saved.use()
  const [moving, setMoving] = useState<Saved>()
  return (
    <>
      <div className="shelf-tools row">
        <Button onClick={() => overlay.set('save')}>Save this one</Button>
        <ImportButton />
        <Button disabled={items.length === 0} onClick={() => exportFile('operations', items)}>
          Export all
        </Button>
      </div>
      {items.length === 0 ? (
        <p className="quiet library-note">
          Save an operation to find it here again. This browser keeps it, without its headers; files carry it
          to others.
        </p>
      ) : null}
      {foldersOf(items).map(([folder, list]) => (
        <details key={folder} className="folder" open>
          <summary>
            {folder === '' ? 'In no folder' : folder} <span className="quiet">{list.length}</span>
          </summary>
          <ul className="entries" aria-label={folder === '' ? 'In no folder' : folder}>
            {list.map((item) => (
              <li key={item.id}>
                <button type="button" className="entry fill" onClick={() => open(item)}>
                  <span className="example-title">{item.title}</span>
                  <code className="entry-line quiet cut">{firstLineOf(item.query)}</code>
                </button>
                <Menu
                  label={`More of ${item.title}`}
                  items={[
                    { id: 'move', title: 'Rename or move…', run: () => setMoving(item) },
                    { id: 'export', title: 'Export as a file', run: () => exportFile(item.title, [item]) },
                    { id: 'delete', title: 'Delete', run: () => removeSaved(item.id) },
                  ]}
                />
              </li>
            ))}
          </ul>
          <Button look="link" onClick={() => exportFile(folder || 'operations', list)}>
            Export {folder === '' ? 'these' : 'this folder'}
          </Button>
        </details>
      ))}
      {moving === undefined ? null : <SaveDialog moving={moving} onClose={() => setMoving(undefined)} />}
    </>
  )
}

function ImportButton() {
  const input = useRef<HTMLInputElement>(null)
  const read = async (files: readonly File[]): Promise<void> => {
    let count = 0
    for (const file of files) {
      const added = file.size > longestFile ? undefined : importFile(file.name, await file.text())
      if (added === undefined) {
        say(`${file.name} was not imported: it is too large, or there is no room for more.`, true)
        return
      }
      count += added
    }
    if (count === 0) say('No operation was found in it.', true)
    else say(`${plural(count, 'operation')} imported.`)
  }
  return (
    <>
      <Button onClick={() => input.current?.click()}>Import</Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".graphql,.gql,.graphqls"
        aria-label="Files to import"
        onChange={(event) => {
          void read([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
