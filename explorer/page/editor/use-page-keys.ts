/** Keys that work everywhere on the page, whatever has the focus. */
import { useEffect, useRef } from 'react'
import { isMod } from '../keys.ts'

export interface PageKeys {
  readonly run: () => void
  readonly palette: () => void
  readonly save: () => void
  readonly find: () => void
  readonly shortcuts: () => void
}

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches('[type="checkbox"], [type="range"]')))

export function usePageKeys(keys: PageKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      const does = isMod(event)
        ? { enter: latest.current.run, k: latest.current.palette, s: latest.current.save }[key]
        : isMod(event, true)
          ? { f: latest.current.find }[key]
          : event.key === '?' && !event.ctrlKey && !event.metaKey && !isText(event.target)
            ? latest.current.shortcuts
            : undefined
      if (does === undefined) return
      // Otherwise a focused element would handle the key too, such as a button that Enter presses.
      event.preventDefault()
      event.stopPropagation()
      if (!event.repeat) does()
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
