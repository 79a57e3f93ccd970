import type { FieldNode } from 'graphql'

/** A field of the original document that this caller may not see: it is null, with an error at its path. */
export interface RefusedField {
  /** The very node of the original document. */
  readonly field: FieldNode
  /** The object type on which it is refused; `*` is every one that can stand there. */
  readonly parentType: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
  /**
   * The place of the refused field below `field`, as response keys. Given if nothing of `field` was left to fetch:
   * it is null as well, and the error's path goes on with these keys.
   */
  readonly below?: readonly string[]
}
