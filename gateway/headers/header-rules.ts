/** Header rules: which headers of a client's request go to subgraphs, and which of their responses to the client. */

/** One of the names, or those that match a pattern, in which `*` represents any characters. Case does not matter. */
export type HeaderChoice = { readonly named: string } | { readonly matching: string }

export type RequestRule =
  | {
      readonly propagate:
        | {
            readonly named: string
            /** The name under which it is forwarded. */
            readonly rename?: string | undefined
            /** Sent if the client sends none. */
            readonly default?: string | undefined
          }
        | { readonly matching: string }
    }
  | {
      readonly insert: {
        readonly name: string
        readonly value?: string | undefined
        /** The claim of the caller's verified token; nothing is sent for a caller without it. */
        readonly claim?: string | undefined
      }
    }
  | { readonly remove: HeaderChoice }

export interface AnswerRule {
  readonly propagate: {
    readonly named: string
    readonly rename?: string | undefined
    readonly default?: string | undefined
    /** If several responses have it: all of them in order of arrival, the first, or the last. */
    readonly algorithm?: 'append' | 'first' | 'last' | undefined
  }
}

export interface HeaderRules {
  readonly request?: readonly RequestRule[] | undefined
  readonly answer?: readonly AnswerRule[] | undefined
}
