/** A field for a token that was made elsewhere. */
import { type Session, useSession } from '../graph/session.ts'

export interface PasteTokenProps {
  readonly session: Session
  readonly close: () => void
}

export function PasteToken({ session, close }: PasteTokenProps) {
  const { token, person } = useSession(session)
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
        <input
          key={token}
          name="token"
          type="password"
          autoComplete="off"
          defaultValue={person === undefined ? (token ?? '') : ''}
        />
      </label>
      <div className="row">
        <button type="submit" className="tool tool-primary">
          Use it
        </button>
        {token === undefined || person !== undefined ? null : (
          <button type="button" className="tool" onClick={() => session.paste('')}>
            Forget it
          </button>
        )}
      </div>
    </form>
  )
}
