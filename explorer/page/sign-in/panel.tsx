/** The panel for signing in: which scopes to request, who is signed in, and signing out. */
import { useState } from 'react'
import type { ScopeOffer } from '../../../gateway/auth/scope-offers.ts'
import { ScopeList } from '../frame/scope-list.tsx'
import { type Session, useSession } from '../graph/session.ts'
import type { SignInWish } from './types.ts'

export interface SignInPanelProps {
  readonly session: Session
  readonly scopes: readonly ScopeOffer[]
  readonly onSignIn: (wish: SignInWish) => void
  readonly onSignOut: () => void
}

export function SignInPanel({ session, scopes, onSignIn, onSignOut }: SignInPanelProps) {
  const state = useSession(session)
  const { person } = state
  const [picked, setPicked] = useState<readonly string[]>()
  const wanted = picked ?? state.scopes
  return (
    <>
      <div className="popover-head">
        <h2>{person === undefined ? 'Sign in' : <>Signed in as {person}</>}</h2>
        <button type="button" className="link" onClick={() => setPicked(scopes.map(({ name }) => name))}>
          All
        </button>
        <button type="button" className="link" onClick={() => setPicked([])}>
          None
        </button>
      </div>
      <p>
        The authorization server makes a token with the ticked scopes. It is forgotten when this tab is
        closed.
      </p>
      <div className="row">
        <button
          type="button"
          className="tool tool-primary"
          disabled={state.busy}
          onClick={() => onSignIn({ scopes: wanted, again: state.signedOut })}
        >
          {person === undefined ? 'Sign in' : 'Get another token'}
        </button>
        {person === undefined ? null : (
          <button type="button" className="tool" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </div>
      <ScopeList
        scopes={scopes}
        picked={wanted}
        onToggle={(name, on) => setPicked(on ? [...wanted, name] : wanted.filter((each) => each !== name))}
      />
    </>
  )
}
