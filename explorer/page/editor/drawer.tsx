/** The variables and the headers of the operation, below it. */
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { useState } from 'react'
import { Splitter, useSize } from '../ui/splitter.tsx'
import { panelProps, Tabs } from '../ui/tabs.tsx'
import { CodeEditor } from './code-editor.tsx'
import { changeDraft, useCurrentDraft } from './workspace.ts'

const parts = [
  { id: 'variables', title: 'Variables', placeholder: '{}' },
  { id: 'headers', title: 'Headers', placeholder: '{ "name": "value" }' },
] as const

type DrawerTab = (typeof parts)[number]['id']

interface DrawerProps {
  readonly languages: Readonly<Record<DrawerTab, readonly Extension[]>>
  readonly onView: (view: EditorView | undefined) => void
}

export function Drawer({ languages, onView }: DrawerProps) {
  const current = useCurrentDraft()
  const [shown, setShown] = useState<DrawerTab>('variables')
  const height = useSize('drawer', [80, 180, 600])
  return (
    <>
      <Splitter label="Height of the variables" orientation="horizontal" size={height} scale={-1} />
      <div className="drawer column" style={{ height: height.value }}>
        <Tabs label="Beside the operation" name="drawer" tabs={parts} value={shown} onChange={setShown} />
        <div className="fill" {...panelProps('drawer', shown)}>
          {parts
            .filter(({ id }) => id === shown)
            .map(({ id, title, placeholder }) => (
              <CodeEditor
                key={id}
                label={`${title}, as JSON`}
                documentId={`${current.id} ${id}`}
                value={current[id]}
                extensions={languages[id]}
                placeholder={placeholder}
                onChange={(text) => changeDraft({ [id]: text })}
                onView={onView}
              />
            ))}
        </div>
      </div>
    </>
  )
}
