import { CombinedGraphQLErrors } from '@apollo/client'
import type { ReactNode } from 'react'
import { inWords } from '../../words.ts'

/** Every error of an answer, or that there was none. */
const wordsOf = (error: Error): string[] =>
  CombinedGraphQLErrors.is(error) ? error.errors.map(inWords) : ['The graph cannot be reached.']

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
