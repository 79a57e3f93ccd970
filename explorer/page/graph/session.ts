/**
 * The token of operations, and the scopes that were chosen for it. It is stored for this browser tab, as long as it
 * is open (`sessionStorage`). A token that the gateway made is replaced before it expires. A token that the gateway
 * refuses is marked as refused until another one replaces it.
 */

import { codeOf, errorsIn, jsonFrom, objectOf } from '../json.ts'
import { tokenAddress } from '../settings.ts'
import type { SignInOptions } from '../sign-in/flow.ts'
import { arriving, forgetAtServer, leaveToSignIn } from '../sign-in/index.ts'
import { recall, store } from '../ui/storage.ts'
import { createStore } from '../ui/store.ts'

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

class Session {
  readonly #state = createStore(read())
  #minting: Promise<void> | undefined
  readonly #given = new Set<string>()
  readonly current = this.#state.current
  readonly subscribe = this.#state.subscribe
  readonly use = this.#state.use

  constructor() {
    if (arriving === undefined) return
    // Operations wait until the token is here.
    this.#become({ ...this.current(), busy: true, fault: undefined })
    this.#minting = arriving.then(
      ({ run: _, ...signedIn }) => this.#become({ ...anonymous, ...signedIn }),
      this.#cannotSignIn,
    )
  }

  #become(next: SessionState): void {
    const { busy: _, ...kept } = next
    store('sessionStorage', key, JSON.stringify(kept))
    this.#state.set(next)
  }

  /** Gets a token with these scopes. Without scopes there is no token. */
  async pick(scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) return this.#become(anonymous)
    this.#become({ ...this.current(), scopes, busy: true, fault: undefined })
    this.#minting = this.#mint(scopes)
    await this.#minting
  }

  /** Gets a token with these scopes and those of the current one. */
  add(scopes: readonly string[]): Promise<void> {
    return this.pick([...new Set([...this.current().scopes, ...scopes])])
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
    if (this.current().scopes === scopes) this.#become(next)
  }

  /** Uses a token that was made elsewhere. */
  paste(token: string): void {
    // People often copy the header's first word, too.
    const text = token.trim().replace(/^bearer\s+/i, '')
    this.#become({ ...anonymous, token: text === '' ? undefined : text })
  }

  /** Leaves the page to sign in. */
  readonly signIn = (options: SignInOptions): void => void leaveToSignIn(options).catch(this.#cannotSignIn)

  readonly #cannotSignIn = (error: unknown): void =>
    this.#become({ ...this.current(), busy: false, fault: signInFaultFrom(error) })

  signOut(): void {
    const { token } = this.current()
    this.#become({ ...anonymous, signedOut: true })
    if (token !== undefined) forgetAtServer(token)
  }

  /** The value of the header. It waits for a token that is on its way. */
  async authorization(): Promise<string | undefined> {
    await this.#minting
    const { scopes, endsAt, person } = this.current()
    // Only a token that the gateway made can be replaced without the user.
    if (person === undefined && scopes.length > 0 && (endsAt ?? 0) < Date.now() + margin)
      await this.pick([...scopes])
    const { token } = this.current()
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
    const { token } = this.current()
    if (token === undefined || authorization !== `Bearer ${token}`) return
    const refusal = errorsIn(answer).find((error) => codeOf(error) === 'UNAUTHENTICATED')
    const fault = refusal && `The gateway refuses this token: ${refusal.message}`
    if (fault !== this.current().fault) this.#become({ ...this.current(), fault })
  }
}

export const session = new Session()
