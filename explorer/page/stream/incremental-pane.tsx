/**
 * An incremental response: the list of its parts with their times and paths, and below it the response so far. The last
 * part, or the selected one, is marked.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { millisecondsText, plural } from '../result/format-numbers.ts'
import { JsonView } from '../result/json-view.tsx'
import type { AssembledResponse, Path, ResponsePart } from './incremental-response.ts'
import { printWithSpans, type Span } from './json-spans.ts'

interface IncrementalPaneProps {
  readonly assembly: AssembledResponse
  readonly running: boolean
  /** The matches of a search in the response, and the current one. */
  readonly found: readonly Span[]
  readonly foundAt: number
}

export function IncrementalPane({ assembly, running, found, foundAt }: IncrementalPaneProps) {
  const { answer, parts, total, isOver } = assembly
  const [chosen, choose] = useState<ResponsePart>()
  const list = useRef<HTMLOListElement>(null)
  const last = parts.at(-1)
  const shown = parts.find((part) => part === chosen) ?? last
  const printed = useMemo(
    () =>
      printWithSpans(
        answer,
        (shown?.added ?? []).map((path): Path => ['data', ...path]),
      ),
    [answer, shown],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came last is to be seen
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [total])
  const longest = Math.max(1, last?.milliseconds ?? 1)
  return (
    <div className="feed column">
      <div className="feed-head">
        <h2>{plural(total, 'part')}</h2>
        <span className="quiet" role="status">
          {isOver
            ? `the answer was complete after ${millisecondsText(last?.milliseconds ?? 0)}`
            : running
              ? 'more are coming…'
              : 'the rest is missing'}
          {total > parts.length ? `; the newest ${parts.length} are listed` : ''}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <ol ref={list} className="parts-list" aria-label="Parts, in order of arrival" tabIndex={0}>
        {parts.map((part) => (
          <li key={part.number} value={part.number}>
            <button
              type="button"
              className="part-line"
              aria-current={part === shown ? 'true' : undefined}
              onClick={() => choose(part)}
            >
              <span className="feed-number">{part.number}</span>
              <span className="part-when">
                <span className="part-bar" style={{ width: `${(100 * part.milliseconds) / longest}%` }} />
                <span className="part-time">+{millisecondsText(part.milliseconds)}</span>
              </span>
              <span>{wordsOf(part)}</span>
              <code className="part-path cut" title={pathText(part.path)}>
                {pathText(part.path)}
              </code>
              {part.label === undefined ? null : <span className="chip chip-held cut">{part.label}</span>}
              {part === last ? (
                <span className="part-last fact-good">{isOver ? 'last' : 'newest'}</span>
              ) : null}
            </button>
          </li>
        ))}
      </ol>
      <div className="fill">
        <JsonView label="Answer" text={printed.text} marked={printed.spans} found={found} foundAt={foundAt} />
      </div>
    </div>
  )
}

function wordsOf({ kind, count }: ResponsePart): string {
  switch (kind) {
    case 'first':
      return 'first part'
    case 'fields':
      return plural(count, 'field')
    case 'items':
      return plural(count, 'item')
    case 'failed':
      return 'failed'
  }
}

/** Such as `chartVideos.nodes[3]`. The root is the whole response. */
function pathText(path: Path): string {
  if (path.length === 0) return 'data'
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )
}
