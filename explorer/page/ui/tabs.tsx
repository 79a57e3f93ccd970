/**
 * A list of tabs, by the tabs pattern of WAI-ARIA: one of them is in the tab order, and arrow keys move between
 * them.
 */
import { type KeyboardEvent, type ReactNode, useRef } from 'react'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly title: ReactNode
}

interface TabsProps<Id extends string> {
  readonly label: string
  /** The prefix of the ids of tabs and panels. The panel of a tab has the id `<name>-panel-<id>`. */
  readonly name: string
  readonly tabs: readonly Tab<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  readonly className?: string
}

export const panelProps = (name: string, id: string) =>
  ({ id: `${name}-panel-${id}`, role: 'tabpanel', 'aria-labelledby': `${name}-tab-${id}` }) as const

export function Tabs<Id extends string>({
  label,
  name,
  tabs,
  value,
  onChange,
  className = '',
}: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === value)
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const next = to === undefined ? undefined : tabs[to]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`#${name}-tab-${next.id}`)?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={label} className={`tabs ${className}`} onKeyDown={onKeyDown}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${name}-tab-${id}`}
          aria-selected={id === value}
          aria-controls={id === value ? `${name}-panel-${id}` : undefined}
          tabIndex={id === value ? 0 : -1}
          onClick={() => onChange(id)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
