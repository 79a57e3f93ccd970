/** The keys of the page, named as on this machine's keyboard, and those that work everywhere on it. */

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const withMod = (key: string): string => (isMac ? `⌘ ${key}` : `Ctrl ${key}`)

export const runKeys = withMod('Enter')
export const paletteKeys = withMod('K')
export const saveKeys = withMod('S')
export const findKeys = isMac ? '⌘ ⇧ F' : 'Ctrl Shift F'

/** Keys and what they do, in groups, for the list of shortcuts. */
export const shortcuts: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere on the page',
    [
      [runKeys, 'Run the operation'],
      [paletteKeys, 'Find a command'],
      [saveKeys, 'Save the operation'],
      [findKeys, 'Find in the answer'],
      ['?', 'Show this list (outside of text fields)'],
    ],
  ],
  [
    'In an editor',
    [
      [isMac ? '⌥ Space' : 'Ctrl Space', 'Complete the current word'],
      [withMod('click'), 'Show a name in the schema'],
      [withMod('F'), 'Find in the text'],
      [withMod('/'), 'Comment or uncomment lines'],
      [isMac ? '⌘ ⌥ [' : 'Ctrl Alt [', 'Fold all'],
      ['Tab', 'Leave the editor'],
    ],
  ],
]

type PageKeys = Readonly<Record<'run' | 'palette' | 'save' | 'find' | 'shortcuts', () => void>>

/** Whether Control (Command on a Mac) is pressed, with Shift if `shift` says so, and no other modifier. */
const isMod = (event: KeyboardEvent, shift = false): boolean =>
  (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.altKey &&
  event.shiftKey === shift

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches('[type="checkbox"], [type="range"]')))

/** The keys work whatever has the focus. */
export function listenToPageKeys({ run, palette, save, find, shortcuts }: PageKeys): void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase()
    const does = isMod(event)
      ? { enter: run, k: palette, s: save }[key]
      : isMod(event, true)
        ? { f: find }[key]
        : event.key === '?' && !event.ctrlKey && !event.metaKey && !isText(event.target)
          ? shortcuts
          : undefined
    if (does === undefined) return
    // Otherwise a focused element would handle the key too, such as a button that Enter presses.
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) does()
  }
  addEventListener('keydown', onKeyDown, { capture: true })
}
