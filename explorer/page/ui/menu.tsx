/** A button that opens a list of commands, by the menu pattern of WAI-ARIA: arrow keys move, Escape and Tab close it. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

export interface MenuItem {
  readonly id: string
  readonly title: string
  readonly note?: string
  readonly run: () => void
}

interface MenuProps {
  readonly label: string
  readonly title?: ReactNode
  readonly items: readonly MenuItem[]
}

export function Menu({ label, title, items }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const place = (): void => {
    const { current: from } = button
    const { current: menu } = list
    if (from === null || menu === null) return
    const { right, bottom } = from.getBoundingClientRect()
    menu.style.top = `${Math.min(bottom + 4, innerHeight - menu.offsetHeight - 8)}px`
    menu.style.left = `${Math.max(8, Math.min(right, innerWidth - 8) - menu.offsetWidth)}px`
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The focus is at the button again, and goes on from there.
    if (event.key === 'Tab') list.current?.hidePopover()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons.at(to % buttons.length)?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={title === undefined ? 'tool tool-bare' : 'tool'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={title === undefined ? label : undefined}
        title={label}
        popoverTarget={id}
      >
        {title ?? <span aria-hidden="true">⋯</span>}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className="menu"
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          const isOpen = event.newState === 'open'
          setOpen(isOpen)
          if (!isOpen) return
          place()
          list.current?.querySelector('button')?.focus()
        }}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              list.current?.hidePopover()
              item.run()
            }}
          >
            {item.title}
            {item.note === undefined ? null : <span className="quiet">{item.note}</span>}
          </button>
        ))}
      </div>
    </>
  )
}
