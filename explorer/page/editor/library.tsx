/** The panel beside the operation: examples, saved operations, history, the schema, and the builder. */
import { useState } from 'react'
import { BuilderShelf } from '../builder/builder-shelf.tsx'
import { Button } from '../frame/button.tsx'
import { ExampleList } from '../frame/example-list.tsx'
import { DownloadIcon, MapIcon } from '../frame/icons.tsx'
import { panelProps, Tabs } from '../frame/tabs.tsx'
import { Docs } from '../schema/docs.tsx'
import { HistoryShelf } from './history-shelf.tsx'
import { SavedShelf } from './saved-shelf.tsx'
import { type Bench, shelves } from './use-bench.ts'
import { draftOf, emptyDraft, titleOf } from './workspace.ts'

interface Props {
  readonly bench: Bench
}

export function Library({ bench }: Props) {
  const { schema, shelf } = bench
  return (
    <section className="library" aria-label="Library">
      <div className="pane-head">
        <Tabs label="Library" name="library" tabs={shelves} value={shelf} onChange={bench.setShelf} />
      </div>
      <div className="library-body" {...panelProps('library', shelf)}>
        <ShelfBody bench={bench} />
        {schema.kind === 'failed' && shelf !== 'schema' && shelf !== 'builder' ? (
          <SchemaFailed reason={schema.reason} onReload={bench.reload} />
        ) : null}
      </div>
    </section>
  )
}

function ShelfBody({ bench }: Props) {
  const { workspace, actions } = bench
  const { open, save } = actions
  switch (bench.shelf) {
    case 'examples':
      return <ExampleList query={workspace.current.query} onOpen={(example) => open(draftOf(example))} />
    case 'history':
      return <HistoryShelf onDraft={open} />
    case 'saved':
      return <SavedShelf onDraft={open} onSave={save} />
    case 'schema':
    case 'builder':
      return <SchemaShelf bench={bench} />
  }
}

function SchemaShelf({ bench }: Props) {
  const { schema, shelf, workspace, trail, setTrail, actions } = bench
  const [opened, setOpened] = useState<string>()
  if (schema.kind === 'loading') return <p className="quiet library-note">Loading the schema…</p>
  if (schema.kind === 'failed') return <SchemaFailed reason={schema.reason} onReload={bench.reload} />
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
        <Button onClick={actions.map}>
          <MapIcon />
          Map of types
        </Button>
        <Button title="The schema as SDL" onClick={actions.sdl}>
          <DownloadIcon />
          SDL
        </Button>
      </div>
      <Docs
        schema={schema.schema}
        trail={trail}
        onTrail={setTrail}
        onTry={(draft) => {
          setOpened(titleOf(draft))
          actions.open(draft)
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
      <Button onClick={onReload}>Try again</Button>
    </div>
  )
}
