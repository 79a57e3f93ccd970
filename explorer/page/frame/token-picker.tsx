/**
 * Chooses the token of operations. If the graph uses the sandbox, the user ticks scopes and the gateway makes a
 * token. If there is an authorization server, the user signs in. Otherwise the user pastes a token.
 */
import { type RefObject, useId, useState } from 'react'
import { type Session, type SessionState, useSession } from '../graph/session.ts'
import { plural } from '../result/amounts.ts'
import { settings } from '../settings.ts'
import type { SignInWish } from '../sign-in/types.ts'
import { Button, IconButton } from './button.tsx'
import { CloseIcon, KeyIcon } from './icons.tsx'
import { ScopeList, ScopesHead } from './scope-list.tsx'

export interface TokenPickerProps {
  readonly session: Session
  /** Undefined if there is no authorization server. */
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
  readonly onSignOut: () => void
  /** The popover, for other buttons that open it. */
  readonly popover: RefObject<HTMLDivElement | null>
}

const { minting, scopes } = settings

function summaryOf({ fault, person, token, scopes: { length: count } }: SessionState): string {
  if (fault !== undefined) return 'Token failed'
  if (person !== undefined) return person
  if (!minting) return token === undefined ? 'No token' : 'Token set'
  if (count === 0) return 'No scopes'
  return count === scopes.length ? 'All scopes' : plural(count, 'scope')
}

function toneOf({ fault, token }: SessionState): string {
  if (fault !== undefined) return ' tool-bad'
  return token === undefined ? '' : ' tool-on'
}

export function TokenPicker({ session, onSignIn, onSignOut, popover }: TokenPickerProps) {
  const state = useSession(session)
  const id = useId()
  return (
    <>
      <Button
        className={`tool-narrow${toneOf(state)}`}
        popoverTarget={id}
        aria-busy={state.busy}
        title={state.fault ?? 'The token of your operations'}
      >
        <KeyIcon />
        <span className="tool-text" aria-live="polite">
          {state.token === undefined && state.fault === undefined && onSignIn !== undefined
            ? 'Sign in'
            : summaryOf(state)}
        </span>
        {minting && state.fault === undefined && state.scopes.length > 0 ? (
          <span className="tool-count" aria-hidden="true">
            {state.scopes.length}
          </span>
        ) : null}
      </Button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label={minting ? 'Scopes' : onSignIn === undefined ? 'Token' : 'Sign in'}
      >
        <IconButton label="Close" className="popover-close" popoverTarget={id} popoverTargetAction="hide">
          <CloseIcon />
        </IconButton>
        {minting ? (
          <Offers session={session} />
        ) : (
          <>
            {onSignIn && <SignInPanel session={session} onSignIn={onSignIn} onSignOut={onSignOut} />}
            <PasteToken session={session} close={() => popover.current?.hidePopover()} />
          </>
        )}
        {state.fault === undefined ? null : (
          <p className="fault" role="alert">
            {state.fault}
          </p>
        )}
      </div>
    </>
  )
}

function Offers({ session }: { readonly session: Session }) {
  const pick = (names: readonly string[]): void => void session.pick(names)
  return (
    <>
      <ScopesHead title="Scopes" onPick={pick} />
      <p>The sandbox makes a token with the ticked scopes. Run an operation again to see the difference.</p>
      <ScopeList picked={useSession(session).scopes} onPick={pick} />
    </>
  )
}

/** Which scopes to request, who is signed in, and signing out. */
function SignInPanel({
  session,
  onSignIn,
  onSignOut,
}: {
  readonly session: Session
  readonly onSignIn: (wish: SignInWish) => void
  readonly onSignOut: () => void
}) {
  const state = useSession(session)
  const { person } = state
  const [picked, setPicked] = useState<readonly string[]>()
  const wanted = picked ?? state.scopes
  return (
    <>
      <ScopesHead title={person === undefined ? 'Sign in' : `Signed in as ${person}`} onPick={setPicked} />
      <p>
        The authorization server makes a token with the ticked scopes. It is forgotten when this tab is
        closed.
      </p>
      <div className="row">
        <Button
          look="primary"
          disabled={state.busy}
          onClick={() => onSignIn({ scopes: wanted, again: state.signedOut })}
        >
          {person === undefined ? 'Sign in' : 'Get another token'}
        </Button>
        {person === undefined ? null : <Button onClick={onSignOut}>Sign out</Button>}
      </div>
      <ScopeList picked={wanted} onPick={setPicked} />
    </>
  )
}

/** A field for a token that was made elsewhere. */
function PasteToken({ session, close }: { readonly session: Session; readonly close: () => void }) {
  const { token, person } = useSession(session)
  const pasted = person === undefined ? token : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        session.paste(String(new FormData(event.currentTarget).get('token') ?? ''))
        close()
      }}
    >
      <h2>Paste a token</h2>
      <p>It is sent with every operation, and forgotten when this tab is closed.</p>
      <label className="field">
        Bearer token
        <input key={token} name="token" type="password" autoComplete="off" defaultValue={pasted ?? ''} />
      </label>
      <div className="row">
        <Button type="submit" look="primary">
          Use it
        </Button>
        {pasted === undefined ? null : <Button onClick={() => session.paste('')}>Forget it</Button>}
      </div>
    </form>
  )
}
