/** A button that shows only an icon. Its label is read aloud, and shown under the pointer. */
import type { ReactNode } from 'react'

export interface IconButtonProps {
  readonly label: string
  /** Shown under the pointer instead of the label. */
  readonly title?: string
  readonly className?: string
  /** For a button that is on or off. */
  readonly pressed?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

export const IconButton = ({ label, title, className, pressed, onClick, children }: IconButtonProps) => (
  <button
    type="button"
    className={`tool tool-bare ${className ?? ''}`}
    aria-label={label}
    aria-pressed={pressed}
    title={title ?? label}
    onClick={onClick}
  >
    {children}
  </button>
)
