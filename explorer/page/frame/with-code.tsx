/** Text in which `code` stands between backticks, as descriptions and errors write it; other marks stay as they are. */
import { createElement, Fragment } from 'react'

export function WithCode({ text }: { readonly text: string }) {
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? createElement('code', {}, part) : part))
  return createElement(Fragment, {}, ...parts)
}
