/** The events of a subscription, newest first, and below them the selected event, which is the newest by default. */
import { useMemo, useState } from 'react'
import { useSize } from '../frame/size.ts'
import { Splitter } from '../frame/splitter.tsx'
import { formatJson } from '../json.ts'
import { clockText, plural, sizeText } from '../result/amounts.ts'
import { JsonView } from '../result/json-view.tsx'
import type { Feed, FeedEvent } from './feed.ts'

/** How many characters of an event its line shows. */
const longestPreview = 200

export function EventsPane({ feed }: { readonly feed: Feed }) {
  const { events, total } = feed
  const [chosen, choose] = useState<FeedEvent>()
  const [height, setHeight] = useSize('events', 220)
  const shown = events.find((event) => event === chosen) ?? events[0]
  const text = useMemo(() => (shown === undefined ? '' : formatJson(shown.text)), [shown])
  if (shown === undefined) return <p className="empty">No event has come yet.</p>
  const isNewest = shown === events[0]
  return (
    <div className="feed">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <ol className="feed-list" reversed aria-label="Events, newest first" style={{ height }} tabIndex={0}>
        {events.map((event) => (
          <EventLine
            key={event.number}
            event={event}
            isShown={event === shown}
            onChoose={() => choose(event)}
          />
        ))}
      </ol>
      <Splitter
        label="Height of the events"
        orientation="horizontal"
        value={height}
        min={64}
        max={600}
        onChange={setHeight}
      />
      <div className="feed-head">
        <h2>Event {shown.number}</h2>
        <span className="quiet">{isNewest ? 'the newest' : `of ${plural(total, 'event')}`}</span>
        {isNewest ? null : (
          <button type="button" className="link" onClick={() => choose(undefined)}>
            Show the newest
          </button>
        )}
      </div>
      <div className="feed-json">
        <JsonView label="Event" text={text} />
      </div>
    </div>
  )
}

function EventLine({
  event: { number, at, id, text },
  isShown,
  onChoose,
}: {
  readonly event: FeedEvent
  readonly isShown: boolean
  readonly onChoose: () => void
}) {
  return (
    <li value={number}>
      <button
        type="button"
        className="feed-line"
        aria-current={isShown ? 'true' : undefined}
        onClick={onChoose}
      >
        <span className="feed-number">{number}</span>
        <time dateTime={new Date(at).toISOString()}>{clockText(at)}</time>
        {id === undefined ? (
          <span className="quiet feed-id">no id</span>
        ) : (
          <code className="feed-id" title={id}>
            {id}
          </code>
        )}
        <code className="feed-preview">{previewOf(text)}</code>
        <span className="quiet">{sizeText(text.length)}</span>
      </button>
    </li>
  )
}

/** The data of the event, without the object around them. */
function previewOf(text: string): string {
  const at = text.indexOf('"data":')
  const begun = at < 0 ? text : text.slice(at + 7)
  return begun.slice(0, longestPreview)
}
