import type { FieldNode } from 'graphql'

/** A field of the original document that this caller may not see: it is null, with an error where it stands. */
export interface Refusal {
  /** The very node of the original document. */
  readonly field: FieldNode
  /** The object type on which it is refused; `*` is every one that can stand there. */
  readonly parentType: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
  /**
   * Where the refused field lies below `field`, as response keys. Given where nothing of `field` was left to fetch:
   * it is null as well, and the error's path goes on with these keys.
   */
  readonly below?: readonly string[]
}
