/** Chooses a file, and writes the operation that requests an upload address for it. */
import { useState } from 'react'
import { askForUpload } from '../editor/actions.ts'
import { draftOf, type OperationText } from '../editor/workspace.ts'
import { sizeText } from '../result/format-numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** The mutation of our video service. If a schema does not have it, uploads are not offered. */
const document = `# Answers an address that takes the bytes; the file is sent
# from the result.
mutation UploadVideo($input: InsertVideoInput!) {
  insertVideo(input: $input) {
    upload {
      url
      expiresAt
      chunkSize
    }
  }
}
`

export const uploadField = 'insertVideo'

function draftFor(file: File, title: string): OperationText {
  const input = {
    snippet: { title },
    status: { privacyStatus: 'private' },
    contentType: file.type === '' ? 'application/octet-stream' : file.type,
    contentLength: String(file.size),
  }
  return draftOf({ document, variables: { input } })
}

export function UploadDialog() {
  const [file, setFile] = useState<File>()
  const name = file?.name.replace(/\.\w+$/, '') ?? ''
  return (
    <Dialog label="Upload a file" className="small-dialog" head={null}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (file === undefined) return
          askForUpload(file, draftFor(file, String(new FormData(event.currentTarget).get('title'))))
        }}
      >
        <label className="field">
          Video
          <input
            type="file"
            accept="video/*,application/octet-stream"
            required
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        </label>
        <label className="field">
          Title
          <input key={name} name="title" required maxLength={100} defaultValue={name} autoComplete="off" />
        </label>
        <p className="quiet">
          {file === undefined ? '' : `${sizeText(file.size)}. `}The graph is asked for an address first, with{' '}
          <code>{uploadField}</code>; then the file is sent there.
        </p>
        <Button type="submit" look="primary" disabled={file === undefined}>
          Ask for an address
        </Button>
      </form>
    </Dialog>
  )
}
