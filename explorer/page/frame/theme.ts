/** Light or dark: the system's setting until the user chooses. */
import { createStore } from './store.ts'

type Theme = 'light' | 'dark'

const key = 'tessera:theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

const ofSystem = (): Theme => (dark.matches ? 'dark' : 'light')

function wanted(): Theme {
  const chosen = localStorage.getItem(key)
  return chosen === 'light' || chosen === 'dark' ? chosen : ofSystem()
}

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
  if (next === ofSystem()) localStorage.removeItem(key)
  else localStorage.setItem(key, next)
  show()
}
