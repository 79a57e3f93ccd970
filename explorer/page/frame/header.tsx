/** The page's head: which graph, which editor, whether operations run or are only explained, the token, the colours. */
import type { RefObject } from 'react'
import type { Session } from '../graph/session.ts'
import { endpoint, settings } from '../settings.ts'
import type { SignInWish } from '../sign-in/types.ts'
import { ExplainIcon, Mark, MoonIcon, SunIcon } from './icons.tsx'
import type { Theme } from './theme.ts'
import { TokenPicker } from './token-picker.tsx'

export type Editor = 'sandbox' | 'built-in'

const editors: readonly (readonly [Editor, string])[] = [
  ['sandbox', 'Apollo Sandbox'],
  ['built-in', 'Built-in'],
]

export interface HeaderProps {
  readonly editor: Editor
  readonly onEditor: (editor: Editor) => void
  readonly explaining: boolean
  readonly onExplaining: (explaining: boolean) => void
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
  readonly session: Session
  readonly onSignIn: ((wish: SignInWish) => void) | undefined
  readonly onSignOut: () => void
  readonly tokenPopover: RefObject<HTMLDivElement | null>
}

export function Header(props: HeaderProps) {
  const { editor, explaining, theme, session, tokenPopover } = props
  const other = theme === 'dark' ? 'light' : 'dark'
  const colours = other === 'light' ? 'Light colours' : 'Dark colours'
  return (
    <header className="bar">
      <h1>
        <Mark />
        Tessera
      </h1>
      <code className="endpoint">{endpoint}</code>
      <span className="spring" />
      {settings.mode === 'auto' ? (
        <fieldset className="switch">
          <legend className="visually-hidden">Editor</legend>
          {editors.map(([id, title]) => (
            <label key={id}>
              <input type="radio" name="editor" checked={editor === id} onChange={() => props.onEditor(id)} />
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <button
        type="button"
        className={`tool tool-narrow${explaining ? ' tool-on' : ''}`}
        aria-pressed={explaining}
        title="While this is on, operations are not run: the gateway says what they would need and cost"
        onClick={() => props.onExplaining(!explaining)}
      >
        <ExplainIcon />
        <span className="tool-text">Explain only</span>
      </button>
      <TokenPicker
        session={session}
        scopes={settings.scopes}
        minting={settings.minting}
        onSignIn={props.onSignIn}
        onSignOut={props.onSignOut}
        popover={tokenPopover}
      />
      <button
        type="button"
        className="tool tool-bare"
        aria-label={colours}
        title={colours}
        onClick={() => props.onTheme(other)}
      >
        {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
      </button>
    </header>
  )
}
