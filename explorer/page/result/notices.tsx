/** Notices about a response in words: missing scopes, errors, an unreachable gateway. */
import { useState } from 'react'
import { lastAsked, runAgain, runAgainWithOtherToken } from '../editor/run.ts'
import { type SessionState, session } from '../graph/session.ts'
import { settings } from '../settings.ts'
import type { SignInOptions } from '../sign-in/flow.ts'
import { canSignIn } from '../sign-in/index.ts'
import { Button } from '../ui/button.tsx'
import { showTokenPicker } from '../ui/token-picker.tsx'
import { WithCode } from '../ui/with-code.tsx'
import type { Fault, ResponseDetails } from './response-details.ts'

const mostFaults = 3

/** Adds the scopes to the token, and runs the operation again. */
export const addScopes = (scopes: readonly string[]): void => void session.add(scopes).then(runAgain)

function pasteToken(): void {
  runAgainWithOtherToken()
  showTokenPicker()
}

export function Notices({ details }: { readonly details: ResponseDetails }) {
  const state = session.use()
  const { minting } = settings
  const { missing, refusals, faults } = details
  const unanswered = details.exchange.response === undefined
  const refusedToken = faults.some(({ code }) => code === 'UNAUTHENTICATED')
  /** How the user can get another token if the gateway makes none. */
  const otherToken = canSignIn ? (
    <>
      <Button look="primary" onClick={() => session.signIn(signInOptionsOf(details, state))}>
        {signInWords(details, state)}
      </Button>
      <Button onClick={pasteToken}>Paste a token</Button>
    </>
  ) : (
    <Button look="primary" onClick={pasteToken}>
      {state.token === undefined ? 'Paste a token' : 'Paste another token'}
    </Button>
  )
  return (
    <div className="notices" role="status">
      {refusals.length === 0 ? null : (
        <div className="notice row notice-refused">
          <p>
            {missing.length === 0 ? (
              refusals[0]?.message
            ) : (
              <>
                Missing {missing.length === 1 ? 'scope' : 'scopes'}:{' '}
                {missing.map((scope) => (
                  <code key={scope}>{scope}</code>
                ))}
              </>
            )}
          </p>
          {minting && missing.length > 0 ? (
            <Button look="primary" onClick={() => addScopes(missing)}>
              Add and run again
            </Button>
          ) : minting ? null : (
            otherToken
          )}
        </div>
      )}
      {faults.length === 0 ? null : (
        <div className="notice row notice-failed">
          <Faults faults={faults} />
          {refusedToken && !minting ? otherToken : null}
          {unanswered ? <Button onClick={runAgain}>Try again</Button> : null}
        </div>
      )}
    </div>
  )
}

/** Asks for the scopes of the token, and for those that the refused fields need. */
const signInOptionsOf = (
  { missing, signIn }: ResponseDetails,
  { scopes, signedOut }: SessionState,
): SignInOptions => ({
  scopes: [...new Set([...scopes, ...missing])],
  acrValues: signIn?.acrValues.join(' ') || undefined,
  maxAge: signIn?.maxAge,
  again: signedOut,
  run: lastAsked(),
})

function signInWords({ missing }: ResponseDetails, { token }: SessionState): string {
  if (token === undefined) return 'Sign in'
  if (missing.length === 0) return 'Sign in again'
  return `Sign in with ${missing.length === 1 ? 'that scope' : 'those scopes'}`
}

function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? faults : faults.slice(0, mostFaults)
  return (
    <ul className="faults">
      {shown.map(({ message, path, code, service }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the errors of one answer never change their order
        <li key={index}>
          {path === '' ? null : <code>{path}</code>}
          <span>
            <WithCode text={message} />
          </span>
          {code === undefined ? null : (
            <span className="fault-code">
              {code}
              {service === undefined ? '' : `, ${service}`}
            </span>
          )}
        </li>
      ))}
      {faults.length > shown.length ? (
        <li>
          <Button look="link" onClick={() => setAll(true)}>
            {faults.length - shown.length} more
          </Button>
        </li>
      ) : null}
    </ul>
  )
}
