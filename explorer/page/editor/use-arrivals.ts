/**
 * Opens or runs an operation without a click on "Run": from a shared link, when a token has arrived, or when a file
 * was chosen.
 */
import { useEffect, useRef, useState } from 'react'
import { say } from '../frame/feedback.tsx'
import { session } from '../graph/session.ts'
import { type ResultView, resultViews } from '../result/result-pane.tsx'
import { isShared, sharedFrom } from '../share/link.ts'
import { arriving } from '../sign-in/index.ts'
import type { OperationRun } from './use-run.ts'
import type { OperationText } from './workspace.ts'

export interface ArrivalOptions {
  readonly running: OperationRun
  readonly open: (text: OperationText) => void
  /** Called with the view that a shared link names. */
  readonly onView: (view: ResultView) => void
}

/** Returns functions that run the open operation: at once, or when something has arrived. */
export function useArrivals(options: ArrivalOptions) {
  const { token } = session.use()
  const latest = useRef(options)
  latest.current = options
  const tokenBefore = useRef<{ readonly token: string | undefined }>(undefined)
  const [opened, setOpened] = useState(0)
  useSharedLink(latest)

  useEffect(() => {
    // The operation that was refused before its user signed in.
    arriving?.then(
      ({ run }) => run && latest.current.running.send(run.operationName),
      () => {},
    )
  }, [])
  useEffect(() => {
    if (tokenBefore.current === undefined || tokenBefore.current.token === token) return
    tokenBefore.current = undefined
    if (token !== undefined) latest.current.running.again()
  }, [token])
  useEffect(() => {
    if (opened > 0) latest.current.running.send(undefined)
  }, [opened])
  return {
    now: () => latest.current.running.again(),
    /** Once another token was pasted. */
    whenPasted: () => {
      tokenBefore.current = { token }
    },
    /** Once the operation that was just opened is shown. */
    whenOpen: () => setOpened((count) => count + 1),
  }
}

/**
 * Opens the operation of a link, at the start and when another link is followed. It then removes the link from the
 * address. Nothing is run.
 */
function useSharedLink(latest: { readonly current: ArrivalOptions }): void {
  useEffect(() => {
    const read = async (): Promise<void> => {
      const { hash } = location
      if (!isShared(hash)) return
      history.replaceState(null, '', `${location.pathname}${location.search}`)
      const shared = await sharedFrom(hash)
      if (shared === undefined) {
        say('This link contains no readable operation.', true)
        return
      }
      latest.current.open(shared)
      const view = resultViews.find((each) => each === shared.tab)
      if (view !== undefined) latest.current.onView(view)
      say('Opened from a link. Check it before you run it.')
    }
    const onHash = (): void => void read()
    onHash()
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [latest])
}
