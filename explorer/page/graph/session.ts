/**
 * The token of operations, and the scopes that were chosen for it. It is stored for this browser tab, as long as it
 * is open (`sessionStorage`). A token that the gateway made is replaced before it expires. A token that the gateway
 * refuses is marked as refused until another one replaces it.
 */
import { useSyncExternalStore } from 'react'
import type { SignedIn } from '../sign-in/types.ts'

export interface SessionState {
  readonly scopes: readonly string[]
  /** If it is undefined, operations are sent without a token. */
  readonly token: string | undefined
  /** The user who signed in; undefined for a token that was made or pasted. */
  readonly person: string | undefined
  /** Whether the last user has signed out, so that nobody is signed in without asking. */
  readonly signedOut: boolean
  /** Milliseconds since 1970; undefined for a pasted token. */
  readonly endsAt: number | undefined
  readonly busy: boolean
  /** Why there is no token, or why the gateway refuses it. */
  readonly fault: string | undefined
}

const key = 'tessera:session'
const anonymous: SessionState = {
  scopes: [],
  token: undefined,
  person: undefined,
  signedOut: false,
  endsAt: undefined,
  busy: false,
  fault: undefined,
}
/** Milliseconds. A token that expires within this time is replaced. */
const margin = 60_000

function read(): SessionState {
  try {
    return { ...anonymous, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<SessionState>) }
  } catch {
    return anonymous
  }
}

/** The message of the error with which a gateway refuses a token. */
function refusalOfToken(answer: unknown): string | undefined {
  const { errors } = (answer ?? {}) as { errors?: unknown }
  if (!Array.isArray(errors)) return undefined
  const error = errors.find(
    (each: { extensions?: { code?: unknown } } | null) => each?.extensions?.code === 'UNAUTHENTICATED',
  )
  return error === undefined ? undefined : String(error.message)
}

/** `fetch` rejects with a TypeError if the server cannot be reached. */
const faultFrom = (error: unknown): string =>
  error instanceof Error && !(error instanceof TypeError)
    ? error.message
    : 'The gateway cannot be reached, so no token was made.'

/** A server that refuses gives the reason in `error_description`. Libraries keep the response as the cause. */
function signInFaultFrom(error: unknown): string {
  if (!(error instanceof Error)) return 'Signing in failed.'
  const { error: code, error_description: description } = error as {
    error?: string
    error_description?: string
  }
  if (code === 'access_denied') return 'Signing in was cancelled.'
  if (code !== undefined) return `Signing in failed: ${description ?? code}`
  return error instanceof TypeError || error.name === 'TimeoutError'
    ? 'The authorization server cannot be reached.'
    : `Signing in failed: ${error.message}`
}

export interface Session {
  readonly state: SessionState
  subscribe(listener: () => void): () => void
  /** Gets a token with these scopes. Without scopes there is no token. */
  pick(scopes: readonly string[]): Promise<void>
  /** Uses a token that was made elsewhere. */
  paste(token: string): void
  /** Uses the token of a user who signs in. Operations wait until it is here. */
  signIn(arriving: Promise<SignedIn>): Promise<void>
  /** Reports why signing in failed. */
  cannotSignIn(error: unknown): void
  /** Forgets the token, and returns it. */
  signOut(): string | undefined
  /** The value of the header. It waits for a token that is on its way. */
  authorization(): Promise<string | undefined>
  /** Whether an `Authorization` header contains a token of this session. */
  isOurs(value: string): boolean
  /** Finds out from a response whether its token was refused. */
  judge(authorization: string, answer: unknown): void
}

export function createSession(tokenAddress: string): Session {
  let state = read()
  let minting: Promise<void> | undefined
  const given = new Set<string>()
  const listeners = new Set<() => void>()

  const become = (next: SessionState): void => {
    state = next
    const { busy: _, ...kept } = next
    sessionStorage.setItem(key, JSON.stringify(kept))
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
      if (!response.ok) throw new Error(`The gateway made no token (status ${response.status}).`)
      const { token, expiresIn } = (await response.json()) as { token: string; expiresIn: number }
      next = { ...anonymous, scopes, token, endsAt: Date.now() + expiresIn * 1000 }
    } catch (error) {
      next = { ...anonymous, scopes, fault: faultFrom(error) }
    }
    // Other scopes may have been chosen meanwhile.
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
        become(anonymous)
        return
      }
      become({ ...state, scopes, busy: true, fault: undefined })
      minting = mint(scopes)
      await minting
    },
    paste(token) {
      // People often copy the header's first word, too.
      const text = token.trim().replace(/^bearer\s+/i, '')
      become({ ...anonymous, token: text === '' ? undefined : text })
    },
    async signIn(arriving) {
      become({ ...state, busy: true, fault: undefined })
      minting = arriving.then(
        ({ run: _, ...signedIn }) => become({ ...anonymous, ...signedIn }),
        (error: unknown) => session.cannotSignIn(error),
      )
      await minting
    },
    cannotSignIn(error) {
      become({ ...state, busy: false, fault: signInFaultFrom(error) })
    },
    signOut() {
      const { token } = state
      become({ ...anonymous, signedOut: true })
      return token
    },
    async authorization() {
      await minting
      const { scopes, endsAt, person } = state
      // Only a token that the gateway made can be replaced without the user.
      if (person === undefined && scopes.length > 0 && (endsAt ?? 0) < Date.now() + margin)
        await session.pick([...scopes])
      if (state.token === undefined) return undefined
      const value = `Bearer ${state.token}`
      given.add(value)
      return value
    },
    isOurs: (value) => given.has(value),
    judge(authorization, answer) {
      if (state.token === undefined || authorization !== `Bearer ${state.token}`) return
      const refusal = refusalOfToken(answer)
      const fault = refusal === undefined ? undefined : `The gateway refuses this token: ${refusal}`
      if (fault !== state.fault) become({ ...state, fault })
    },
  }
  return session
}

export function useSession(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state)
}
