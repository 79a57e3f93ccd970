/** What came back for the last operation of our own editor: notices, then the answer, its charts, or an explanation. */
import { lazy, Suspense, useMemo, useState } from 'react'
import { panelProps, type Tab, Tabs } from '../frame/tabs.tsx'
import type { Theme } from '../frame/theme.ts'
import type { Received } from '../graph/send.ts'
import { runKeys } from '../keys.ts'
import { EventsPane } from '../stream/events-pane.tsx'
import { FeedStatusLine } from '../stream/feed-status.tsx'
import { PiecesPane } from '../stream/pieces-pane.tsx'
import { millisecondsText, preciseText, sizeText } from './amounts.ts'
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
  const charts = finding?.charts ?? []
  const hasCharts = charts.length > 0
  const { operation, feed, response } = finding?.exchange ?? {}
  const [chosen, setChosen] = useState<{ readonly of: typeof operation; readonly view: View }>()
  // An operation with something to draw shows that, unless something else was chosen for it, also before there was any.
  const view = chosen !== undefined && chosen.of === operation ? chosen.view : hasCharts ? 'charts' : 'answer'
  const tabs: Tab<View>[] = [
    { id: 'answer', title: feed === undefined ? 'Answer' : 'Events' },
    ...(hasCharts
      ? [{ id: 'charts', title: charts.length === 1 ? 'Chart' : `Charts (${charts.length})` } as const]
      : []),
  ]
  const shown = tabs.some(({ id }) => id === view) ? view : 'answer'
  const explanation = finding?.explanation
  const isBusy = running && (feed === undefined || feed.status.kind === 'connecting')
  return (
    <section className="result" aria-label="Result" aria-busy={isBusy}>
      <div className="pane-head">
        {explanation === undefined ? (
          <Tabs
            label="Parts of the result"
            name="result"
            tabs={tabs}
            value={shown}
            onChange={(view) => setChosen({ of: operation, view })}
          />
        ) : (
          <h2>Explanation: nothing was run</h2>
        )}
        <span className="spring" />
        {isBusy ? (
          <span className="quiet" role="status">
            Running…
          </span>
        ) : feed === undefined ? (
          <Facts response={response} />
        ) : null}
      </div>
      {feed === undefined ? null : <FeedStatusLine feed={feed} />}
      {finding === undefined ? null : <Notices finding={finding} {...notices} />}
      {explanation !== undefined ? (
        <div className="result-body">
          <Suspense fallback={null}>
            <ExplainPane
              explanation={explanation}
              json={textOf(response)}
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
            <Body finding={finding} running={running} />
          )}
        </div>
      )}
    </section>
  )
}

/** The answer as it came: whole, in pieces, or event by event. */
function Body({ finding, running }: { readonly finding: Finding; readonly running: boolean }) {
  const { response, feed } = finding.exchange
  const text = useMemo(() => textOf(response), [response])
  if (feed !== undefined) return <EventsPane feed={feed} />
  const { assembly } = response ?? {}
  return assembly === undefined ? (
    <JsonView label="Answer" text={text} />
  ) : (
    <PiecesPane assembly={assembly} running={running} />
  )
}

/** As JSON with indents; what is no JSON as it came. */
const textOf = (response: Received | undefined): string =>
  response === undefined
    ? ''
    : response.answer === undefined
      ? response.text
      : JSON.stringify(response.answer, null, 2)

function Facts({ response }: { readonly response: Received | undefined }) {
  if (response === undefined) return null
  const { status, milliseconds, text, services } = response
  const calls = services
    .map((each) => `${each.service}: ${each.calls}, ${preciseText(each.milliseconds)} ms`)
    .join('; ')
  return (
    <span className="facts" title={calls === '' ? undefined : `Services called: ${calls}`}>
      <span className={status < 400 ? 'fact-good' : 'fact-bad'}>{status}</span>
      <span>{millisecondsText(milliseconds)}</span>
      <span>{sizeText(text.length)}</span>
      {calls === '' ? null : <span className="visually-hidden">Services called: {calls}</span>}
    </span>
  )
}
