/**
 * The open operations, each in a tab. They are stored for this browser tab, as long as it is open
 * (`sessionStorage`).
 */
import { useEffect, useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { newId } from '../frame/stored-list.ts'

export interface Draft {
  readonly query: string
  /** JSON text as it was typed. */
  readonly variables: string
  readonly headers: string
}

export interface OpenDraft extends Draft {
  readonly id: string
}

export interface Workspace {
  readonly drafts: readonly OpenDraft[]
  readonly current: OpenDraft
  change(part: Partial<Draft>): void
  /** Opens the draft in the current tab if that has nothing of the user's own, otherwise in a new one. */
  open(draft: Draft): void
  select(id: string): void
  close(id: string): void
}

interface State {
  readonly drafts: readonly OpenDraft[]
  readonly currentId: string
}

const key = 'tessera:workspace'
const mostDrafts = 20
export const emptyDraft: Draft = { query: '', variables: '', headers: '' }

export const draftOf = ({ document, variables }: Example): Draft => ({
  query: document,
  variables: variables === undefined ? '' : JSON.stringify(variables, null, 2),
  headers: '',
})

/** The title of a tab, which is the name of its first operation. */
export const titleOf = ({ query }: Draft): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(query)?.[1] ?? 'Untitled'

const withId = (draft: Draft): OpenDraft => ({ ...draft, id: newId() })

function startWith(draft: Draft): State {
  const first = withId(draft)
  return { drafts: [first], currentId: first.id }
}

function read(first: Draft): State {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '') as State
    return stored.drafts.some(({ id }) => id === stored.currentId) ? stored : startWith(first)
  } catch {
    return startWith(first)
  }
}

function write(state: State): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(state))
  } catch {
    // The browser has no room for it, so it is not stored.
  }
}

/** The current operation, for the view without tabs. */
export function currentDraft(examples: readonly Example[]): Draft {
  const { drafts, currentId } = read(examples[0] === undefined ? emptyDraft : draftOf(examples[0]))
  return drafts.find(({ id }) => id === currentId) ?? emptyDraft
}

export function useWorkspace(examples: readonly Example[]): Workspace {
  const [state, setState] = useState(() =>
    read(examples[0] === undefined ? emptyDraft : draftOf(examples[0])),
  )
  useEffect(() => write(state), [state])
  const current = state.drafts.find(({ id }) => id === state.currentId) ?? withId(emptyDraft)
  const isOwn = ({ query }: Draft): boolean =>
    query.trim() !== '' && !examples.some(({ document }) => document.trim() === query.trim())

  return {
    drafts: state.drafts,
    current,
    change: (part) =>
      setState((before) => ({
        ...before,
        drafts: before.drafts.map((each) => (each.id === before.currentId ? { ...each, ...part } : each)),
      })),
    open: (draft) =>
      setState((before) => {
        const next = withId(draft)
        const kept = before.drafts.filter((each) => each.id !== before.currentId || isOwn(each))
        return { ...before, drafts: [...kept, next].slice(-mostDrafts), currentId: next.id }
      }),
    select: (id) => setState((before) => ({ ...before, currentId: id })),
    close: (id) =>
      setState((before) => {
        const at = before.drafts.findIndex((each) => each.id === id)
        const drafts = before.drafts.filter((each) => each.id !== id)
        const next = drafts[Math.min(at, drafts.length - 1)]
        if (next === undefined) return startWith(emptyDraft)
        return { ...before, drafts, currentId: before.currentId === id ? next.id : before.currentId }
      }),
  }
}
