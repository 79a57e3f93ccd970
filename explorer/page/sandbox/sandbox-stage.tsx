/** Apollo Sandbox, the examples next to it, and below it the details that Sandbox does not show. */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { currentDraft, draftOf, type OperationText } from '../editor/workspace.ts'
import { fetchForSandbox, sendOperation } from '../graph/send.ts'
import { session } from '../graph/session.ts'
import { objectFrom } from '../json.ts'
import { clearResponses, latestResponses } from '../result/latest-responses.ts'
import { Notices } from '../result/notices.tsx'
import type { ResponseDetails } from '../result/response-details.ts'
import { endpoint, ownAddress, settings } from '../settings.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { ExampleList } from '../ui/example-list.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Splitter, useSize } from '../ui/splitter.tsx'
import { showTokenPicker } from '../ui/token-picker.tsx'
import { awaitFrame, type EmbeddedSandbox, loadApolloSandbox } from './apollo-sandbox.ts'

const ChartPane = lazy(async () => ({ default: (await import('../result/chart-pane.tsx')).ChartPane }))
const ExplainPane = lazy(async () => ({ default: (await import('../result/explain-pane.tsx')).ExplainPane }))

export function SandboxStage() {
  const details = latestResponses.use()?.latest
  const [draft, setDraft] = useState<OperationText>(currentDraft)
  /** Whether Apollo's hosts did not answer. */
  const [lost, setLost] = useState(false)
  const onUnreachable = useCallback(() => setLost(true), [])
  /** Asks for the same explanation with the new token. */
  const explainAgain = async (scopes: readonly string[]): Promise<void> => {
    await session.add(scopes)
    if (details !== undefined) await sendOperation(details.exchange.operation, { explain: true })
  }
  return (
    <div className="sandbox-stage">
      <nav className="library" aria-label="Examples">
        <h2 className="pane-head">Examples</h2>
        <div className="library-body">
          <ExampleList
            query={draft.query}
            onOpen={(next) => {
              setDraft(draftOf(next))
              clearResponses()
            }}
          />
        </div>
      </nav>
      <div className="sandbox-column">
        {details === undefined ? null : (
          <Notices
            details={details}
            onAddScopes={(scopes) => void session.add(scopes)}
            addLabel="Add to the token"
            onPasteToken={showTokenPicker}
            onSignIn={session.signIn}
            onRetry={undefined}
          />
        )}
        <div className="sandbox-editor">
          {lost ? (
            <div className="notice" role="status">
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
        {details === undefined ? null : (
          <DetailsPanel
            details={details}
            onAddScopes={settings.minting ? (scopes) => void explainAgain(scopes) : undefined}
          />
        )}
      </div>
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

interface DetailsPanelProps {
  readonly details: ResponseDetails
  readonly onAddScopes: ((scopes: readonly string[]) => void) | undefined
}

/** The charts of a response, or an explanation. */
function DetailsPanel({ details, onAddScopes }: DetailsPanelProps) {
  const height = useSize('findings', [120, 360, 900])
  const { charts, explanation } = details
  if (charts.length === 0 && explanation === undefined) return null
  const title = explanation !== undefined ? 'Explanation: nothing was run' : 'Charts'
  return (
    <>
      <Splitter label="Height of the panel below" orientation="horizontal" size={height} scale={-1} />
      <section className="findings" aria-label={title} style={{ height: height.value }}>
        <div className="pane-head">
          <h2>{title}</h2>
          <span className="spring" />
          <IconButton label="Close" onClick={clearResponses}>
            <CloseIcon />
          </IconButton>
        </div>
        <div className="result-body">
          <Suspense fallback={null}>
            {explanation === undefined ? (
              <ChartPane charts={charts} />
            ) : (
              <ExplainPane explanation={explanation} json={undefined} onOpen={onAddScopes} />
            )}
          </Suspense>
        </div>
      </section>
    </>
  )
}
