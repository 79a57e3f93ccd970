/** Apollo Sandbox, and the examples next to it. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { currentDraft, draftOf, type OperationText } from '../editor/workspace.ts'
import { fetchForSandbox } from '../graph/send.ts'
import { session } from '../graph/session.ts'
import { objectFrom } from '../json.ts'
import { endpoint, ownAddress, settings } from '../settings.ts'
import { Button } from '../ui/button.tsx'
import { ExampleList } from '../ui/example-list.tsx'
import { awaitFrame, type EmbeddedSandbox, loadApolloSandbox } from './apollo-sandbox.ts'

export function SandboxStage() {
  const [draft, setDraft] = useState<OperationText>(currentDraft)
  /** Whether Apollo's hosts did not answer. */
  const [lost, setLost] = useState(false)
  const onUnreachable = useCallback(() => setLost(true), [])
  return (
    <div className="sandbox-stage">
      <nav className="library column" aria-label="Examples">
        <h2 className="pane-head row">Examples</h2>
        <div className="library-body fill">
          <ExampleList query={draft.query} onOpen={(next) => setDraft(draftOf(next))} />
        </div>
      </nav>
      {lost ? (
        <div className="notice row" role="status">
          <p>Apollo Sandbox cannot be reached from here.</p>
          <Button look="link" onClick={() => setLost(false)}>
            Try again
          </Button>
          {ownAddress === undefined ? null : (
            <a className="link" href={ownAddress}>
              Back to the explorer
            </a>
          )}
        </div>
      ) : (
        <SandboxPane draft={draft} onUnreachable={onUnreachable} />
      )}
    </div>
  )
}

interface SandboxPaneProps {
  /** A new draft replaces the pane. */
  readonly draft: OperationText
  readonly onUnreachable: () => void
}

function SandboxPane({ draft, onUnreachable }: SandboxPaneProps) {
  const target = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let closed = false
    let embedded: EmbeddedSandbox | undefined
    let stopWaiting: (() => void) | undefined
    const open = async (): Promise<void> => {
      const ApolloSandbox = await loadApolloSandbox()
      const authorization = await session.authorization()
      const element = target.current
      if (closed || element === null) return
      embedded = new ApolloSandbox({
        target: element,
        initialEndpoint: endpoint,
        initialState: {
          document: draft.query,
          variables: objectFrom(draft.variables) ?? {},
          // Apollo's frame gets only tokens of the sandbox. A pasted one is added when the request is sent from
          // this page.
          ...(settings.minting && authorization !== undefined
            ? { sharedHeaders: { Authorization: authorization } }
            : {}),
          includeCookies: false,
          pollForSchemaUpdates: false,
        },
        // All requests to the graph, including introspection, are sent from our page, not from Apollo's.
        handleRequest: fetchForSandbox,
        endpointIsEditable: false,
        hideCookieToggle: true,
        runTelemetry: false,
        allowDynamicStyles: false,
      })
      stopWaiting = awaitFrame(onUnreachable)
    }
    open().catch(() => {
      if (!closed) onUnreachable()
    })
    return () => {
      closed = true
      stopWaiting?.()
      embedded?.dispose?.()
      target.current?.replaceChildren()
    }
  }, [draft, onUnreachable])

  return <div ref={target} className="sandbox-pane" data-testid="sandbox" />
}
