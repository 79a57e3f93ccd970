/** A dialog over the page. The focus stays inside, Escape or a click outside closes it, and the focus returns. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { closeOverlay } from './overlay.ts'

interface DialogProps {
  readonly label: string
  readonly className?: string
  /** Shown next to the title. Without it there is no head. */
  readonly head?: ReactNode
  /** Closes the dialog over the editor by default. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

export function Dialog({ label, className = '', head, onClose = closeOverlay, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // A layout effect ends before the element is removed: closing a removed dialog would not return the focus.
  useLayoutEffect(() => {
    const { current } = element
    current?.showModal()
    // Otherwise the browser would focus the first element that can have the focus, which is the close button.
    current?.querySelector<HTMLInputElement>('[data-first]')?.select()
    return () => current?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      <div className="dialog-body column">
        {head === undefined ? null : (
          <div className="dialog-head row">
            <h2>{label}</h2>
            {head}
            <span className="spring" />
            <IconButton label="Close" onClick={onClose}>
              <CloseIcon />
            </IconButton>
          </div>
        )}
        {children}
      </div>
    </dialog>
  )
}
