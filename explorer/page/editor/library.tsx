/** The panel beside the operation: examples, saved operations, history, the schema, and the builder. */
import type { GraphQLSchema } from 'graphql'
import { type ReactNode, useState } from 'react'
import { BuilderShelf } from '../builder/builder-shelf.tsx'
import { Docs } from '../schema/docs.tsx'
import { loadSchema, schemaState } from '../schema/load.ts'
import { Button } from '../ui/button.tsx'
import { ExampleList } from '../ui/example-list.tsx'
import { DownloadIcon, MapIcon } from '../ui/icons.tsx'
import { overlay } from '../ui/overlay.ts'
import { panelProps, Tabs } from '../ui/tabs.tsx'
import { downloadSdl, open } from './actions.ts'
import { HistoryShelf } from './history-shelf.tsx'
import { shelf, shelves } from './navigation.ts'
import { SavedShelf } from './saved-shelf.tsx'
import { draftOf, titleOf, useCurrentDraft } from './workspace.ts'

export function Library() {
  const shown = shelf.use()
  const schema = schemaState.use()
  return (
    <section className="library column fill" aria-label="Library">
      <div className="pane-head row">
        <Tabs label="Library" name="library" tabs={shelves} value={shown} onChange={shelf.set} />
      </div>
      <div className="library-body fill" {...panelProps('library', shown)}>
        <ShelfBody />
        {schema.kind === 'failed' && shown !== 'schema' && shown !== 'builder' ? (
          <SchemaFailed reason={schema.reason} />
        ) : null}
      </div>
    </section>
  )
}

function ShelfBody() {
  const { query } = useCurrentDraft()
  switch (shelf.use()) {
    case 'examples':
      return <ExampleList query={query} onOpen={(example) => open(draftOf(example))} />
    case 'history':
      return <HistoryShelf />
    case 'saved':
      return <SavedShelf />
    case 'schema':
      return <SchemaShelf of={SchemaPages} />
    case 'builder':
      return <SchemaShelf of={BuilderShelf} />
  }
}

function SchemaShelf({
  of: Shelf,
}: {
  readonly of: (props: { readonly schema: GraphQLSchema }) => ReactNode
}) {
  const schema = schemaState.use()
  if (schema.kind === 'loading') return <p className="quiet library-note">Loading the schema…</p>
  if (schema.kind === 'failed') return <SchemaFailed reason={schema.reason} />
  return <Shelf schema={schema.schema} />
}

function SchemaPages({ schema }: { readonly schema: GraphQLSchema }) {
  const [opened, setOpened] = useState<string>()
  return (
    <>
      <div className="shelf-tools row">
        <Button onClick={() => overlay.set('map')}>
          <MapIcon />
          Map of types
        </Button>
        <Button title="The schema as SDL" onClick={downloadSdl}>
          <DownloadIcon />
          SDL
        </Button>
      </div>
      <Docs
        schema={schema}
        onTry={(draft) => {
          setOpened(titleOf(draft))
          open(draft)
        }}
      />
      <p className="visually-hidden" role="status">
        {opened === undefined ? '' : `${opened} is open`}
      </p>
    </>
  )
}

function SchemaFailed({ reason }: { readonly reason: string }) {
  return (
    <div className="library-note fault" role="alert">
      <p>The schema cannot be read. {reason}</p>
      <Button onClick={loadSchema}>Try again</Button>
    </div>
  )
}
