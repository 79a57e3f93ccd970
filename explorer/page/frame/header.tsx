/**
 * The page's head: the name of the graph, the commands, the token, the theme, and the links to Apollo Sandbox and
 * back.
 */
import type { RefObject } from 'react'
import type { Overlay } from '../editor/use-bench.ts'
import type { Session } from '../graph/session.ts'
import { paletteKeys } from '../keys.ts'
import { apolloAddress, editor, endpoint, ownAddress } from '../settings.ts'
import type { SignInWish } from '../sign-in/types.ts'
import { Button, IconButton } from './button.tsx'
import { BackIcon, ExplainIcon, KeyboardIcon, Mark, MoonIcon, SearchIcon, SunIcon } from './icons.tsx'
import type { Theme } from './theme.ts'
import { TokenPicker } from './token-picker.tsx'

export interface HeaderProps {
  readonly explaining: boolean
  readonly onExplaining: (explaining: boolean) => void
  readonly theme: Theme
  readonly onTheme: () => void
  readonly session: Session
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
  readonly onSignOut: () => void
  readonly tokenPopover: RefObject<HTMLDivElement | null>
  readonly onOverlay: (overlay: Overlay) => void
}

export function Header(props: HeaderProps) {
  const { theme, session, tokenPopover } = props
  const colours = theme === 'dark' ? 'Light colours' : 'Dark colours'
  return (
    <header className="bar">
      <h1>
        <Mark />
        Tessera
      </h1>
      <code className="endpoint cut">{endpoint}</code>
      <span className="spring" />
      {editor === 'sandbox' ? <SandboxTools {...props} /> : <OwnTools onOverlay={props.onOverlay} />}
      <TokenPicker
        session={session}
        onSignIn={props.onSignIn}
        onSignOut={props.onSignOut}
        popover={tokenPopover}
      />
      <IconButton label={colours} onClick={props.onTheme}>
        {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
      </IconButton>
    </header>
  )
}

function OwnTools({ onOverlay }: Pick<HeaderProps, 'onOverlay'>) {
  return (
    <>
      {apolloAddress === undefined ? null : (
        <a className="apollo-link" href={apolloAddress}>
          Open in Apollo Sandbox
        </a>
      )}
      <Button
        className="tool-narrow"
        title={`Find a command (${paletteKeys})`}
        onClick={() => onOverlay('palette')}
      >
        <SearchIcon />
        <span className="tool-text">
          Commands <kbd>{paletteKeys}</kbd>
        </span>
      </Button>
      <IconButton
        label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => onOverlay('shortcuts')}
      >
        <KeyboardIcon />
      </IconButton>
    </>
  )
}

/** Apollo Sandbox itself has no explanation. */
function SandboxTools({ explaining, onExplaining }: Pick<HeaderProps, 'explaining' | 'onExplaining'>) {
  return (
    <>
      {ownAddress === undefined ? null : (
        <a className="tool" href={ownAddress}>
          <BackIcon />
          Back to the explorer
        </a>
      )}
      <Button
        className={`tool-narrow${explaining ? ' tool-on' : ''}`}
        aria-pressed={explaining}
        title="While this is on, operations are not run: the gateway says what they would need and cost"
        onClick={() => onExplaining(!explaining)}
      >
        <ExplainIcon />
        <span className="tool-text">Explain only</span>
      </Button>
    </>
  )
}
