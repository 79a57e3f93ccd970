/** A part of the dashboard: its heading, what goes wrong in it, and what it shows. */
import { CombinedGraphQLErrors } from '@apollo/client'
import { type ReactNode, useId } from 'react'
import { inWords } from '../../words.ts'

export const wordsOf = (error: Error): string =>
  inWords((CombinedGraphQLErrors.is(error) ? error.errors[0] : error) ?? error)

export interface CardProps {
  readonly title: string
  readonly className?: string
  readonly aside?: ReactNode
  readonly error: Error | undefined
  readonly children: ReactNode
}

export function Card({ title, className = '', aside, error, children }: CardProps): ReactNode {
  const id = useId()
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {error === undefined ? null : (
        <p className="fault" role="alert">
          {wordsOf(error)}
        </p>
      )}
      {children}
    </section>
  )
}
