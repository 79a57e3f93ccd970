/** The lists of a response as tables. A long one shows its first rows, and a file has all of them. */
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { type Cell, cellText, type Table } from './table.ts'

/** How many rows are shown at first, and at most: more rows are slow to render, and nobody reads them here. */
const shownFirst = 200
const mostShown = 5000

interface TablePaneProps {
  readonly tables: readonly Table[]
  /** The table that is shown, and those of its rows that match. */
  readonly table: Table | undefined
  readonly rows: Table['rows']
  readonly onChoose: (index: number) => void
}

export function TablePane({ tables, table, rows, onChoose }: TablePaneProps) {
  const [all, setAll] = useState(false)
  if (table === undefined) return <p className="empty">The answer has no list.</p>
  const shown = rows.slice(0, all ? mostShown : shownFirst)
  return (
    <div className="table-pane column">
      {tables.length < 2 ? null : (
        <label className="table-choice row quiet">
          List
          <select
            className="tool"
            value={tables.indexOf(table)}
            onChange={(event) => onChoose(Number(event.currentTarget.value))}
          >
            {tables.map(({ path, rows: { length } }, index) => (
              <option key={path} value={index}>
                {path} ({length})
              </option>
            ))}
          </select>
        </label>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: this is not a set of form fields */}
      <div className="table-scroll fill" role="group" aria-label={`Rows of ${table.path}`} tabIndex={0}>
        <table className="rows">
          <caption className="visually-hidden">{table.path}</caption>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be equal
              <tr key={index}>
                {row.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell has its place
                  <td key={at} className={classOf(cell)}>
                    {cellText(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 ? <p className="quiet library-note">No row matches.</p> : null}
        {rows.length <= shown.length ? null : all ? (
          <p className="quiet library-note">
            The first {mostShown} of {rows.length} rows are shown. The CSV file has all of them.
          </p>
        ) : (
          <Button look="link" onClick={() => setAll(true)}>
            Show {rows.length <= mostShown ? `all ${rows.length}` : `the first ${mostShown}`} rows
          </Button>
        )}
      </div>
    </div>
  )
}

const classOf = (cell: Cell): string | undefined =>
  typeof cell === 'number' ? 'number' : cell === null || cell === undefined ? 'quiet' : undefined
