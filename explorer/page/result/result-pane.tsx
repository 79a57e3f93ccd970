/** The result of the last operation: notices, then the response, its tables and charts, or an explanation. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { runAgain, stop, useIsRunning } from '../editor/run.ts'
import { type OperationText, useCurrentDraft } from '../editor/workspace.ts'
import type { ReceivedResponse } from '../graph/http-exchange.ts'
import type { Operation } from '../graph/operation.ts'
import { objectFrom } from '../json.ts'
import { runKeys } from '../keys.ts'
import { settings } from '../settings.ts'
import { EventsPane, SubscriptionStatusLine } from '../stream/events-pane.tsx'
import { IncrementalPane } from '../stream/incremental-pane.tsx'
import { printWithSpans, type Span } from '../stream/json-spans.ts'
import { Button } from '../ui/button.tsx'
import { panelProps, type Tab, Tabs } from '../ui/tabs.tsx'
import { uploadAddressIn } from '../upload/send-file.ts'
import { UploadPanel } from '../upload/upload-panel.tsx'
import { AnswerTools } from './answer-tools.tsx'
import { ExplainPane } from './explain-pane.tsx'
import { millisecondsText, preciseText, sizeText } from './format-numbers.ts'
import { JsonView } from './json-view.tsx'
import { addScopes, Notices } from './notices.tsx'
import type { ResponseDetails } from './response-details.ts'
import { csvOf, findInText, rowsWith, type Table, tablesIn } from './table.ts'
import { TablePane } from './table-pane.tsx'
import {
  chosenView,
  findAsked,
  type LatestResponses,
  latestResponses,
  type ResultView,
  viewOf,
} from './views.ts'

const ChartPane = lazy(async () => ({ default: (await import('./chart-pane.tsx')).ChartPane }))

const isSame = (draft: OperationText, { query, variables }: Operation): boolean =>
  query.trim() === draft.query.trim() &&
  JSON.stringify(variables ?? {}) === JSON.stringify(objectFrom(draft.variables) ?? {})

export function ResultPane() {
  const running = useIsRunning()
  const draft = useCurrentDraft()
  const found = latestResponses.use()
  const view = viewOf(found, chosenView.use())
  const details = view === 'explain' ? found?.explained : found?.answered
  const { operation, subscription, response } = details?.exchange ?? {}
  const isBusy = running && (subscription === undefined || subscription.status.kind === 'connecting')
  const isOld = !running && operation !== undefined && !isSame(draft, operation)
  return (
    <section className="result column fill" aria-label="Result" aria-busy={isBusy}>
      <div className="pane-head row">
        <Tabs
          label="Parts of the result"
          name="result"
          tabs={tabsOf(found)}
          value={view}
          onChange={(next) => chosenView.set({ of: found?.latest.exchange.operation ?? 'next', view: next })}
        />
        <span className="spring" />
        {isBusy || subscription !== undefined ? null : <Facts response={response} />}
      </div>
      {isBusy ? <RunningStrip hasOld={details !== undefined} /> : null}
      {isOld ? <OldStrip isExplanation={view === 'explain'} /> : null}
      {subscription === undefined ? null : <SubscriptionStatusLine subscription={subscription} />}
      {details === undefined ? null : <Notices details={details} />}
      {details === undefined ? (
        <div className="result-body fill" {...panelProps('result', 'answer')}>
          <p className="empty">
            Run the operation to see its answer here <kbd>{runKeys}</kbd>
          </p>
        </div>
      ) : view === 'explain' || view === 'charts' ? (
        <div className="result-body fill" {...panelProps('result', view)}>
          <Suspense fallback={null}>
            {view === 'charts' ? <ChartPane charts={details.charts} /> : <Explained details={details} />}
          </Suspense>
        </div>
      ) : (
        <AnswerBody details={details} view={view} />
      )}
    </section>
  )
}

function tabsOf(found: LatestResponses | undefined): readonly Tab<ResultView>[] {
  const { answered, explained } = found ?? {}
  const { charts = [] } = answered ?? {}
  const isFed = answered?.exchange.subscription !== undefined
  const tabs: Tab<ResultView>[] = []
  if (answered !== undefined || explained === undefined)
    tabs.push({ id: 'answer', title: isFed ? 'Events' : 'Answer' })
  if (answered !== undefined && !isFed) tabs.push({ id: 'table', title: 'Table' })
  if (charts.length > 0)
    tabs.push({ id: 'charts', title: charts.length === 1 ? 'Chart' : `Charts (${charts.length})` })
  if (explained !== undefined) tabs.push({ id: 'explain', title: 'Explain' })
  return tabs
}

function Explained({ details }: { readonly details: ResponseDetails }) {
  const { explanation, exchange } = details
  if (explanation === undefined) return <p className="empty">There is no explanation.</p>
  return (
    <ExplainPane
      explanation={explanation}
      json={printedOf(exchange.response).text}
      onOpen={settings.minting ? addScopes : undefined}
    />
  )
}

interface AnswerBodyProps {
  readonly details: ResponseDetails
  readonly view: 'answer' | 'table'
}

/** The response as it came (whole, incremental, or as events), or its lists as tables. */
function AnswerBody({ details, view }: AnswerBodyProps) {
  const running = useIsRunning()
  const focus = findAsked.use()
  const { operation, response, subscription } = details.exchange
  const [wanted, setWanted] = useState('')
  const [step, setStep] = useState(0)
  const [list, setList] = useState(0)
  const printed = useMemo(() => printedOf(response), [response])
  const tables = useMemo(() => (view === 'table' ? tablesIn(response?.answer) : []), [view, response])
  const found = useMemo(() => findInText(printed.text, wanted), [printed, wanted])
  const address = useMemo(() => uploadAddressIn(response?.answer, location.href), [response])
  if (subscription !== undefined)
    return (
      <div className="result-body fill" {...panelProps('result', 'answer')}>
        <EventsPane operation={operation} subscription={subscription} />
      </div>
    )
  const table = tables[list] ?? tables[0]
  const rows = table === undefined ? [] : rowsWith(table, wanted)
  const at = found.length === 0 ? 0 : ((step % found.length) + found.length) % found.length
  return (
    <>
      <AnswerTools
        text={wanted}
        onText={(next) => {
          setWanted(next)
          setStep(0)
        }}
        count={table === undefined ? found.length : rows.length}
        unit={view === 'table' ? 'row' : 'match'}
        at={at}
        onStep={(by) => setStep(step + by)}
        content={() => contentOf(printed.text, table, rows)}
        focus={focus}
      />
      {address === undefined ? null : <UploadPanel key={address.url} address={address} />}
      <div className="result-body fill" {...panelProps('result', view)}>
        {view === 'table' ? (
          <TablePane tables={tables} table={table} rows={rows} onChoose={setList} />
        ) : response?.assembly === undefined ? (
          <JsonView label="Answer" text={printed.text} found={found} foundAt={at} folded={printed.errors} />
        ) : (
          <IncrementalPane assembly={response.assembly} running={running} found={found} foundAt={at} />
        )}
      </div>
    </>
  )
}

