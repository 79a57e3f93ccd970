/** What a document says of its operations and variables: their descriptions, or else the comments right before them. */
import { type StringValueNode, type Token, TokenKind } from 'graphql'

interface Node {
  readonly description?: StringValueNode | undefined
  readonly loc?: { readonly startToken: Token } | undefined
}

/** Undefined if nothing is said. The node has its tokens: it was parsed with locations. */
export function toldOf({ description, loc }: Node): string | undefined {
  if (description !== undefined) return description.value
  const lines: string[] = []
  let after = loc?.startToken
  for (let token = after?.prev; token?.kind === TokenKind.COMMENT; token = token.prev) {
    // A comment at the end of another line, or with a blank line below it, is about something else.
    if (token.line !== (after?.line ?? 0) - 1) break
    lines.unshift(token.value.trim())
    after = token
  }
  return lines.length === 0 ? undefined : lines.join(' ')
}
