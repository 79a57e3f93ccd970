/**
 * Chooses the token of operations. If the graph uses the sandbox, the user ticks scopes and the gateway makes a
 * token. If there is an authorization server, the user signs in. Otherwise the user pastes a token.
 */
import { type RefObject, useId } from 'react'
import type { ScopeOffer } from '../../../gateway/auth/scope-offers.ts'
import { type Session, type SessionState, useSession } from '../graph/session.ts'
import { SignInPanel } from '../sign-in/panel.tsx'
import type { SignInWish } from '../sign-in/types.ts'
import { CloseIcon, KeyIcon } from './icons.tsx'
import { PasteToken } from './paste-token.tsx'
import { ScopeList } from './scope-list.tsx'

export interface TokenPickerProps {
  readonly session: Session
  readonly scopes: readonly ScopeOffer[]
  readonly minting: boolean
  /** Undefined if there is no authorization server. */
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
  readonly onSignOut: () => void
  /** The popover, for other buttons that open it. */
  readonly popover: RefObject<HTMLDivElement | null>
}

function summaryOf(state: SessionState, minting: boolean, most: number): string {
  if (state.fault !== undefined) return 'Token failed'
  if (state.person !== undefined) return state.person
  if (!minting) return state.token === undefined ? 'No token' : 'Token set'
  const count = state.scopes.length
  if (count === 0) return 'No scopes'
  return count === most ? 'All scopes' : `${count} ${count === 1 ? 'scope' : 'scopes'}`
}

function toneOf({ fault, token }: SessionState): string {
  if (fault !== undefined) return ' tool-bad'
  return token === undefined ? '' : ' tool-on'
}

export function TokenPicker(props: TokenPickerProps) {
  const { session, scopes, minting, onSignIn, popover } = props
  const state = useSession(session)
  const id = useId()
  return (
    <>
      <button
        type="button"
        className={`tool tool-narrow${toneOf(state)}`}
        popoverTarget={id}
        aria-busy={state.busy}
        title={state.fault ?? 'The token of your operations'}
      >
        <KeyIcon />
        <span className="tool-text" aria-live="polite">
          {state.token === undefined && state.fault === undefined && onSignIn !== undefined
            ? 'Sign in'
            : summaryOf(state, minting, scopes.length)}
        </span>
        {minting && state.fault === undefined && state.scopes.length > 0 ? (
          <span className="tool-count" aria-hidden="true">
            {state.scopes.length}
          </span>
        ) : null}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label={minting ? 'Scopes' : onSignIn === undefined ? 'Token' : 'Sign in'}
      >
        <button
          type="button"
          className="tool tool-bare popover-close"
          aria-label="Close"
          popoverTarget={id}
          popoverTargetAction="hide"
        >
          <CloseIcon />
        </button>
        {minting ? (
          <Offers session={session} scopes={scopes} />
        ) : onSignIn !== undefined ? (
          <>
            <SignInPanel session={session} scopes={scopes} onSignIn={onSignIn} onSignOut={props.onSignOut} />
            <PasteToken session={session} close={() => popover.current?.hidePopover()} />
          </>
        ) : (
          <PasteToken session={session} close={() => popover.current?.hidePopover()} />
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

function Offers({ session, scopes }: Pick<TokenPickerProps, 'session' | 'scopes'>) {
  const state = useSession(session)
  const pick = (names: readonly string[]): void => {
    session.pick(names).catch(() => {})
  }
  const toggle = (name: string, on: boolean): void =>
    pick(on ? [...state.scopes, name] : state.scopes.filter((each) => each !== name))
  return (
    <>
      <div className="popover-head">
        <h2>Scopes</h2>
        <button type="button" className="link" onClick={() => pick(scopes.map(({ name }) => name))}>
          All
        </button>
        <button type="button" className="link" onClick={() => pick([])}>
          None
        </button>
      </div>
      <p>The sandbox makes a token with the ticked scopes. Run an operation again to see the difference.</p>
      <ScopeList scopes={scopes} picked={state.scopes} onToggle={toggle} />
    </>
  )
}
