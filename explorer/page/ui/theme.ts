/** Light or dark: the system's setting until the user chooses. */
import { recall, store } from './storage.ts'
import { createStore } from './store.ts'

type Theme = 'light' | 'dark'

const key = 'tessera:theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

const ofSystem = (): Theme => (dark.matches ? 'dark' : 'light')

/** Also kept here, because the browser may store nothing. */
let chosen = (['light', 'dark'] as const).find((each) => each === recall('localStorage', key))

const wanted = (): Theme => chosen ?? ofSystem()

export const theme = createStore(wanted())

function show(): void {
  // Charts read its colours when they are drawn again.
  document.documentElement.dataset.theme = wanted()
  theme.set(wanted())
}
show()
dark.addEventListener('change', show)

export function switchTheme(): void {
  const next = theme.current() === 'dark' ? 'light' : 'dark'
  // Choosing the system's setting removes the choice.
  chosen = next === ofSystem() ? undefined : next
  store('localStorage', key, chosen)
  show()
}
