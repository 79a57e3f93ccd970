/** The variables and the headers of the operation, below it. */
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { useState } from 'react'
import { Splitter, useSize } from '../frame/splitter.tsx'
import { panelProps, Tabs } from '../frame/tabs.tsx'
import { CodeEditor } from './code-editor.tsx'
import { changeDraft, useCurrentDraft } from './workspace.ts'

export interface DrawerProps {
  readonly variables: readonly Extension[]
  readonly headers: readonly Extension[]
  readonly onView: (view: EditorView | undefined) => void
}

export function Drawer({ variables, headers, onView }: DrawerProps) {
  const current = useCurrentDraft()
  const [shown, setShown] = useState<'variables' | 'headers'>('variables')
  const height = useSize('drawer', [80, 180, 600])
  return (
    <>
      <Splitter label="Height of the variables" orientation="horizontal" size={height} scale={-1} />
      <div className="drawer" style={{ height: height.value }}>
        <Tabs
          label="Beside the operation"
          name="drawer"
          tabs={[
            { id: 'variables', title: 'Variables' },
            { id: 'headers', title: 'Headers' },
          ]}
          value={shown}
          onChange={setShown}
        />
        <div className="drawer-text" {...panelProps('drawer', shown)}>
          {shown === 'variables' ? (
            <CodeEditor
              key="variables"
              label="Variables, as JSON"
              documentId={`${current.id} variables`}
              value={current.variables}
              extensions={variables}
              placeholder="{}"
              onChange={(text) => changeDraft({ variables: text })}
              onView={onView}
            />
          ) : (
            <CodeEditor
              key="headers"
              label="Headers, as JSON"
              documentId={`${current.id} headers`}
              value={current.headers}
              extensions={headers}
              placeholder='{ "name": "value" }'
              onChange={(text) => changeDraft({ headers: text })}
            />
          )}
        </div>
      </div>
    </>
  )
}
