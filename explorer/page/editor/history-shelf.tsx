/** Earlier runs, with their time, outcome and price. They can be opened, starred and deleted. */

import { clockText, millisecondsText, plural } from '../result/format-numbers.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CloseIcon, StarIcon } from '../ui/icons.tsx'
import { open } from './actions.ts'
import { firstLineOf, forgetRun, forgetRuns, history, type Run, star } from './history.ts'

export function HistoryShelf() {
  const runs = history.use()
  if (runs.length === 0)
    return (
      <p className="quiet library-note">
        Operations that you run are listed here. They are stored in this browser, without their headers.
      </p>
    )
  const starred = runs.filter((run) => run.starred === true)
  const rest = runs.filter((run) => run.starred !== true)
  return (
    <>
      {starred.length === 0 ? null : <Runs title="Starred" runs={starred} />}
      {rest.length === 0 ? null : <Runs title={starred.length === 0 ? undefined : 'Others'} runs={rest} />}
      <Button className="shelf-action" onClick={forgetRuns} disabled={rest.length === 0}>
        Delete all without a star
      </Button>
    </>
  )
}

interface RunsProps {
  readonly title: string | undefined
  readonly runs: readonly Run[]
}

function Runs({ title, runs }: RunsProps) {
  return (
    <section>
      {title === undefined ? null : <h2 className="shelf-title">{title}</h2>}
      <ul className="entries" aria-label={title ?? 'Operations that ran'}>
        {runs.map((run) => (
          <li key={run.id}>
            <button type="button" className="entry fill" onClick={() => open(run)}>
              <code className="entry-line cut">{firstLineOf(run.query)}</code>
              <span className="entry-facts quiet">
                <time dateTime={new Date(run.at).toISOString()}>{whenText(run.at)}</time>
                <Outcome run={run} />
              </span>
            </button>
            <IconButton
              className={run.starred === true ? 'entry-tool starred' : 'entry-tool'}
              label="Star"
              aria-pressed={run.starred === true}
              title={run.starred === true ? 'Remove the star' : 'Star: keep it when older ones are removed'}
              onClick={() => star(run)}
            >
              <StarIcon />
            </IconButton>
            <IconButton className="entry-tool" label="Delete" onClick={() => forgetRun(run.id)}>
              <CloseIcon />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Outcome({ run: { status, milliseconds, units, errors = 0 } }: { readonly run: Run }) {
  if (status === undefined) return <span>no answer</span>
  const isGood = status < 400 && errors === 0
  return (
    <>
      <span className={isGood ? 'fact-good' : 'fact-bad'}>
        {status}
        {errors > 0 ? `, ${plural(errors, 'error')}` : ''}
      </span>
      {milliseconds === undefined ? null : <span>{millisecondsText(milliseconds)}</span>}
      {units === undefined ? null : <span>{plural(units, 'unit')}</span>}
    </>
  )
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })

function whenText(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return isToday ? clockText(at) : day.format(at)
}
