/** Apollo Sandbox in the page, opened on one operation. */
import { useEffect, useRef } from 'react'
import type { Draft } from '../editor/workspace.ts'
import type { Sender } from '../graph/send.ts'
import type { Session } from '../graph/session.ts'
import { objectFrom } from '../json.ts'
import { awaitFrame, type EmbeddedSandbox, loadApolloSandbox } from './apollo-sandbox.ts'

export interface SandboxPaneProps {
  readonly endpoint: string
  /** A new draft replaces the pane. */
  readonly draft: Draft
  readonly session: Session
  /** Whether the gateway makes tokens for its sandbox, which are worthless elsewhere. */
  readonly minting: boolean
  readonly sender: Sender
  readonly onUnreachable: () => void
}

export function SandboxPane({ endpoint, draft, session, minting, sender, onUnreachable }: SandboxPaneProps) {
  const target = useRef<HTMLDivElement>(null)
  const unreachable = useRef(onUnreachable)
  unreachable.current = onUnreachable

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
          ...(minting && authorization !== undefined
            ? { sharedHeaders: { Authorization: authorization } }
            : {}),
          includeCookies: false,
          pollForSchemaUpdates: false,
        },
        handleRequest: sender.fetch,
        endpointIsEditable: false,
        hideCookieToggle: true,
        runTelemetry: false,
        allowDynamicStyles: false,
      })
      stopWaiting = awaitFrame(() => unreachable.current())
    }
    open().catch(() => {
      if (!closed) unreachable.current()
    })
    return () => {
      closed = true
      stopWaiting?.()
      embedded?.dispose?.()
      target.current?.replaceChildren()
    }
  }, [endpoint, draft, session, minting, sender])

  return <div ref={target} className="sandbox-pane" data-testid="sandbox" />
}
