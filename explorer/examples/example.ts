/** An operation that the explorer page offers. It is plain data, which becomes part of the page as JSON. */
export interface Example {
  readonly id: string
  readonly title: string
  /** What it shows, in a few words. */
  readonly note: string
  readonly document: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Without these scopes, part of the response is refused. */
  readonly scopes?: readonly string[]
}
