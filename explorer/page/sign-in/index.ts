/**
 * Signing in at the graph's authorization server. The browser leaves the page and returns with a code. What must be
 * remembered meanwhile is stored for this browser tab (`sessionStorage`) and deleted when it is read.
 */

import { jsonFrom } from '../json.ts'
import { settings } from '../settings.ts'
import { recall, store } from '../ui/storage.ts'
import type { Pending, SignedIn, SignInOptions } from './flow.ts'

const { signIn: place } = settings
/** Whether there is an authorization server. */
export const canSignIn = place !== undefined

const key = 'tessera:sign-in'
/** Parameters that an authorization server adds to the address to which it sends the browser back. */
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state']
const loadFlow = () => import('./flow.ts')

/** Leaves the page. Rejects if the server cannot be reached. */
export async function leaveToSignIn(options: SignInOptions): Promise<void> {
  if (place === undefined) return
  const { authorizationOf } = await loadFlow()
  const redirectUri = new URL('.', location.href).href
  const { address, pending } = await authorizationOf(place, options, redirectUri)
  if (!store('sessionStorage', key, JSON.stringify(pending)))
    throw new Error('this browser stores nothing for the page.')
  location.assign(address)
}

function takePending(): Pending | undefined {
  const text = recall('sessionStorage', key) ?? ''
  store('sessionStorage', key, undefined)
  return jsonFrom(text) as Pending | undefined
}

/**
 * If the browser has returned with a code, this gets the token; otherwise the result is undefined. The code is removed
 * from the address first, even if this page did not ask for it.
 */
function returnFromSignIn(): Promise<SignedIn> | undefined {
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

/** If the server does not respond, the token expires by itself. */
export function forgetAtServer(token: string): void {
  if (place === undefined) return
  loadFlow()
    .then(({ revoke }) => revoke(place, token))
    .catch(() => {})
}

/** The user who returns from signing in when the page starts. */
export const arriving = returnFromSignIn()
