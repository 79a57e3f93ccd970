/**
 * The page's head: the name of the graph, the commands, the token, the theme, and the links to Apollo Sandbox and
 * back.
 */
import { paletteKeys } from '../keys.ts'
import { apolloAddress, editor, endpoint, ownAddress } from '../settings.ts'
import { Button, IconButton } from './button.tsx'
import { BackIcon, KeyboardIcon, Mark, MoonIcon, SearchIcon, SunIcon } from './icons.tsx'
import { overlay } from './overlay.ts'
import { switchTheme, theme } from './theme.ts'
import { TokenPicker } from './token-picker.tsx'

export function Header() {
  const isDark = theme.use() === 'dark'
  return (
    <header className="bar row">
      <h1 className="row">
        <Mark />
        Tessera
      </h1>
      <code className="endpoint cut">{endpoint}</code>
      <span className="spring" />
      {editor === 'sandbox' ? <BackLink /> : <OwnTools />}
      <TokenPicker />
      <IconButton label={isDark ? 'Light colours' : 'Dark colours'} onClick={switchTheme}>
        {isDark ? <SunIcon /> : <MoonIcon />}
      </IconButton>
    </header>
  )
}

function OwnTools() {
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
        onClick={() => overlay.set('palette')}
      >
        <SearchIcon />
        <span className="tool-text">
          Commands <kbd>{paletteKeys}</kbd>
        </span>
      </Button>
      <IconButton
        label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => overlay.set('shortcuts')}
      >
        <KeyboardIcon />
      </IconButton>
    </>
  )
}

const BackLink = () =>
  ownAddress === undefined ? null : (
    <a className="tool" href={ownAddress}>
      <BackIcon />
      Back to the explorer
    </a>
  )
