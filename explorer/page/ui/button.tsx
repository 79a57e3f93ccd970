/** The page's buttons: with words, or with an icon alone. They take all attributes of `<button>`. */
import type { ComponentProps } from 'react'

const looks = { tool: 'tool', primary: 'tool tool-primary', link: 'link' } as const

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof looks
}

export const Button = ({ look = 'tool', className = '', ...rest }: ButtonProps) => (
  <button type="button" className={`${looks[look]} ${className}`} {...rest} />
)

interface IconButtonProps extends ComponentProps<'button'> {
  /** Read aloud, and shown under the pointer unless there is a `title`. */
  readonly label: string
}

export const IconButton = ({ label, title = label, className = '', ...rest }: IconButtonProps) => (
  <button
    type="button"
    className={`tool tool-bare ${className}`}
    aria-label={label}
    title={title}
    {...rest}
  />
)
