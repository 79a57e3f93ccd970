/** Light or dark: the system's setting until the user chooses. */
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { recall, store } from './storage.ts'

export type Theme = 'light' | 'dark'

const key = 'tessera:theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const system: Theme = useSyncExternalStore(subscribe, () => dark.matches) ? 'dark' : 'light'
  const [chosen, choose] = useState<Theme | undefined>(() => {
    const stored = recall('localStorage', key)
    return stored === 'light' || stored === 'dark' ? stored : undefined
  })
  const theme = chosen ?? system
  // Before the effects of charts, which read the colours of the theme.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return [
    theme,
    (next) => {
      // Choosing the system's setting removes the choice.
      const kept = next === system ? undefined : next
      store('localStorage', key, kept)
      choose(kept)
    },
  ]
}
