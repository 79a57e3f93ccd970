import type { ReactNode } from 'react'
import { wordsOf } from './words.ts'

/** What went wrong, in words; nothing if nothing did. */
export function Faults({ error }: { readonly error: Error | undefined }): ReactNode {
  return error === undefined
    ? null
    : wordsOf(error).map((words) => (
        <p key={words} role="alert">
          {words}
        </p>
      ))
}
