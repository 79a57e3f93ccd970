/** A field for text that filters or finds. */
import type { ComponentProps } from 'react'

interface SearchFieldProps extends ComponentProps<'input'> {
  /** Read aloud, and shown in the empty field unless there is a `placeholder`. */
  readonly label: string
  readonly onText: (text: string) => void
}

export const SearchField = ({ label, onText, ...rest }: SearchFieldProps) => (
  <input
    type="search"
    className="search"
    aria-label={label}
    placeholder={label}
    onChange={(event) => onText(event.currentTarget.value)}
    {...rest}
  />
)
