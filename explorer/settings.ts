/** What the gateway writes into the explorer page, as JSON. */
import type { ScopeOffer } from '../gateway/auth/scope-offers.ts'
import type { Example } from './examples/example.ts'

/**
 * `auto`: our own editor, with a link that opens Apollo Sandbox. `built-in`: without that link. `sandbox`: Apollo
 * Sandbox at once. `off`: no page.
 */
export type ExplorerMode = 'auto' | 'sandbox' | 'built-in' | 'off'

/** The authorization server at which the page signs users in, as a client without a secret. */
export interface ExplorerSignIn {
  readonly issuer: string
  readonly clientId: string
  /** The audience of the tokens (RFC 8707), if that is a URL. */
  readonly resource?: string | undefined
}

export interface PageSettings {
  readonly mode: ExplorerMode
  /** Whether the gateway makes tokens for the page, which it does if every service is the sandbox. */
  readonly minting: boolean
  /** Undefined if tokens are pasted or made by the gateway. */
  readonly signIn?: ExplorerSignIn | undefined
  readonly scopes: readonly ScopeOffer[]
  readonly examples: readonly Example[]
}
