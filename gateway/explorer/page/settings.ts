/** What the gateway writes into the page, and where the graph is. */
export interface ScopeOffer {
  readonly name: string
  readonly opens: readonly string[]
}

export interface Settings {
  readonly mode: 'auto' | 'sandbox' | 'graphiql'
  /** Whether the gateway makes tokens for whoever asks: it does where every service is the sandbox. */
  readonly minting: boolean
  readonly scopes: readonly ScopeOffer[]
}

export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as Settings

/** Both are where the page is, below whatever path a proxy puts in front. */
export const endpoint = new URL('graphql', document.baseURI).href
export const tokenAddress = new URL('explorer/token', document.baseURI).href
