/** A field that this caller may not see: it is null, with an error at its path. */
export interface RefusedField {
  /** The id of the field in its normalised operation. */
  readonly field: number
  /** The object type on which it is refused. `*`: every possible type. */
  readonly parentType: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
  /**
   * The response keys from `field` to the refused field, if nothing of `field` was left to fetch. Then `field` is
   * null as well, and the error's path continues with these keys.
   */
  readonly below?: readonly string[]
}
