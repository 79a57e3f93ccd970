/**
 * Signing in at the authorization server of the graph: the browser leaves the page, and comes back to it with a code.
 * What has to be known again then is kept for this tab (`sessionStorage`) and taken out of it at once.
 */
import type { SignInPlace } from '../settings.ts'
import type { Pending, SignedIn, SignInWish } from './types.ts'

const key = 'tessera:sign-in'
/** What an authorization server adds to the address that it sends the browser back to. */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state']
const loadFlow = () => import('./flow.ts')

/** Leaves the page. Rejects if the server cannot be reached. */
export async function leaveToSignIn(place: SignInPlace, wish: SignInWish): Promise<void> {
  const { authorizationOf } = await loadFlow()
  const redirectUri = new URL('.', document.baseURI).href
  const { address, pending } = await authorizationOf(place, wish, redirectUri)
  sessionStorage.setItem(key, JSON.stringify(pending))
  location.assign(address)
}

function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  try {
    return text === null ? undefined : (JSON.parse(text) as Pending)
  } catch {
    return undefined
  }
}

/**
 * At the start of the page: the token, if the browser has come back with a code for it; undefined if it has not.
 * The code leaves the address before anything else is done, and so does one that was not asked for here.
 */
export function returnFromSignIn(place: SignInPlace | undefined): Promise<SignedIn> | undefined {
  const back = new URL(location.href)
  if (place === undefined || !back.searchParams.has('state')) return undefined
  if (!back.searchParams.has('code') && !back.searchParams.has('error')) return undefined
  const pending = takePending()
  const { searchParams } = new URL(back)
  for (const name of answerParameters) searchParams.delete(name)
  const rest = searchParams.size === 0 ? '' : `?${searchParams}`
  history.replaceState(null, '', `${location.pathname}${pending?.search ?? rest}`)
  if (pending === undefined) return undefined
  return loadFlow().then(({ tokenOf }) => tokenOf(place, pending, back))
}

/** If the server does not answer, the token ends by itself. */
export function forgetAtServer(place: SignInPlace, token: string): void {
  loadFlow()
    .then(({ revoke }) => revoke(place, token))
    .catch(() => {})
}
