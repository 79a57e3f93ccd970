/**
 * The open operations, each in a tab. They are stored for this browser tab, as long as it is open
 * (`sessionStorage`).
 */
import { useEffect, useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { recall, store } from '../frame/storage.ts'
import { newId } from '../frame/stored-list.ts'
import { jsonFrom, objectOf, objectsIn } from '../json.ts'
import { settings } from '../settings.ts'

export interface OperationText {
  readonly query: string
  /** JSON text as it was typed. */
  readonly variables: string
}

export interface OpenDraft extends OperationText {
  readonly id: string
  readonly headers: string
}

interface State {
  readonly drafts: readonly OpenDraft[]
  readonly currentId: string
}

const key = 'tessera:workspace'
const mostDrafts = 20
export const emptyDraft: OperationText = { query: '', variables: '' }

export const draftOf = ({ document, variables }: Pick<Example, 'document' | 'variables'>): OperationText => ({
  query: document,
  variables: variables === undefined ? '' : JSON.stringify(variables, null, 2),
})

/** The title of a tab, which is the name of its first operation. */
export const titleOf = ({ query }: Pick<OperationText, 'query'>): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(query.replace(/#.*/g, ''))?.[1] ?? 'Untitled'

const opened = ({ query, variables }: OperationText): OpenDraft => ({
  ...{ query, variables, headers: '' },
  id: newId(),
})

function startWith(text: OperationText): State {
  const first = opened(text)
  return { drafts: [first], currentId: first.id }
}

function read(): State {
  const [first] = settings.examples
  const start = first === undefined ? emptyDraft : draftOf(first)
  const { drafts, currentId } = objectOf(jsonFrom(recall('sessionStorage', key) ?? ''))
  // Another version of the page may have stored them.
  const known = objectsIn(drafts).flatMap(({ id, query, variables, headers }): OpenDraft[] =>
    typeof id === 'string' &&
    typeof query === 'string' &&
    typeof variables === 'string' &&
    typeof headers === 'string'
      ? [{ id, query, variables, headers }]
      : [],
  )
  const current = known.find(({ id }) => id === currentId)
  return current === undefined ? startWith(start) : { drafts: known, currentId: current.id }
}

/** The current operation, for the view without tabs. */
export function currentDraft(): OperationText {
  const { drafts, currentId } = read()
  return drafts.find(({ id }) => id === currentId) ?? emptyDraft
}

export type Workspace = ReturnType<typeof useWorkspace>

export function useWorkspace() {
  const [state, setState] = useState(read)
  useEffect(() => void store('sessionStorage', key, JSON.stringify(state)), [state])
  const current = state.drafts.find(({ id }) => id === state.currentId) ?? opened(emptyDraft)
  const isOwn = ({ query }: OperationText): boolean =>
    query.trim() !== '' && !settings.examples.some(({ document }) => document.trim() === query.trim())

  return {
    drafts: state.drafts,
    current,
    change: (part: Partial<OpenDraft>) =>
      setState((before) => ({
        ...before,
        drafts: before.drafts.map((each) => (each.id === before.currentId ? { ...each, ...part } : each)),
      })),
    /** Opens the text in the current tab if that has nothing of the user's own, otherwise in a new one. */
    open: (text: OperationText) =>
      setState((before) => {
        const next = opened(text)
        const kept = before.drafts.filter((each) => each.id !== before.currentId || isOwn(each))
        return { ...before, drafts: [...kept, next].slice(-mostDrafts), currentId: next.id }
      }),
    select: (id: string) => setState((before) => ({ ...before, currentId: id })),
    close: (id: string) =>
      setState((before) => {
        const at = before.drafts.findIndex((each) => each.id === id)
        const drafts = before.drafts.filter((each) => each.id !== id)
        const next = drafts[Math.min(at, drafts.length - 1)]
        if (next === undefined) return startWith(emptyDraft)
        return { ...before, drafts, currentId: before.currentId === id ? next.id : before.currentId }
      }),
  }
}
