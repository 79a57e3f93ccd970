/** Apollo Sandbox with the examples beside it, and below it what Sandbox itself does not show. */
import { useCallback, useState } from 'react'
import type { Example } from '../../examples/example.ts'
import { currentDraft, draftOf } from '../editor/workspace.ts'
import { ExampleList } from '../frame/example-list.tsx'
import type { Theme } from '../frame/theme.ts'
import type { Sender } from '../graph/send.ts'
import { type Session, useSession } from '../graph/session.ts'
import type { Finding } from '../result/finding.ts'
import { FindingsPanel } from '../result/findings-panel.tsx'
import { Notices } from '../result/notices.tsx'
import { ownAddress } from '../settings.ts'
import type { SignInWish } from '../sign-in/types.ts'
import { SandboxPane } from './sandbox-pane.tsx'

export interface SandboxStageProps {
  readonly endpoint: string
  readonly examples: readonly Example[]
  readonly session: Session
  readonly sender: Sender
  readonly theme: Theme
  readonly minting: boolean
  readonly finding: Finding | undefined
  readonly onClear: () => void
  readonly onPasteToken: () => void
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
}

export function SandboxStage(props: SandboxStageProps) {
  const { endpoint, examples, session, sender, minting, finding } = props
  const [draft, setDraft] = useState(() => currentDraft(examples))
  /** Whether Apollo's hosts did not answer. */
  const [lost, setLost] = useState(false)
  const onUnreachable = useCallback(() => setLost(true), [])
  const state = useSession(session)
  const pick = (scopes: readonly string[]) =>
    session.pick([...new Set([...session.state.scopes, ...scopes])]).catch(() => {})
  /** Asks for the same explanation with the new token. */
  const explainAgain = (scopes: readonly string[]): void => {
    pick(scopes).then(
      () => (finding === undefined ? undefined : sender.send(finding.exchange.operation, { explain: true })),
      () => {},
    )
  }
  return (
    <div className="sandbox-stage">
      <nav className="library" aria-label="Examples">
        <h2 className="pane-head">Examples</h2>
        <div className="library-body">
          <ExampleList
            examples={examples}
            current={examples.find(({ document }) => document === draft.query)?.id}
            onOpen={(next) => {
              setDraft(draftOf(next))
              props.onClear()
            }}
          />
        </div>
      </nav>
      <div className="sandbox-column">
        {finding === undefined ? null : (
          <Notices
            finding={finding}
            session={state}
            minting={minting}
            onAddScopes={pick}
            addLabel="Add to the token"
            onPasteToken={props.onPasteToken}
            onSignIn={props.onSignIn}
            onRetry={undefined}
          />
        )}
        <div className="sandbox-editor">
          {lost ? (
            <div className="notice" role="status">
              <p>Apollo Sandbox cannot be reached from here.</p>
              <button type="button" className="link" onClick={() => setLost(false)}>
                Try again
              </button>
              {ownAddress === undefined ? null : (
                <a className="link" href={ownAddress}>
                  Back to the explorer
                </a>
              )}
            </div>
          ) : (
            <SandboxPane
              endpoint={endpoint}
              draft={draft}
              session={session}
              minting={minting}
              sender={sender}
              onUnreachable={onUnreachable}
            />
          )}
        </div>
        {finding === undefined ? null : (
          <FindingsPanel
            finding={finding}
            theme={props.theme}
            onAddScopes={minting ? explainAgain : undefined}
            onClose={props.onClear}
          />
        )}
      </div>
    </div>
  )
}
