/** The list of examples, one of which may be open. */
import type { Example } from '../../examples/example.ts'
import { settings } from '../settings.ts'

interface ExampleListProps {
  readonly query: string
  readonly onOpen: (example: Example) => void
}

export function ExampleList({ query, onOpen }: ExampleListProps) {
  const { examples } = settings
  if (examples.length === 0)
    return <p className="quiet library-note">No examples can be made from this schema.</p>
  const current = examples.find(({ document }) => document === query)
  return (
    <ul className="examples">
      {examples.map((each) => (
        <li key={each.id}>
          <button
            type="button"
            aria-current={each === current ? 'true' : undefined}
            onClick={() => onOpen(each)}
          >
            <span className="example-title">{each.title}</span>
            <span className="quiet">{each.note}</span>
            {each.scopes === undefined || each.scopes.length === 0 ? null : (
              <span className="example-scopes">{each.scopes.join(' + ')}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}
