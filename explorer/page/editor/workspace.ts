/**
 * The open operations, each in a tab, and those that were closed last. They are stored for this browser tab, as long as
 * it is open (`sessionStorage`).
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
  /** Closed operations that can be opened again, the newest last. */
  readonly closed: readonly OpenDraft[]
}

const key = 'tessera:workspace'
const mostDrafts = 20
const mostClosed = 20
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

function startWith(text: OperationText, closed: State['closed'] = []): State {
  const first = opened(text)
  return { drafts: [first], currentId: first.id, closed }
}

const isDraft = (value: unknown): value is OpenDraft => hasTexts(value, 'id', 'query', 'variables', 'headers')

function read(): State {
  const [first] = settings.examples
  const start = first === undefined ? emptyDraft : draftOf(first)
  const stored = objectOf(jsonFrom(recall('sessionStorage', key) ?? ''))
  // Another version of the page may have stored them.
  const [drafts = [], closed = []] = [stored.drafts, stored.closed].map((each) =>
    Array.isArray(each) ? each.filter(isDraft) : [],
  )
  const current = drafts.find(({ id }) => id === stored.currentId)
  return current === undefined ? startWith(start, closed) : { drafts, currentId: current.id, closed }
}

const state = createStore(read())
let isStored = true

/** Open operations are more important than closed ones if there is no room for both. */
function become(next: State): void {
  state.set(next)
  const wasStored = isStored
  const stored = [next, { ...next, closed: [] }]
  isStored = stored.some((each) => store('sessionStorage', key, JSON.stringify(each)))
  if (wasStored && !isStored)
    say('The browser stores no more: what you write is lost when the page is reloaded.', true)
}

const currentOf = ({ drafts, currentId }: State): OpenDraft =>
  drafts.find(({ id }) => id === currentId) ?? opened(emptyDraft)

export const currentDraft = (): OpenDraft => currentOf(state.current())

export const useDrafts = (): readonly OpenDraft[] => state.use().drafts

export const useCurrentDraft = (): OpenDraft => currentOf(state.use())

export const useHasClosed = (): boolean => state.use().closed.length > 0

const changed = (change: (draft: OpenDraft) => OpenDraft): void =>
  become({ ...state.current(), drafts: state.current().drafts.map(change) })

export function changeDraft(part: Partial<OpenDraft>): void {
  const { currentId } = state.current()
  changed((each) => (each.id === currentId ? { ...each, ...part } : each))
}

/** Replaces the text of an operation, unless that has been changed or closed since. */
export const replaceQuery = ({ id, query: before }: OpenDraft, query: string): void =>
  changed((each) => (each.id === id && each.query === before ? { ...each, query } : each))

const isOwn = ({ query }: OperationText): boolean =>
  query.trim() !== '' && !settings.examples.some(({ document }) => document.trim() === query.trim())

/** Opens the text in the current tab if that has nothing of the user's own, otherwise in a new one. */
export const openDraft = (text: OperationText): void => put(opened(text), state.current().closed)

/** Opens the operation that was closed last. */
export function reopenDraft(): void {
  const { closed } = state.current()
  const last = closed.at(-1)
  if (last !== undefined) put(last, closed.slice(0, -1))
}

function put(next: OpenDraft, closed: State['closed']): void {
  const { drafts, currentId } = state.current()
  const all = [...drafts.filter((each) => each.id !== currentId || isOwn(each)), next]
  const dropped = all.slice(0, -mostDrafts)
  become({ drafts: all.slice(-mostDrafts), currentId: next.id, closed: withClosed(closed, dropped) })
}

/** Examples and empty operations are not kept. */
function withClosed(closed: State['closed'], added: readonly OpenDraft[]): State['closed'] {
  const own = added.filter(isOwn)
  for (const draft of own) say(`${titleOf(draft)} was closed. It can be reopened from the commands.`)
  return [...closed, ...own].slice(-mostClosed)
}

export const selectDraft = (id: string): void => become({ ...state.current(), currentId: id })

export function closeDraft(id: string): void {
  const { drafts, currentId, closed: before } = state.current()
  const at = drafts.findIndex((each) => each.id === id)
  const kept = drafts.filter((each) => each.id !== id)
  const closed = withClosed(before, drafts.slice(at, at + 1))
  const next = kept[Math.min(at, kept.length - 1)]
  become(
    next === undefined
      ? startWith(emptyDraft, closed)
      : { drafts: kept, currentId: currentId === id ? next.id : currentId, closed },
  )
}
