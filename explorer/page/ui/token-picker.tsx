/**
 * Chooses the token of operations. If the graph uses the sandbox, the user ticks scopes and the gateway makes a
 * token. If there is an authorization server, the user signs in. Otherwise the user pastes a token.
 */
import { useState } from 'react'
import { type SessionState, session } from '../graph/session.ts'
import { plural } from '../result/format-numbers.ts'
import { settings } from '../settings.ts'
import { canSignIn } from '../sign-in/index.ts'
import { Button, IconButton } from './button.tsx'
import { CloseIcon, KeyIcon } from './icons.tsx'
import { ScopeList, ScopesHead } from './scope-list.tsx'

const { minting, scopes } = settings
const popoverId = 'token'
const popover = (): HTMLElement | null => document.getElementById(popoverId)

/** With the focus in it, which its own button leaves to the next Tab. */
export function showTokenPicker(): void {
  popover()?.showPopover()
  popover()?.querySelector('input')?.focus()
}

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

export function TokenPicker() {
  const state = session.use()
  return (
    <>
      <Button
        className={`tool-narrow${toneOf(state)}`}
        popoverTarget={popoverId}
        aria-busy={state.busy}
        title={state.fault ?? 'The token of your operations'}
      >
        <KeyIcon />
        <span className="tool-text" aria-live="polite">
          {state.token === undefined && state.fault === undefined && canSignIn ? 'Sign in' : summaryOf(state)}
        </span>
        {minting && state.fault === undefined && state.scopes.length > 0 ? (
          <span className="tool-count" aria-hidden="true">
            {state.scopes.length}
          </span>
        ) : null}
      </Button>
      <div
        id={popoverId}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label={minting ? 'Scopes' : canSignIn ? 'Sign in' : 'Token'}
      >
        <IconButton
          label="Close"
          className="popover-close"
          popoverTarget={popoverId}
          popoverTargetAction="hide"
        >
          <CloseIcon />
        </IconButton>
        {minting ? (
          <Offers />
        ) : (
          <>
            {canSignIn && <SignInPanel />}
            <PasteToken />
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

function Offers() {
  const pick = (names: readonly string[]): void => void session.pick(names)
  return (
    <>
      <ScopesHead title="Scopes" onPick={pick} />
      <p>The sandbox makes a token with the ticked scopes. Run an operation again to see the difference.</p>
      <ScopeList picked={session.use().scopes} onPick={pick} />
    </>
  )
}

/** Which scopes to request, who is signed in, and signing out. */
function SignInPanel() {
  const state = session.use()
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
          onClick={() => session.signIn({ scopes: wanted, again: state.signedOut })}
        >
          {person === undefined ? 'Sign in' : 'Get another token'}
        </Button>
        {person === undefined ? null : <Button onClick={() => session.signOut()}>Sign out</Button>}
      </div>
      <ScopeList picked={wanted} onPick={setPicked} />
    </>
  )
}

function PasteToken() {
  const { token, person } = session.use()
  const pasted = person === undefined ? token : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        session.paste(String(new FormData(event.currentTarget).get('token') ?? ''))
        popover()?.hidePopover()
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
