/** Shown if a response has an upload address: the user chooses the file, and sees the progress. */
import { useEffect, useRef, useState } from 'react'
import { objectOf } from '../json.ts'
import { preciseText, sizeText } from '../result/format-numbers.ts'
import { uploadFile } from '../result/views.ts'
import { Button } from '../ui/button.tsx'
import { sendFile, type UploadAddress, type UploadOutcome } from './send-file.ts'

type Phase =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'over'; readonly sent: number; readonly outcome: UploadOutcome }

export function UploadPanel({ address }: { readonly address: UploadAddress }) {
  const [file, setFile] = useState(uploadFile.current())
  const [phase, setPhase] = useState<Phase>({ kind: 'choosing' })
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const send = async (isAgain: boolean): Promise<void> => {
    if (file === undefined) return
    const controller = new AbortController()
    stop.current = controller
    let sent = 0
    setPhase({ kind: 'sending', sent })
    const outcome = await sendFile(
      {
        ...address,
        file,
        signal: controller.signal,
        onProgress: (now) => {
          sent = now
          if (!controller.signal.aborted) setPhase({ kind: 'sending', sent })
        },
      },
      isAgain ? undefined : 0,
    )
    setPhase({ kind: 'over', sent, outcome })
  }
  const isSending = phase.kind === 'sending'
  const sent = phase.kind === 'choosing' ? 0 : phase.sent
  return (
    <section className="notice row upload" aria-label="Upload">
      <div className="upload-file row">
        <span>This answer has an upload address.</span>
        <label className="tool">
          {file === undefined ? 'Choose a file' : 'Choose another file'}
          <input
            type="file"
            className="visually-hidden"
            disabled={isSending}
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0])
              setPhase({ kind: 'choosing' })
            }}
          />
        </label>
      </div>
      {file === undefined ? null : (
        <>
          <span className="quiet">
            {file.name}, {sizeText(file.size)}
          </span>
          <progress max={Math.max(1, file.size)} value={sent} aria-label={`Sent of ${file.name}`} />
          <span role="status">{wordsOf(phase, file)}</span>
          {isSending ? (
            <Button onClick={() => stop.current?.abort()}>Pause</Button>
          ) : canSend(phase) ? (
            <Button look="primary" onClick={() => void send(phase.kind === 'over')}>
              {phase.kind === 'over' ? 'Continue' : 'Send the file'}
            </Button>
          ) : null}
        </>
      )}
    </section>
  )
}

function canSend(phase: Phase): boolean {
  if (phase.kind !== 'over') return true
  const { outcome } = phase
  return outcome.kind === 'stopped' || (outcome.kind === 'failed' && outcome.canResume)
}

function wordsOf(phase: Phase, { size }: File): string {
  if (phase.kind === 'choosing') return ''
  if (phase.kind === 'sending') return `${preciseText((100 * phase.sent) / Math.max(1, size))} %`
  const { outcome } = phase
  if (outcome.kind === 'stopped') return 'Paused.'
  if (outcome.kind === 'failed') return outcome.reason
  const { id } = objectOf(outcome.answer)
  return typeof id === 'string' ? `Uploaded. Its id is ${id}.` : 'Uploaded.'
}
