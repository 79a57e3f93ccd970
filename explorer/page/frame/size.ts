/** A size that the user sets with a splitter, stored in this browser. */
import { useState } from 'react'

export function useSize(name: string, initial: number): readonly [number, (size: number) => void] {
  const key = `tessera:size:${name}`
  const [size, setSize] = useState(() => {
    const stored = Number(localStorage.getItem(key) ?? Number.NaN)
    return Number.isFinite(stored) ? stored : initial
  })
  return [
    size,
    (next) => {
      localStorage.setItem(key, String(Math.round(next)))
      setSize(next)
    },
  ]
}
