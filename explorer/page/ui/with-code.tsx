/** Text with `code` between backticks, as descriptions and errors use it. Other markup is not interpreted. */
import { createElement, Fragment } from 'react'

export function WithCode({ text }: { readonly text: string }) {
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? createElement('code', {}, part) : part))
  return createElement(Fragment, {}, ...parts)
}
