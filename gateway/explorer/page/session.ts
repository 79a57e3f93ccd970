/**
 * Who asks: the scopes that were picked, and the token that holds them. It is kept for this tab and as long as
 * the tab is open (`sessionStorage`), and a token that is about to end is replaced before it is used.
 */
import { useSyncExternalStore } from 'react'

export interface SessionState {
  readonly scopes: readonly string[]
  /** Undefined: nobody in particular. */
  readonly token: string | undefined
  /** Milliseconds since 1970; undefined for a token that was pasted. */
  readonly endsAt: number | undefined
  readonly busy: boolean
  /** Why there is no token. */
  readonly fault: string | undefined
}

const key = 'tessera:session'
const nobody: SessionState = {
  scopes: [],
  token: undefined,
  endsAt: undefined,
  busy: false,
  fault: undefined,
}
/** A token that ends within this time is replaced. */
const margin = 60_000

function read(): SessionState {
  try {
    return { ...nobody, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<SessionState>) }
  } catch {
    return nobody
  }
}

export interface Session {
  readonly state: SessionState
  subscribe(listener: () => void): () => void
  /** Asks for a token with these scopes; none is nobody in particular. */
  pick(scopes: readonly string[]): Promise<void>
  /** Takes a token that somebody else made. */
  paste(token: string): void
  /** The header's value; waits for a token that is on its way. */
  authorization(): Promise<string | undefined>
  /** Whether a header's value is one that we gave out. */
  isOurs(value: string): boolean
}

export function createSession(tokenAddress: string): Session {
  let state = read()
  let minting: Promise<void> | undefined
  const given = new Set<string>()
  const listeners = new Set<() => void>()

  const become = (next: SessionState): void => {
    state = next
    const { scopes, token, endsAt } = next
    sessionStorage.setItem(key, JSON.stringify({ scopes, token, endsAt }))
    for (const listener of listeners) listener()
  }

  async function mint(scopes: readonly string[]): Promise<void> {
    let next: SessionState
    try {
      const response = await fetch(tokenAddress, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ scope: scopes.join(' ') }),
      })
      if (!response.ok) throw new Error(`The gateway made no token (${response.status}).`)
      const { token, expiresIn } = (await response.json()) as { token: string; expiresIn: number }
      next = { ...nobody, scopes, token, endsAt: Date.now() + expiresIn * 1000 }
    } catch (error) {
      next = { ...nobody, scopes, fault: error instanceof Error ? error.message : 'No token was made.' }
    }
    // Something else may have been picked meanwhile.
    if (state.scopes === scopes) become(next)
  }

  const session: Session = {
    get state() {
      return state
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async pick(scopes) {
      if (scopes.length === 0) {
        become(nobody)
        return
      }
      become({ ...state, scopes, busy: true, fault: undefined })
      minting = mint(scopes)
      await minting
    },
    paste(token) {
      become({ ...nobody, token: token.trim() === '' ? undefined : token.trim() })
    },
    async authorization() {
      await minting
      const { scopes, endsAt } = state
      if (scopes.length > 0 && (endsAt ?? 0) < Date.now() + margin) await session.pick([...scopes])
      if (state.token === undefined) return undefined
      const value = `Bearer ${state.token}`
      given.add(value)
      return value
    },
    isOurs: (value) => given.has(value),
  }
  return session
}

export function useSession(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state)
}
