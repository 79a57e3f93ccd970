/**
 * The page: its head, and below it our own editor or, at its own address, Apollo Sandbox. It reads the findings
 * from every exchange with the graph, for both of them to show.
 */
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Overlay } from './editor/use-bench.ts'
import { FeedbackProvider } from './frame/feedback.tsx'
import { Header } from './frame/header.tsx'
import { Skeleton } from './frame/skeleton.tsx'
import { useTheme } from './frame/theme.ts'
import type { Exchange } from './graph/exchange.ts'
import { Sender } from './graph/send.ts'
import { Session } from './graph/session.ts'
import { findingIn } from './result/finding.ts'
import type { Findings } from './result/result-pane.tsx'
import { editor, settings } from './settings.ts'
import { forgetAtServer, leaveToSignIn } from './sign-in/index.ts'
import type { RefusedRun, SignedIn, SignInWish } from './sign-in/types.ts'

/** It starts to load before the page is first rendered, so that early input is not lost. */
const workbench = editor === 'built-in' ? import('./editor/workbench.tsx') : undefined
const Workbench = lazy(async () => ({
  default: (await (workbench ?? import('./editor/workbench.tsx'))).Workbench,
}))
const SandboxStage = lazy(async () => ({
  default: (await import('./sandbox/sandbox-stage.tsx')).SandboxStage,
}))

export interface ExplorerProps {
  /** The token of a user who returns from signing in. */
  readonly arriving: Promise<SignedIn> | undefined
}

/** The findings with the newest exchange, which replaces the previous one of its kind. */
function withExchange(before: Findings | undefined, exchange: Exchange): Findings {
  const latest = findingIn(exchange)
  return exchange.explained
    ? { latest, explained: latest, answered: before?.answered }
    : { latest, answered: latest, explained: before?.explained }
}

export function Explorer({ arriving }: ExplorerProps) {
  const [theme, setTheme] = useTheme()
  const [explaining, setExplaining] = useState(false)
  const [findings, setFindings] = useState<Findings>()
  const [overlay, setOverlay] = useState<Overlay>()
  const [toRun, setToRun] = useState<RefusedRun>()
  const tokenPopover = useRef<HTMLDivElement>(null)
  const explainingNow = useRef(explaining)
  explainingNow.current = explaining

  const session = useMemo(() => {
    const made = new Session()
    if (arriving !== undefined) void made.signIn(arriving)
    return made
  }, [arriving])
  useEffect(() => {
    arriving?.then(
      ({ run }) => setToRun(run),
      () => {},
    )
  }, [arriving])
  const sender = useMemo(
    () =>
      new Sender({
        session,
        explaining: () => explainingNow.current,
        onExchange: (exchange) => setFindings((before) => withExchange(before, exchange)),
      }),
    [session],
  )
  const { signIn: place } = settings
  const onSignIn =
    place === undefined
      ? undefined
      : (wish: SignInWish): void => {
          leaveToSignIn(place, wish).catch((error) => session.cannotSignIn(error))
        }
  const onSignOut = (): void => {
    const token = session.signOut()
    if (place !== undefined && token !== undefined) forgetAtServer(place, token)
  }
  const onTheme = (): void => setTheme(theme === 'dark' ? 'light' : 'dark')
  const shared = {
    ...{ session, sender, theme },
    onClear: () => setFindings(undefined),
    onPasteToken: () => tokenPopover.current?.showPopover(),
    onSignIn,
  }
  return (
    <FeedbackProvider>
      <div className="page" data-editor={editor}>
        <Header
          explaining={explaining}
          onExplaining={setExplaining}
          theme={theme}
          onTheme={onTheme}
          session={session}
          onSignIn={onSignIn}
          onSignOut={onSignOut}
          tokenPopover={tokenPopover}
          onOverlay={setOverlay}
        />
        <main className="stage">
          <Suspense fallback={<Skeleton />}>
            {editor === 'sandbox' ? (
              <SandboxStage {...shared} finding={findings?.latest} />
            ) : (
              <Workbench
                {...shared}
                findings={findings}
                onTheme={onTheme}
                overlay={overlay}
                onOverlay={setOverlay}
                toRun={toRun}
                onRan={() => setToRun(undefined)}
              />
            )}
          </Suspense>
        </main>
      </div>
    </FeedbackProvider>
  )
}
