/** The panel below Apollo Sandbox, which shows the response itself: notices, charts and explanations. */
import { lazy, Suspense } from 'react'
import { IconButton } from '../frame/icon-button.tsx'
import { CloseIcon } from '../frame/icons.tsx'
import { useSize } from '../frame/size.ts'
import { Splitter } from '../frame/splitter.tsx'
import type { Theme } from '../frame/theme.ts'
import type { Finding } from './finding.ts'

const ChartPane = lazy(async () => ({ default: (await import('./chart-pane.tsx')).ChartPane }))
const ExplainPane = lazy(async () => ({ default: (await import('./explain-pane.tsx')).ExplainPane }))

export interface FindingsPanelProps {
  readonly finding: Finding
  readonly theme: Theme
  readonly onAddScopes: ((scopes: readonly string[]) => void) | undefined
  readonly onClose: () => void
}

export function FindingsPanel({ finding, theme, onAddScopes, onClose }: FindingsPanelProps) {
  const [height, setHeight] = useSize('findings', 360)
  const { charts, explanation } = finding
  if (charts.length === 0 && explanation === undefined) return null
  const title = explanation !== undefined ? 'Explanation: nothing was run' : 'Charts'
  return (
    <>
      <Splitter
        label="Height of the panel below"
        orientation="horizontal"
        value={height}
        min={120}
        max={900}
        scale={-1}
        onChange={setHeight}
      />
      <section className="findings" aria-label={title} style={{ height }}>
        <div className="pane-head">
          <h2>{title}</h2>
          <span className="spring" />
          <IconButton label="Close" onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        <div className="result-body">
          <Suspense fallback={null}>
            {explanation === undefined ? (
              <ChartPane charts={charts} theme={theme} />
            ) : (
              <ExplainPane explanation={explanation} json={undefined} onOpen={onAddScopes} />
            )}
          </Suspense>
        </div>
      </section>
    </>
  )
}
