/** One line with the state of a subscription. Screen readers announce it when it changes, but not at every event. */
import { clockText, plural, sizeText } from '../result/amounts.ts'
import type { Feed, FeedStatus } from './feed.ts'

export function FeedStatusLine({ feed }: { readonly feed: Feed }) {
  const { status, events, total, size, resumed, polling } = feed
  const kept = total > events.length ? `, the newest ${events.length} are kept` : ''
  return (
    <div className={`feed-status feed-${status.kind}${isFault(status) ? ' feed-fault' : ''}`}>
      <span className="feed-dot" aria-hidden="true" />
      <span role="status">{wordsOf(status)}</span>
      <span className="spring" />
      <span className="feed-facts" data-testid="feed-facts">
        {plural(total, 'event')}
        {kept}, {sizeText(size)}
        {resumed === 0 ? '' : `, resumed ${resumed === 1 ? 'once' : plural(resumed, 'time')}`}
      </span>
      {polling === undefined ? null : (
        <span className="feed-facts">
          polled every {polling.intervalSeconds} s, {plural(polling.unitsPerHour, 'unit')} an hour
        </span>
      )}
    </div>
  )
}

const isFault = (status: FeedStatus): boolean => status.kind === 'ended' && status.isFault

function wordsOf(status: FeedStatus): string {
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
