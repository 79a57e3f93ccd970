/**
 * The open operations, each in a tab. They are stored for this browser tab, as long as it is open
 * (`sessionStorage`).
 */
import type { Example } from '../../examples/example.ts'
import { jsonFrom, objectOf } from '../json.ts'
import { settings } from '../settings.ts'
import { say } from '../ui/feedback.tsx'
import { recall, store } from '../ui/storage.ts'
import { createStore } from '../ui/store.ts'
import { hasTexts, newId } from '../ui/stored-list.ts'

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

const isDraft = (value: unknown): value is OpenDraft => hasTexts(value, 'id', 'query', 'variables', 'headers')

function read(): State {
  const [first] = settings.examples
  const start = first === undefined ? emptyDraft : draftOf(first)
  const { drafts, currentId } = objectOf(jsonFrom(recall('sessionStorage', key) ?? ''))
  // Another version of the page may have stored them.
  const known = Array.isArray(drafts) ? drafts.filter(isDraft) : []
  const current = known.find(({ id }) => id === currentId)
  return current === undefined ? startWith(start) : { drafts: known, currentId: current.id }
}

const state = createStore(read())
let isStored = true

function become(next: State): void {
  state.set(next)
  const wasStored = isStored
  isStored = store('sessionStorage', key, JSON.stringify(next))
  if (wasStored && !isStored)
    say('The browser stores no more: what you write is lost when the page is reloaded.', true)
}

const currentOf = ({ drafts, currentId }: State): OpenDraft =>
  drafts.find(({ id }) => id === currentId) ?? opened(emptyDraft)

export const currentDraft = (): OpenDraft => currentOf(state.current())

export const useDrafts = (): readonly OpenDraft[] => state.use().drafts

export const useCurrentDraft = (): OpenDraft => currentOf(state.use())

export function changeDraft(part: Partial<OpenDraft>): void {
  const { drafts, currentId } = state.current()
  become({ currentId, drafts: drafts.map((each) => (each.id === currentId ? { ...each, ...part } : each)) })
}

const isOwn = ({ query }: OperationText): boolean =>
  query.trim() !== '' && !settings.examples.some(({ document }) => document.trim() === query.trim())

/** Opens the text in the current tab if that has nothing of the user's own, otherwise in a new one. */
export function openDraft(text: OperationText): void {
  const { drafts, currentId } = state.current()
  const next = opened(text)
  const kept = drafts.filter((each) => each.id !== currentId || isOwn(each))
  become({ drafts: [...kept, next].slice(-mostDrafts), currentId: next.id })
}

export const selectDraft = (id: string): void => become({ ...state.current(), currentId: id })

export function closeDraft(id: string): void {
  const { drafts, currentId } = state.current()
  const at = drafts.findIndex((each) => each.id === id)
  const kept = drafts.filter((each) => each.id !== id)
  const next = kept[Math.min(at, kept.length - 1)]
  become(
    next === undefined
      ? startWith(emptyDraft)
      : { drafts: kept, currentId: currentId === id ? next.id : currentId },
  )
}
