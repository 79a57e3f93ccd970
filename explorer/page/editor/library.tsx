/** Beside the operation: examples, the schema's documentation, and what ran before. */
import { useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { ExampleList } from '../frame/example-list.tsx'
import { panelProps, Tabs } from '../frame/tabs.tsx'
import { Docs } from '../schema/docs.tsx'
import type { SchemaState } from '../schema/load.ts'
import type { Place } from '../schema/search.ts'
import { type Draft, titleOf } from './workspace.ts'

export type Shelf = 'examples' | 'schema' | 'history'

export interface LibraryProps {
  readonly examples: readonly Example[]
  readonly currentExample: string | undefined
  readonly onExample: (example: Example) => void
  readonly schema: SchemaState
  readonly onReload: () => void
  readonly past: readonly Draft[]
  readonly onDraft: (draft: Draft) => void
  readonly shelf: Shelf
  readonly onShelf: (shelf: Shelf) => void
  readonly trail: readonly Place[]
  readonly onTrail: (trail: readonly Place[]) => void
}

export function Library(props: LibraryProps) {
  const { schema, past, shelf } = props
  return (
    <section className="library" aria-label="Library">
      <div className="pane-head">
        <Tabs
          label="Library"
          name="library"
          tabs={[
            { id: 'examples', title: 'Examples' },
            { id: 'schema', title: 'Schema' },
            { id: 'history', title: 'History' },
          ]}
          value={shelf}
          onChange={props.onShelf}
        />
      </div>
      <div className="library-body" {...panelProps('library', shelf)}>
        {shelf === 'examples' ? (
          <ExampleList examples={props.examples} current={props.currentExample} onOpen={props.onExample} />
        ) : shelf === 'schema' ? (
          <SchemaShelf {...props} />
        ) : past.length === 0 ? (
          <p className="quiet library-note">
            Operations that you run are listed here until this tab is closed.
          </p>
        ) : (
          <ul className="examples">
            {past.map((draft) => (
              <li key={`${draft.query} ${draft.variables}`}>
                <button type="button" onClick={() => props.onDraft(draft)}>
                  <span className="example-title">{titleOf(draft)}</span>
                  <span className="example-note">{summaryOf(draft)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {shelf !== 'schema' && schema.kind === 'failed' ? (
          <SchemaFailed reason={schema.reason} onReload={props.onReload} />
        ) : null}
      </div>
    </section>
  )
}

function SchemaShelf({ schema, onReload, trail, onTrail, onDraft }: LibraryProps) {
  const [opened, setOpened] = useState<string>()
  if (schema.kind === 'loading') return <p className="quiet library-note">Loading the schema…</p>
  if (schema.kind === 'failed') return <SchemaFailed reason={schema.reason} onReload={onReload} />
  return (
    <>
      <Docs
        schema={schema.schema}
        trail={trail}
        onTrail={onTrail}
        onTry={(draft) => {
          setOpened(titleOf(draft))
          onDraft(draft)
        }}
      />
      <p className="visually-hidden" role="status">
        {opened === undefined ? '' : `${opened} is open`}
      </p>
    </>
  )
}

function SchemaFailed({ reason, onReload }: { readonly reason: string; readonly onReload: () => void }) {
  return (
    <div className="library-note fault" role="alert">
      <p>The schema cannot be read. {reason}</p>
      <button type="button" className="tool" onClick={onReload}>
        Try again
      </button>
    </div>
  )
}

const longest = 60
const summaryOf = ({ query, variables }: Draft): string => {
  const text = (variables.trim() === '' || variables.trim() === '{}' ? query : variables).replace(/\s+/g, ' ')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
