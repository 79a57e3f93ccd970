/**
 * Who to be: with the sandbox behind the graph, any set of scopes, for which the gateway makes a token; with
 * real services, whatever token one has.
 */
import { useId } from 'react'
import { KeyIcon } from './icons.tsx'
import { type Session, useSession } from './session.ts'
import type { ScopeOffer } from './settings.ts'

export interface ScopePickerProps {
  readonly session: Session
  readonly scopes: readonly ScopeOffer[]
  readonly minting: boolean
}

export function ScopePicker({ session, scopes, minting }: ScopePickerProps) {
  const state = useSession(session)
  const id = useId()
  const count = state.scopes.length
  const summary = minting
    ? count === 0
      ? 'No scopes'
      : count === scopes.length
        ? 'All scopes'
        : `${count} ${count === 1 ? 'scope' : 'scopes'}`
    : state.token === undefined
      ? 'No token'
      : 'Token set'
  return (
    <>
      <button
        type="button"
        className={`tool${state.token === undefined ? '' : ' tool-on'}`}
        popoverTarget={id}
        aria-busy={state.busy}
        title="Who you are to the graph"
      >
        <KeyIcon />
        <span aria-live="polite">{summary}</span>
      </button>
      <div id={id} popover="auto" className="popover" role="dialog" aria-label="Scopes">
        {minting ? (
          <Offers session={session} scopes={scopes} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              session.paste(String(new FormData(event.currentTarget).get('token') ?? ''))
            }}
          >
            <h2>Token</h2>
            <p>Sent with every operation, and forgotten when this tab is closed.</p>
            <label className="field">
              Bearer token
              <input name="token" type="password" autoComplete="off" defaultValue={state.token ?? ''} />
            </label>
            <button type="submit" className="tool">
              Use it
            </button>
          </form>
        )}
      </div>
    </>
  )
}

function Offers({ session, scopes }: Pick<ScopePickerProps, 'session' | 'scopes'>) {
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
      <p>The sandbox makes a token with what you tick. Run an operation again to see what opens.</p>
      <ul className="scopes">
        {scopes.map(({ name, opens }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={state.scopes.includes(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
              <span className="scope-name">{name}</span>
              <span className="scope-opens" title={opens.join(', ')}>
                {opens.join(', ')}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {state.fault === undefined ? null : (
        <p className="fault" role="alert">
          {state.fault}
        </p>
      )}
    </>
  )
}
