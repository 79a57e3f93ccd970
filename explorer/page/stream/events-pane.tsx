/**
 * The state of a subscription in one line, and its events, newest first. Below them is the selected event, which is
 * the newest by default.
 */
import { useMemo, useState } from 'react'
import type { Operation } from '../graph/operation.ts'
import { formatJson } from '../json.ts'
import { clockText, plural, sizeText } from '../result/format-numbers.ts'
import { JsonView } from '../result/json-view.tsx'
import { Button } from '../ui/button.tsx'
import { Splitter, useSize } from '../ui/splitter.tsx'
import type { SubscriptionEvent, SubscriptionState, SubscriptionStatus } from './subscription-state.ts'

/** How many characters of an event its line shows. */
const longestPreview = 200

/** Screen readers announce the state when it changes, but not at every event. */
export function SubscriptionStatusLine({ subscription }: { readonly subscription: SubscriptionState }) {
  const { status, events, total, size, resumed, polling } = subscription
  const kept = total > events.length ? `, the newest ${events.length} are kept` : ''
  const isFault = status.kind === 'ended' && status.isFault
  return (
    <div className={`feed-status row feed-${status.kind}${isFault ? ' feed-fault' : ''}`}>
      <span className="feed-dot" aria-hidden="true" />
      <span role="status">{wordsOf(status)}</span>
      <span className="spring" />
      <span className="feed-facts quiet" data-testid="feed-facts">
        {plural(total, 'event')}
        {kept}, {sizeText(size)}
        {resumed === 0 ? '' : `, resumed ${resumed === 1 ? 'once' : plural(resumed, 'time')}`}
      </span>
      {polling === undefined ? null : (
        <span className="feed-facts quiet">
          polled every {polling.intervalSeconds} s, {plural(polling.unitsPerHour, 'unit')} an hour
        </span>
      )}
    </div>
  )
}

function wordsOf(status: SubscriptionStatus): string {
  switch (status.kind) {
    case 'connecting':
      return 'Connecting…'
    case 'listening':
      return 'Listening'
    case 'waiting':
      return `${status.words} Trying again at ${clockText(status.until)}.`
    case 'ended':
      return status.words
  }
}

interface EventsPaneProps {
  /** The subscription that was sent. */
  readonly operation: Operation
  readonly subscription: SubscriptionState
}

export function EventsPane({ operation, subscription }: EventsPaneProps) {
  const { events, total } = subscription
  const [chosen, choose] = useState<{ readonly of: Operation; readonly event: SubscriptionEvent }>()
  const height = useSize('events', [64, 220, 600])
  // The chosen event stays, even if so many came since that the list has lost it.
  const shown = chosen?.of === operation ? chosen.event : events[0]
  const text = useMemo(() => (shown === undefined ? '' : formatJson(shown.text)), [shown])
  if (shown === undefined) return <p className="empty">No event has come yet.</p>
  const isNewest = shown === events[0]
  return (
    <div className="feed column">
      <ol
        className="feed-list"
        reversed
        aria-label="Events, newest first"
        style={{ height: height.value }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
      >
        {events.map((event) => (
          <li key={event.number} value={event.number}>
            <button
              type="button"
              className="feed-line"
              aria-current={event === shown ? 'true' : undefined}
              onClick={() => choose({ of: operation, event })}
            >
              <span className="feed-number">{event.number}</span>
              <time dateTime={new Date(event.at).toISOString()}>{clockText(event.at)}</time>
              {event.id === undefined ? (
                <span className="quiet feed-id cut">no id</span>
              ) : (
                <code className="feed-id cut" title={event.id}>
                  {event.id}
                </code>
              )}
              <code className="feed-preview cut">{previewOf(event.text)}</code>
              <span className="quiet">{sizeText(event.text.length)}</span>
            </button>
          </li>
        ))}
      </ol>
      <Splitter label="Height of the events" orientation="horizontal" size={height} />
      <div className="feed-head">
        <h2>Event {shown.number}</h2>
        <span className="quiet">{isNewest ? 'the newest' : `of ${plural(total, 'event')}`}</span>
        {isNewest ? null : (
          <Button look="link" onClick={() => choose(undefined)}>
            Show the newest
          </Button>
        )}
      </div>
      <div className="fill">
        <JsonView label="Event" text={text} />
      </div>
    </div>
  )
}

/** The data of the event, without the object around them. */
function previewOf(text: string): string {
  const at = text.indexOf('"data":')
  const begun = at < 0 ? text : text.slice(at + 7).replace(/\}\s*$/, '')
  return begun.slice(0, longestPreview)
}
