/** Asks for the name and the folder of an operation to save. */
import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/feedback.tsx'
import { closeOverlay } from '../ui/overlay.ts'
import { mostSaved, moveSaved, type Saved, save, saved } from './saved.ts'
import { titleOf, useCurrentDraft } from './workspace.ts'

interface SaveDialogProps {
  /** A saved operation that is renamed or moved, instead of saving the open one. */
  readonly moving?: Saved
  readonly onClose?: () => void
}

export function SaveDialog({ moving, onClose = closeOverlay }: SaveDialogProps) {
  const draft = useCurrentDraft()
  const folders = [...new Set(saved.use().map(({ folder }) => folder))].filter((each) => each !== '')
  const id = useId()
  const keep = (title: string, folder: string): void => {
    if (moving !== undefined) moveSaved(moving.id, title, folder)
    else if (save(draft, title, folder)) say(`Saved as ${title}${folder === '' ? '' : ` in ${folder}`}.`)
    else say(`It was not saved: this browser stores at most ${mostSaved}.`, true)
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
          const form = new FormData(event.currentTarget)
          keep(String(form.get('title')).trim(), String(form.get('folder')).trim())
        }}
      >
        <label className="field">
          Name
          <input
            name="title"
            required
            maxLength={80}
            data-first
            autoComplete="off"
            defaultValue={moving?.title ?? titleOf(draft)}
          />
        </label>
        <label className="field">
          Folder
          <input
            name="folder"
            maxLength={80}
            autoComplete="off"
            list={id}
            placeholder="None"
            defaultValue={moving?.folder ?? ''}
          />
        </label>
        <datalist id={id}>
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
        <p className="quiet">The variables are saved, but not the headers.</p>
        <Button type="submit" look="primary">
          Save
        </Button>
      </form>
    </Dialog>
  )
}
