/** Short messages at the bottom of the page, such as that a link was copied. */
import { createStore } from './store.ts'

const said = createStore<{ readonly text: string; readonly isFault: boolean } | undefined>(undefined)
const shownMs = 4000
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message, which replaces the previous one. */
export function say(text: string, isFault = false): void {
  clearTimeout(timer)
  said.set({ text, isFault })
  timer = setTimeout(() => said.set(undefined), shownMs)
}

export function Toasts() {
  const shown = said.use()
  return (
    <div className="toasts" role="status">
      {shown === undefined ? null : (
        <p className={shown.isFault ? 'toast toast-fault' : 'toast'}>{shown.text}</p>
      )}
    </div>
  )
}
