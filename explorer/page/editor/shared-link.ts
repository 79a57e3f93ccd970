/**
 * Opens the operation of a link, at the start and when another link is followed. It then removes the link from the
 * address. Nothing is run.
 */

import { chosenView, resultViews } from '../result/views.ts'
import { isShared, sharedFrom } from '../share/link.ts'
import { say } from '../ui/feedback.tsx'
import { open } from './actions.ts'

async function openShared(): Promise<void> {
  const { hash } = location
  if (!isShared(hash)) return
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  const shared = await sharedFrom(hash)
  if (shared === undefined) {
    say('This link contains no readable operation.', true)
    return
  }
  open(shared)
  const view = resultViews.find((each) => each === shared.tab)
  if (view !== undefined) chosenView.set({ of: 'next', view })
  say('Opened from a link. Check it before you run it.')
}

/** Returns a function that ends it. */
export function followLinks(): () => void {
  const follow = (): void => void openShared()
  follow()
  addEventListener('hashchange', follow)
  return () => removeEventListener('hashchange', follow)
}
