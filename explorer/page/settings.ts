/** The settings that the gateway writes into the page, and the addresses that the page calls. */

import type { ScopeOffer } from '../../gateway/auth/scope-offers.ts'
import type { Example } from '../examples/example.ts'

/** The authorization server at which the page signs in, and its client id. */
export interface SignInPlace {
  readonly issuer: string
  readonly clientId: string
  /** The audience of tokens; undefined leaves it to the server. */
  readonly resource?: string | undefined
}

export interface Settings {
  readonly mode: 'auto' | 'sandbox' | 'built-in'
  /** Whether the gateway makes tokens for the page, which it does if every service is the sandbox. */
  readonly minting: boolean
  /** Undefined if tokens are pasted or made by the gateway. */
  readonly signIn?: SignInPlace | undefined
  readonly scopes: readonly ScopeOffer[]
  readonly examples: readonly Example[]
}

export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as Settings

/** Relative to the page, which may be below a path that a proxy puts in front of it. */
export const endpoint = new URL('graphql', document.baseURI).href
export const tokenAddress = new URL('explorer/token', document.baseURI).href
export const ownersAddress = new URL('explorer/owners', document.baseURI).href

/** Apollo Sandbox has its own page, because only that page may load anything from Apollo's hosts. */
const asked = new URLSearchParams(location.search).get('editor')
export const editor: 'sandbox' | 'built-in' =
  settings.mode === 'sandbox' || (settings.mode === 'auto' && asked === 'sandbox') ? 'sandbox' : 'built-in'

/** The address of Apollo Sandbox; undefined if it is not offered. */
export const apolloAddress =
  settings.mode === 'auto' ? new URL('?editor=sandbox', document.baseURI).href : undefined

/** The address of our own editor. */
export const ownAddress = settings.mode === 'auto' ? new URL('.', document.baseURI).href : undefined
