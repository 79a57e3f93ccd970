/** Lines above the result: how long an operation has been running, and that the result belongs to another text. */
import { useEffect, useState } from 'react'
import { runKeys } from '../keys.ts'
import { Button } from '../ui/button.tsx'

const tickMs = 100

interface RunningStripProps {
  /** Whether the result below belongs to an earlier run. */
  readonly hasOld: boolean
  readonly onStop: () => void
}

export function RunningStrip({ hasOld, onStop }: RunningStripProps) {
  const [begun] = useState(() => performance.now())
  const [now, setNow] = useState(begun)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="row strip strip-running">
      <span role="status">{hasOld ? 'Running… Below is the previous answer.' : 'Running…'}</span>
      <span aria-hidden="true">{((now - begun) / 1000).toFixed(1)} s</span>
      <span className="spring" />
      <Button look="link" onClick={onStop}>
        Stop it
      </Button>
    </div>
  )
}

interface OldStripProps {
  readonly isExplanation: boolean
  readonly onRun: () => void
}

export function OldStrip({ isExplanation, onRun }: OldStripProps) {
  return (
    <div className="row strip strip-old">
      <span role="status">
        {isExplanation ? 'This explains an earlier text.' : 'This is the answer to an earlier text.'}
      </span>
      <span className="spring" />
      <Button look="link" title={isExplanation ? undefined : runKeys} onClick={onRun}>
        {isExplanation ? 'Explain again' : 'Run the current text'}
      </Button>
    </div>
  )
}