const contentOf = (text: string, table: Table | undefined, rows: Table['rows']) =>
  table === undefined
    ? { name: 'answer.json', text, type: 'application/json' }
    : { name: 'answer.csv', text: csvOf(table, rows), type: 'text/csv' }

interface Printed {
  readonly text: string
  /** The content of `errors`, which the notices show. */
  readonly errors: Span | undefined
}

const errorsHead = '"errors": ['

/** JSON is indented. Other text is unchanged. */
function printedOf(response: ReceivedResponse | undefined): Printed {
  if (response?.answer === undefined) return { text: response?.text ?? '', errors: undefined }
  const { text, spans } = printWithSpans(response.answer, [['errors']])
  const [span] = spans
  if (span === undefined || !text.startsWith(errorsHead, span.from)) return { text, errors: undefined }
  return { text, errors: { from: span.from + errorsHead.length, to: span.to - 1 } }
}

function Facts({ response }: { readonly response: ReceivedResponse | undefined }) {
  if (response === undefined) return null
  const { status, milliseconds, text, services } = response
  const calls = services
    .map((each) => `${each.service}: ${each.calls}, ${preciseText(each.milliseconds)} ms`)
    .join('; ')
  return (
    <span className="facts quiet" title={calls === '' ? undefined : `Services called: ${calls}`}>
      <span className={status < 400 ? 'fact-good' : 'fact-bad'}>{status}</span>
      <span>{millisecondsText(milliseconds)}</span>
      <span>{sizeText(text.length)}</span>
      {calls === '' ? null : <span className="visually-hidden">Services called: {calls}</span>}
    </span>
  )
}

/** How long an operation has been running, and whether the result below belongs to an earlier run. */
function RunningStrip({ hasOld }: { readonly hasOld: boolean }) {
  const [begun] = useState(() => performance.now())
  const [now, setNow] = useState(begun)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="row strip strip-running">
      <span role="status">{hasOld ? 'Running… Below is the previous answer.' : 'Running…'}</span>
      <span aria-hidden="true">{((now - begun) / 1000).toFixed(1)} s</span>
      <span className="spring" />
      <Button look="link" onClick={stop}>
        Stop it
      </Button>
    </div>
  )
}

/** Says that the result belongs to another text. */
function OldStrip({ isExplanation }: { readonly isExplanation: boolean }) {
  return (
    <div className="row strip strip-old">
      <span role="status">
        {isExplanation ? 'This explains an earlier text.' : 'This is the answer to an earlier text.'}
      </span>
      <span className="spring" />
      <Button look="link" title={isExplanation ? undefined : runKeys} onClick={runAgain}>
        {isExplanation ? 'Explain again' : 'Run the current text'}
      </Button>
    </div>
  )
}
