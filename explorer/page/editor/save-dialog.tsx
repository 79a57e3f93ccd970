/** Asks for the name and the folder of an operation to save. */
import { useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/feedback.tsx'
import { closeOverlay } from '../ui/overlay.ts'
import { mostSaved, moveSaved, type Saved, save, saved, savedAs } from './saved.ts'
import { titleOf, useCurrentDraft } from './workspace.ts'

interface SaveDialogProps {
  /** A saved operation that is renamed or moved, instead of saving the open one. */
  readonly moving?: Saved
  readonly onClose?: () => void
}

export function SaveDialog({ moving, onClose = closeOverlay }: SaveDialogProps) {
  const draft = useCurrentDraft()
  const items = saved.use()
  const folders = [...new Set(items.map(({ folder }) => folder))].filter((each) => each !== '')
  const id = useId()
  const [title, setTitle] = useState(moving?.title ?? titleOf(draft))
  const [folder, setFolder] = useState(moving?.folder ?? '')
  const same = moving === undefined ? savedAs(items, title, folder) : undefined
  const replaces = same !== undefined && (same.query !== draft.query || same.variables !== draft.variables)
  const keep = (): void => {
    const place = folder.trim() === '' ? '' : ` in ${folder.trim()}`
    if (moving !== undefined) moveSaved(moving.id, title, folder)
    else if (save(draft, title, folder)) say(`Saved as ${title.trim()}${place}.`)
    else if (items.length >= mostSaved) say(`It was not saved: at most ${mostSaved} can be.`, true)
    else say('It was not saved: the browser stores no more.', true)
    onClose()
  }
  return (
    <Dialog
      label={moving === undefined ? 'Save the operation' : 'Rename or move'}
      className="small-dialog"
      head={null}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          keep()
        }}
      >
        <label className="field">
          Name
          <input
            required
            maxLength={80}
            data-first
            autoComplete="off"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <label className="field">
          Folder
          <input
            maxLength={80}
            autoComplete="off"
            list={id}
            placeholder="None"
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
        </label>
        <datalist id={id}>
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
        <p className="quiet">The variables are saved, but not the headers.</p>
        <p className="fault" role="status">
          {replaces ? 'It replaces the saved operation of this name.' : ''}
        </p>
        <Button type="submit" look="primary">
          {replaces ? 'Replace' : 'Save'}
        </Button>
      </form>
    </Dialog>
  )
}
