/** The keys of the page, named as on this machine's keyboard. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const withMod = (key: string): string => (isMac ? `⌘ ${key}` : `Ctrl ${key}`)

export const runKeys = withMod('Enter')
export const paletteKeys = withMod('K')
export const saveKeys = withMod('S')
export const findKeys = isMac ? '⌘ ⇧ F' : 'Ctrl Shift F'

/** Whether Control (Command on a Mac) is pressed, with Shift if `shift` says so, and no other modifier. */
export const isMod = (event: KeyboardEvent, shift = false): boolean =>
  (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.altKey &&
  event.shiftKey === shift

export interface Shortcut {
  readonly keys: string
  readonly does: string
}

/** In groups, for the list of shortcuts. */
export const shortcuts: readonly (readonly [string, readonly Shortcut[]])[] = [
  [
    'Everywhere on the page',
    [
      { keys: runKeys, does: 'Run the operation' },
      { keys: paletteKeys, does: 'Find a command' },
      { keys: saveKeys, does: 'Save the operation' },
      { keys: findKeys, does: 'Find in the answer' },
      { keys: '?', does: 'Show this list (outside of text fields)' },
    ],
  ],
  [
    'In an editor',
    [
      { keys: isMac ? '⌥ Space' : 'Ctrl Space', does: 'Complete the current word' },
      { keys: withMod('click'), does: 'Show a name in the schema' },
      { keys: withMod('F'), does: 'Find in the text' },
      { keys: withMod('/'), does: 'Comment or uncomment lines' },
      { keys: isMac ? '⌘ ⌥ [' : 'Ctrl Alt [', does: 'Fold all' },
      { keys: 'Tab', does: 'Leave the editor' },
    ],
  ],
]
