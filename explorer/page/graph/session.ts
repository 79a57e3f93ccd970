/**
 * The token of operations, and the scopes that were chosen for it. It is stored for this browser tab, as long as it
 * is open (`sessionStorage`). A token that the gateway made is replaced before it expires. A token that the gateway
 * refuses is marked as refused until another one replaces it.
 */
import { useSyncExternalStore } from 'react'
import { recall, store } from '../frame/storage.ts'
import { codeOf, errorsIn, jsonFrom, objectOf } from '../json.ts'
import { tokenAddress } from '../settings.ts'
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
  const stored = jsonFrom(recall('sessionStorage', key) ?? '')
  return isStored(stored) ? { ...anonymous, ...stored } : anonymous
}

/** Another version of the page may have stored it. */
function isStored(value: unknown): value is Pick<SessionState, 'scopes' | 'token'> {
  const { scopes, token } = objectOf(value)
  return (
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string') &&
    (token === undefined || typeof token === 'string')
  )
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

export class Session {
  #state = read()
  #minting: Promise<void> | undefined
  readonly #given = new Set<string>()
  readonly #listeners = new Set<() => void>()

  get state(): SessionState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #become(next: SessionState): void {
    this.#state = next
    const { busy: _, ...kept } = next
    store('sessionStorage', key, JSON.stringify(kept))
    for (const listener of this.#listeners) listener()
  }

  /** Gets a token with these scopes. Without scopes there is no token. */
  async pick(scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) return this.#become(anonymous)
    this.#become({ ...this.#state, scopes, busy: true, fault: undefined })
    this.#minting = this.#mint(scopes)
    await this.#minting
  }

  /** Gets a token with these scopes beside those of the current one. */
  add(scopes: readonly string[]): Promise<void> {
    return this.pick([...new Set([...this.#state.scopes, ...scopes])])
  }

  async #mint(scopes: readonly string[]): Promise<void> {
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
    if (this.#state.scopes === scopes) this.#become(next)
  }

  /** Uses a token that was made elsewhere. */
  paste(token: string): void {
    // People often copy the header's first word, too.
    const text = token.trim().replace(/^bearer\s+/i, '')
    this.#become({ ...anonymous, token: text === '' ? undefined : text })
  }

  /** Uses the token of a user who signs in. Operations wait until it is here. */
  async signIn(arriving: Promise<SignedIn>): Promise<void> {
    this.#become({ ...this.#state, busy: true, fault: undefined })
    this.#minting = arriving.then(
      ({ run: _, ...signedIn }) => this.#become({ ...anonymous, ...signedIn }),
      (error: unknown) => this.cannotSignIn(error),
    )
    await this.#minting
  }

  /** Reports why signing in failed. */
  cannotSignIn(error: unknown): void {
    this.#become({ ...this.#state, busy: false, fault: signInFaultFrom(error) })
  }

  /** Forgets the token, and returns it. */
  signOut(): string | undefined {
    const { token } = this.#state
    this.#become({ ...anonymous, signedOut: true })
    return token
  }

  /** The value of the header. It waits for a token that is on its way. */
  async authorization(): Promise<string | undefined> {
    await this.#minting
    const { scopes, endsAt, person } = this.#state
    // Only a token that the gateway made can be replaced without the user.
    if (person === undefined && scopes.length > 0 && (endsAt ?? 0) < Date.now() + margin)
      await this.pick([...scopes])
    const { token } = this.#state
    if (token === undefined) return undefined
    const value = `Bearer ${token}`
    this.#given.add(value)
    return value
  }

  /** Whether an `Authorization` header contains a token of this session. */
  isOurs(value: string): boolean {
    return this.#given.has(value)
  }

  /** Finds out from a response whether its token was refused. */
  judge(authorization: string, answer: unknown): void {
    const { token } = this.#state
    if (token === undefined || authorization !== `Bearer ${token}`) return
    const refusal = errorsIn(answer).find((error) => codeOf(error) === 'UNAUTHENTICATED')
    const fault = refusal && `The gateway refuses this token: ${refusal.message}`
    if (fault !== this.#state.fault) this.#become({ ...this.#state, fault })
  }
}

export function useSession(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state)
}
