/** The command palette: a text field that filters a list of all commands (the combobox pattern of WAI-ARIA). */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { plural } from '../result/format-numbers.ts'
import { Dialog } from './dialog.tsx'
import { closeOverlay } from './overlay.ts'

export interface Command {
  readonly id: string
  readonly title: string
  /** The kind of command, such as `Example`. */
  readonly group: string
  readonly keys?: string | undefined
  /** Further search words. */
  readonly words?: string | undefined
  /** Shown only if something is typed. */
  readonly isFoundOnly?: boolean
  readonly run: () => void
}

const mostShown = 40

/** The commands that contain all words. Those whose title begins with the first word come first. */
function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [first] = words
  if (first === undefined) return commands.filter(({ isFoundOnly }) => isFoundOnly !== true)
  const rankOf = ({ title }: Command): number => {
    const at = title.toLowerCase().indexOf(first)
    return at < 0 ? 2 : Math.min(at, 1)
  }
  return commands
    .filter(({ title, group, words: more = '' }) => {
      const all = `${title} ${group} ${more}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || Number(a.isFoundOnly === true) - Number(b.isFoundOnly === true))
    .slice(0, mostShown)
}

export function Palette({ commands }: { readonly commands: readonly Command[] }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = useMemo(() => findCommands(commands, text), [commands, text])
  const current = found[Math.min(at, found.length - 1)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is to be seen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    // The focus is back in the page before the command moves it.
    flushSync(closeOverlay)
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const most = Math.max(1, found.length)
    if (event.key === 'ArrowDown') setAt((at + 1) % most)
    else if (event.key === 'ArrowUp') setAt((at + most - 1) % most)
    else if (event.key === 'Enter') run(current)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Dialog label="Commands" className="palette">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        aria-label="Find a command, an example, a type"
        placeholder="Find a command, an example, a type…"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={id} role="listbox" aria-label="Commands" className="palette-list">
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
          <div
            key={command.id}
            className="row"
            id={`${id}-${command.id}`}
            role="option"
            aria-selected={command === current}
            onPointerMove={() => setAt(found.indexOf(command))}
            onClick={() => run(command)}
          >
            <span className="spring cut">{command.title}</span>
            <span className="quiet">{command.group}</span>
            {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="quiet palette-none">Nothing found.</p> : null}
      <p className="visually-hidden" role="status">
        {plural(found.length, 'command')}
      </p>
    </Dialog>
  )
}
