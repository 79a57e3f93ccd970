/** The open operations as tabs, and a button for a new one. */
import { useEffect, useRef } from 'react'
import { IconButton } from '../frame/icon-button.tsx'
import { CloseIcon, PlusIcon } from '../frame/icons.tsx'
import { emptyDraft, titleOf, type Workspace } from './workspace.ts'

export function DraftsBar({ workspace }: { readonly workspace: Workspace }) {
  const { drafts, current } = workspace
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab of another one is to be seen
  useEffect(() => {
    list.current?.querySelector('.draft-current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current.id])
  return (
    <div className="pane-head">
      <ul ref={list} className="drafts" aria-label="Open operations">
        {drafts.map((draft) => {
          const title = titleOf(draft)
          const isCurrent = draft.id === current.id
          return (
            <li key={draft.id} className={isCurrent ? 'draft draft-current' : 'draft'}>
              <button
                type="button"
                aria-current={isCurrent ? 'true' : undefined}
                onClick={() => workspace.select(draft.id)}
              >
                {title}
              </button>
              {drafts.length > 1 ? (
                <button
                  type="button"
                  className="draft-close"
                  aria-label={`Close ${title}`}
                  onClick={() => workspace.close(draft.id)}
                >
                  <CloseIcon />
                </button>
              ) : null}
            </li>
          )
        })}
      </ul>
      <IconButton label="New operation" onClick={() => workspace.open(emptyDraft)}>
        <PlusIcon />
      </IconButton>
    </div>
  )
}
