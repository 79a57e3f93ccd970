/** Short messages at the bottom of the page, such as that a link was copied. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'

export type Say = (text: string, isFault?: boolean) => void

const Feedback = createContext<Say>(() => {})

/** Shows a message, which replaces the previous one. */
export const useSay = (): Say => useContext(Feedback)

const shownMs = 4000

export function FeedbackProvider({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState<{ readonly text: string; readonly isFault: boolean }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = useCallback<Say>((text, isFault = false) => {
    clearTimeout(timer.current)
    setSaid({ text, isFault })
    timer.current = setTimeout(() => setSaid(undefined), shownMs)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <Feedback value={say}>
      {children}
      <div className="toasts" role="status">
        {said === undefined ? null : (
          <p className={said.isFault ? 'toast toast-fault' : 'toast'}>{said.text}</p>
        )}
      </div>
    </Feedback>
  )
}
