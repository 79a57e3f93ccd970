/** The settings that the gateway writes into the page, and the addresses that the page calls. */
import type { PageSettings } from '../settings.ts'

export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as PageSettings

/**
 * Relative to the page, which may be below a path that a proxy puts in front of it. `document.baseURI` may have a user
 * and a password, and browsers send no request to such an address.
 */
export const endpoint = new URL('graphql', location.href).href
export const tokenAddress = new URL('explorer/token', location.href).href
export const ownersAddress = new URL('explorer/owners', location.href).href

/** Apollo Sandbox has its own page, because only that page may load anything from Apollo's hosts. */
const asked = new URLSearchParams(location.search).get('editor')
export const editor: 'sandbox' | 'built-in' =
  settings.mode === 'sandbox' || (settings.mode === 'auto' && asked === 'sandbox') ? 'sandbox' : 'built-in'

/** The address of Apollo Sandbox; undefined if it is not offered. */
export const apolloAddress =
  settings.mode === 'auto' ? new URL('?editor=sandbox', location.href).href : undefined

/** The address of our own editor. */
export const ownAddress = settings.mode === 'auto' ? new URL('.', location.href).href : undefined
