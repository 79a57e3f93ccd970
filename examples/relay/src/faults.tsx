/**
 * What went wrong, in words: an error of a whole operation that a component threw, or errors next to the data that
 * is shown.
 */
import { Component, type ReactNode } from 'react'
import { inWords } from '../../words.ts'
import { OperationError } from './environment.ts'

export const wordsOf = (error: unknown): string[] =>
  error instanceof OperationError ? error.errors.map(inWords) : ['The graph cannot be reached.']

export function Alerts({ words }: { readonly words: readonly string[] }): ReactNode {
  return [...new Set(words)].map((text) => (
    <p key={text} role="alert">
      {text}
    </p>
  ))
}

interface BoundaryProps {
  /** Gets the number of the attempt, for `fetchKey`: Relay keeps the failure of a query under its old key. */
  readonly children: (attempt: number) => ReactNode
}

interface BoundaryState {
  readonly error: unknown
  readonly attempt: number
}

/** Shows in its children's place why they could not be loaded, with a way to try again. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: undefined, attempt: 0 }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error }
  }

  override render(): ReactNode {
    const { error, attempt } = this.state
    if (error === undefined) return this.props.children(attempt)
    return (
      <section aria-label="Trouble">
        <Alerts words={wordsOf(error)} />
        <button type="button" onClick={() => this.setState({ error: undefined, attempt: attempt + 1 })}>
          Try again
        </button>
      </section>
    )
  }
}
