/**
 * The page: its head, and below it Apollo Sandbox if that can be reached, else our own editor. What every
 * exchange with the graph brought beyond its data is found here, for either editor to show.
 */
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Editor, Header } from './frame/header.tsx'
import { CloseIcon } from './frame/icons.tsx'
import { Skeleton } from './frame/skeleton.tsx'
import { useTheme } from './frame/theme.ts'
import { createSender } from './graph/send.ts'
import { createSession } from './graph/session.ts'
import { type Finding, findingIn } from './result/finding.ts'
import { SandboxStage } from './sandbox/sandbox-stage.tsx'
import { endpoint, settings, tokenAddress } from './settings.ts'
import { forgetAtServer, leaveToSignIn } from './sign-in/index.ts'
import type { SignedIn, SignInWish } from './sign-in/types.ts'

const loadWorkbench = () => import('./editor/workbench.tsx')
const Workbench = lazy(async () => ({ default: (await loadWorkbench()).Workbench }))

const editorKey = 'tessera:editor'
/** Apollo Sandbox is made for wide screens. */
const narrow = matchMedia('(max-width: 900px)')

/** As chosen: by the address (`/?editor=built-in`) or in this browser before; else as the gateway is set. */
function firstEditor(): Editor {
  if (settings.mode !== 'auto') return settings.mode
  const asked = new URLSearchParams(location.search).get('editor') ?? localStorage.getItem(editorKey)
  if (asked === 'built-in' || asked === 'sandbox') return asked
  return narrow.matches ? 'built-in' : 'sandbox'
}

export interface ExplorerProps {
  /** The token of somebody who comes back from signing in. */
  readonly arriving: Promise<SignedIn> | undefined
}

export function Explorer({ arriving }: ExplorerProps) {
  const [theme, setTheme] = useTheme()
  const [editor, setEditor] = useState<Editor>(firstEditor)
  const [unreachable, setUnreachable] = useState(false)
  const [explaining, setExplaining] = useState(false)
  const [finding, setFinding] = useState<Finding>()
  const tokenPopover = useRef<HTMLDivElement>(null)
  const explainingNow = useRef(explaining)
  explainingNow.current = explaining

  const session = useMemo(() => {
    const made = createSession(tokenAddress)
    if (arriving !== undefined) void made.signIn(arriving)
    return made
  }, [arriving])
  const sender = useMemo(
    () =>
      createSender({
        endpoint,
        session,
        explaining: () => explainingNow.current,
        onExchange: (exchange) => setFinding(findingIn(exchange)),
      }),
    [session],
  )
  const onUnreachable = useCallback(() => {
    setUnreachable(true)
    if (settings.mode === 'auto') setEditor('built-in')
  }, [])
  useEffect(() => {
    // While Apollo's hosts are tried, our own editor is made ready to take its place.
    if (settings.mode === 'auto') loadWorkbench().catch(() => {})
  }, [])

  const choose = (next: Editor): void => {
    localStorage.setItem(editorKey, next)
    setUnreachable(false)
    setFinding(undefined)
    setEditor(next)
  }
  const { signIn: place } = settings
  const onSignIn =
    place === undefined
      ? undefined
      : (wish: SignInWish): void => {
          leaveToSignIn(place, wish).catch(session.cannotSignIn)
        }
  const onSignOut = (): void => {
    const token = session.signOut()
    if (place !== undefined && token !== undefined) forgetAtServer(place, token)
  }
  const lost = unreachable && editor === 'sandbox'
  const shared = {
    endpoint,
    examples: settings.examples,
    session,
    sender,
    theme,
    minting: settings.minting,
    finding,
    onClear: () => setFinding(undefined),
    onPasteToken: () => tokenPopover.current?.showPopover(),
    onSignIn,
  }

  return (
    <div className="page" data-editor={editor}>
      <Header
        editor={editor}
        onEditor={choose}
        explaining={explaining}
        onExplaining={setExplaining}
        theme={theme}
        onTheme={setTheme}
        session={session}
        onSignIn={onSignIn}
        onSignOut={onSignOut}
        tokenPopover={tokenPopover}
      />
      <main className="stage">
        {unreachable ? (
          <div className="notice" role="status">
            <p>
              {lost
                ? 'Apollo Sandbox cannot be reached from here.'
                : 'Apollo Sandbox cannot be reached from here, so this is the built-in editor.'}
            </p>
            <button type="button" className="link" onClick={() => choose('sandbox')}>
              Try again
            </button>
            <span className="spring" />
            {lost ? null : (
              <button
                type="button"
                className="tool tool-bare"
                aria-label="Dismiss"
                onClick={() => setUnreachable(false)}
              >
                <CloseIcon />
              </button>
            )}
          </div>
        ) : null}
        {editor === 'sandbox' ? (
          <SandboxStage {...shared} lost={lost} onUnreachable={onUnreachable} />
        ) : (
          <Suspense fallback={<Skeleton />}>
            <Workbench {...shared} />
          </Suspense>
        )}
      </main>
    </div>
  )
}
