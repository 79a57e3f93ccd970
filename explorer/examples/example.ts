/** An operation that the explorer page offers: plain data, written into the page as JSON. */
export interface Example {
  readonly id: string
  readonly title: string
  /** What it shows, in a few words. */
  readonly note: string
  readonly document: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** The scopes without which part of the answer is refused. */
  readonly scopes?: readonly string[]
}
