/**
 * A separator that resizes the element before it: by pointer, by arrow keys, and to the smallest or largest size by
 * Home and End.
 */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { recall, store } from './storage.ts'

interface Size {
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onChange: (value: number) => void
}

/** A size that the user sets with a splitter, stored in this browser: its least, its initial and its greatest value. */
export function useSize(name: string, [min, initial, max]: readonly [number, number, number]): Size {
  const key = `tessera:size:${name}`
  const [value, setValue] = useState(() => {
    const stored = Number(recall('localStorage', key) ?? Number.NaN)
    return Number.isFinite(stored) ? stored : initial
  })
  const onChange = (next: number): void => {
    store('localStorage', key, String(Math.round(next)))
    setValue(next)
  }
  return { value, min, max, onChange }
}

interface SplitterProps {
  readonly label: string
  /** `vertical` is between columns, `horizontal` between rows. */
  readonly orientation: 'vertical' | 'horizontal'
  readonly size: Size
  /** Pixels of one unit of the size. It is negative if the element after the separator has the size. */
  readonly scale?: number
}

const steps = 20

export function Splitter({ label, orientation, size, scale = 1 }: SplitterProps) {
  const { value, min, max, onChange } = size
  const drag = useRef<{ readonly at: number; readonly value: number }>(undefined)
  const endDrag = (): void => {
    drag.current = undefined
  }
  const set = (next: number): void => onChange(Math.min(max, Math.max(min, next)))
  const position = (event: PointerEvent): number =>
    orientation === 'vertical' ? event.clientX : event.clientY
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = ((max - min) / steps) * Math.sign(scale)
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    if (event.key === less) set(value - step)
    else if (event.key === more) set(value + step)
    else if (event.key === 'Home') set(min)
    else if (event.key === 'End') set(max)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be focused and moved
    <div
      role="separator"
      className={`splitter splitter-${orientation}`}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { at: position(event), value }
        event.preventDefault()
      }}
      onPointerMove={(event) => {
        if (drag.current !== undefined) set(drag.current.value + (position(event) - drag.current.at) / scale)
      }}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
    />
  )
}
