/** Shown if a response has an upload address: the user chooses the file, and sees the progress. */
import { useEffect, useRef, useState } from 'react'
import { preciseText, sizeText } from '../result/amounts.ts'
import { sendFile, type UploadAddress, type UploadOutcome } from './send-file.ts'

type Phase =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'over'; readonly sent: number; readonly outcome: UploadOutcome }

export interface UploadPanelProps {
  readonly address: UploadAddress
  /** A file that was chosen before the address was requested. */
  readonly file: File | undefined
}

export function UploadPanel({ address, file: given }: UploadPanelProps) {
  const [file, setFile] = useState(given)
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
    <section className="notice upload" aria-label="Upload">
      <div className="upload-file">
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
          <span className="upload-words" role="status">
            {wordsOf(phase, file)}
          </span>
          {isSending ? (
            <button type="button" className="tool" onClick={() => stop.current?.abort()}>
              Pause
            </button>
          ) : (
            <SendButton phase={phase} onSend={(isAgain) => void send(isAgain)} />
          )}
        </>
      )}
    </section>
  )
}

function SendButton({
  phase,
  onSend,
}: {
  readonly phase: Phase
  readonly onSend: (isAgain: boolean) => void
}) {
  if (phase.kind === 'over') {
    const { outcome } = phase
    if (outcome.kind === 'done' || (outcome.kind === 'failed' && !outcome.canResume)) return null
  }
  const isAgain = phase.kind === 'over'
  return (
    <button type="button" className="tool tool-primary" onClick={() => onSend(isAgain)}>
      {isAgain ? 'Continue' : 'Send the file'}
    </button>
  )
}

function wordsOf(phase: Phase, { size }: File): string {
  if (phase.kind === 'choosing') return ''
  if (phase.kind === 'sending') return `${preciseText((100 * phase.sent) / Math.max(1, size))} %`
  const { outcome } = phase
  if (outcome.kind === 'stopped') return 'Paused.'
  if (outcome.kind === 'failed') return outcome.reason
  const { id } = Object(outcome.answer) as { id?: unknown }
  return typeof id === 'string' ? `Uploaded. Its id is ${id}.` : 'Uploaded.'
}
