/** What came back for the last operation of our own editor: notices, then the answer, its charts, or an explanation. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { panelProps, type Tab, Tabs } from '../frame/tabs.tsx'
import type { Theme } from '../frame/theme.ts'
import type { Received } from '../graph/send.ts'
import { runKeys } from '../keys.ts'
import type { Finding } from './finding.ts'
import { JsonView } from './json-view.tsx'
import { Notices, type NoticesProps } from './notices.tsx'

const ChartPane = lazy(async () => ({ default: (await import('./chart-pane.tsx')).ChartPane }))
const ExplainPane = lazy(async () => ({ default: (await import('./explain-pane.tsx')).ExplainPane }))

export interface ResultPaneProps extends Omit<NoticesProps, 'finding'> {
  readonly finding: Finding | undefined
  readonly running: boolean
  readonly theme: Theme
}

type View = 'answer' | 'charts'

export function ResultPane({ finding, running, theme, ...notices }: ResultPaneProps) {
  const [view, setView] = useState<View>('answer')
  const charts = finding?.charts ?? []
  // Each answer with something to draw shows it first.
  useEffect(() => setView((finding?.charts.length ?? 0) > 0 ? 'charts' : 'answer'), [finding])
  const tabs: Tab<View>[] = [
    { id: 'answer', title: 'Answer' },
    ...(charts.length > 0
      ? [{ id: 'charts', title: charts.length === 1 ? 'Chart' : `Charts (${charts.length})` } as const]
      : []),
  ]
  const shown = tabs.some(({ id }) => id === view) ? view : 'answer'
  const explanation = finding?.explanation
  const text = useMemo(() => textOf(finding?.exchange.response), [finding])
  return (
    <section className="result" aria-label="Result" aria-busy={running}>
      <div className="pane-head">
        {explanation === undefined ? (
          <Tabs label="Parts of the result" name="result" tabs={tabs} value={shown} onChange={setView} />
        ) : (
          <h2>Explanation: nothing was run</h2>
        )}
        <span className="spring" />
        {running ? (
          <span className="quiet" role="status">
            Running…
          </span>
        ) : (
          <Facts response={finding?.exchange.response} />
        )}
      </div>
      {finding === undefined ? null : <Notices finding={finding} {...notices} />}
      {explanation !== undefined ? (
        <div className="result-body">
          <Suspense fallback={null}>
            <ExplainPane
              explanation={explanation}
              json={text}
              onOpen={notices.minting ? notices.onAddScopes : undefined}
            />
          </Suspense>
        </div>
      ) : shown === 'charts' ? (
        <div className="result-body" {...panelProps('result', 'charts')}>
          <Suspense fallback={null}>
            <ChartPane charts={charts} theme={theme} />
          </Suspense>
        </div>
      ) : (
        <div className="result-body" {...panelProps('result', 'answer')}>
          {finding === undefined ? (
            <p className="empty">
              Run the operation to see its answer here <kbd>{runKeys}</kbd>
            </p>
          ) : (
            <JsonView label="Answer" text={text} />
          )}
        </div>
      )}
    </section>
  )
}

/** As JSON with indents; what is no JSON as it came. */
const textOf = (response: Received | undefined): string =>
  response === undefined
    ? ''
    : response.answer === undefined
      ? response.text
      : JSON.stringify(response.answer, null, 2)

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const sizeText = (length: number): string =>
  length < 1000 ? `${length} B` : `${compact.format(length / 1000)} kB`

function Facts({ response }: { readonly response: Received | undefined }) {
  if (response === undefined) return null
  const { status, milliseconds, text, services } = response
  const calls = services
    .map((each) => `${each.service}: ${each.calls}, ${compact.format(each.milliseconds)} ms`)
    .join('; ')
  return (
    <span className="facts" title={calls === '' ? undefined : `Services called: ${calls}`}>
      <span className={status < 400 ? 'fact-good' : 'fact-bad'}>{status}</span>
      <span>{whole.format(milliseconds)} ms</span>
      <span>{sizeText(text.length)}</span>
      {calls === '' ? null : <span className="visually-hidden">Services called: {calls}</span>}
    </span>
  )
}
