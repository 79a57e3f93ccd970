/** The panel beside the operation: examples, saved operations, history, the schema, and the builder. */
import { useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { BuilderShelf } from '../builder/builder-shelf.tsx'
import { ExampleList } from '../frame/example-list.tsx'
import { DownloadIcon, MapIcon } from '../frame/icons.tsx'
import { panelProps, Tabs } from '../frame/tabs.tsx'
import { Docs } from '../schema/docs.tsx'
import type { SchemaState } from '../schema/load.ts'
import type { Place } from '../schema/search.ts'
import { HistoryShelf } from './history-shelf.tsx'
import { SavedShelf } from './saved-shelf.tsx'
import { type Draft, emptyDraft, titleOf, type Workspace } from './workspace.ts'

export type Shelf = 'examples' | 'saved' | 'history' | 'schema' | 'builder'
export const shelves: readonly (readonly [Shelf, string])[] = [
  ['examples', 'Examples'],
  ['schema', 'Schema'],
  ['builder', 'Build'],
  ['history', 'History'],
  ['saved', 'Saved'],
]

export interface LibraryProps {
  readonly examples: readonly Example[]
  readonly currentExample: string | undefined
  readonly onExample: (example: Example) => void
  readonly schema: SchemaState
  readonly onReload: () => void
  readonly workspace: Workspace
  readonly onDraft: (draft: Draft) => void
  readonly onSave: () => void
  readonly onMap: () => void
  readonly onSdl: () => void
  readonly shelf: Shelf
  readonly onShelf: (shelf: Shelf) => void
  readonly trail: readonly Place[]
  readonly onTrail: (trail: readonly Place[]) => void
}

export function Library(props: LibraryProps) {
  const { schema, shelf } = props
  return (
    <section className="library" aria-label="Library">
      <div className="pane-head">
        <Tabs
          label="Library"
          name="library"
          tabs={shelves.map(([id, title]) => ({ id, title }))}
          value={shelf}
          onChange={props.onShelf}
        />
      </div>
      <div className="library-body" {...panelProps('library', shelf)}>
        <ShelfBody {...props} />
        {schema.kind === 'failed' && shelf !== 'schema' && shelf !== 'builder' ? (
          <SchemaFailed reason={schema.reason} onReload={props.onReload} />
        ) : null}
      </div>
    </section>
  )
}

function ShelfBody(props: LibraryProps) {
  switch (props.shelf) {
    case 'examples':
      return <ExampleList examples={props.examples} current={props.currentExample} onOpen={props.onExample} />
    case 'history':
      return <HistoryShelf onDraft={props.onDraft} />
    case 'saved':
      return <SavedShelf onDraft={props.onDraft} onSave={props.onSave} />
    case 'schema':
    case 'builder':
      return <SchemaShelf {...props} />
  }
}

function SchemaShelf(props: LibraryProps) {
  const { schema, shelf, workspace, trail, onTrail, onDraft } = props
  const [opened, setOpened] = useState<string>()
  if (schema.kind === 'loading') return <p className="quiet library-note">Loading the schema…</p>
  if (schema.kind === 'failed') return <SchemaFailed reason={schema.reason} onReload={props.onReload} />
  if (shelf === 'builder')
    return (
      <BuilderShelf
        schema={schema.schema}
        draft={workspace.current}
        onChange={workspace.change}
        onNew={() => workspace.open(emptyDraft)}
      />
    )
  return (
    <>
      <div className="shelf-tools">
        <button type="button" className="tool" onClick={props.onMap}>
          <MapIcon />
          Map of types
        </button>
        <button type="button" className="tool" title="The schema as SDL" onClick={props.onSdl}>
          <DownloadIcon />
          SDL
        </button>
      </div>
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
