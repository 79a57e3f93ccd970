/**
 * A response in pieces: the list of pieces with their times and places, and below it the response so far. The last
 * piece, or the selected one, is marked.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { millisecondsText, plural } from '../result/format-numbers.ts'
import { JsonView } from '../result/json-view.tsx'
import type { AssembledResponse, Path, Piece } from './incremental-response.ts'
import { printWithSpans, type Span } from './json-spans.ts'

interface PiecesPaneProps {
  readonly assembly: AssembledResponse
  readonly running: boolean
  /** The matches of a search in the response, and the current one. */
  readonly found: readonly Span[]
  readonly foundAt: number
}

export function PiecesPane({ assembly, running, found, foundAt }: PiecesPaneProps) {
  const { answer, pieces, total, isOver } = assembly
  const [chosen, choose] = useState<Piece>()
  const list = useRef<HTMLOListElement>(null)
  const last = pieces.at(-1)
  const shown = pieces.find((piece) => piece === chosen) ?? last
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
    <div className="feed">
      <div className="feed-head">
        <h2>{plural(total, 'piece')}</h2>
        <span className="quiet" role="status">
          {isOver
            ? `the answer was complete after ${millisecondsText(last?.milliseconds ?? 0)}`
            : running
              ? 'more are coming…'
              : 'the rest is missing'}
          {total > pieces.length ? `; the newest ${pieces.length} are listed` : ''}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <ol ref={list} className="pieces-list" aria-label="Pieces, in order of arrival" tabIndex={0}>
        {pieces.map((piece) => (
          <li key={piece.number} value={piece.number}>
            <button
              type="button"
              className="piece-line"
              aria-current={piece === shown ? 'true' : undefined}
              onClick={() => choose(piece)}
            >
              <span className="feed-number">{piece.number}</span>
              <span className="piece-when">
                <span className="piece-bar" style={{ width: `${(100 * piece.milliseconds) / longest}%` }} />
                <span className="piece-time">+{millisecondsText(piece.milliseconds)}</span>
              </span>
              <span>{wordsOf(piece)}</span>
              <code className="piece-path" title={pathText(piece.path)}>
                {pathText(piece.path)}
              </code>
              {piece.label === undefined ? null : <span className="chip chip-held">{piece.label}</span>}
              {piece === last ? <span className="piece-last">{isOver ? 'last' : 'newest'}</span> : null}
            </button>
          </li>
        ))}
      </ol>
      <div className="feed-json">
        <JsonView
          label="Answer"
          text={printed.text}
          marked={printed.spans}
          isShown={shown !== undefined}
          found={found}
          foundAt={foundAt}
        />
      </div>
    </div>
  )
}

function wordsOf({ kind, count }: Piece): string {
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
