/** Rules for headers: what of a client's request goes on to subgraphs, and of their answers to the client. */

/** One of the names, or those that a pattern matches, in which `*` stands for any characters. Case does not matter. */
export type HeaderChoice = { readonly named: string } | { readonly matching: string }

export type RequestRule =
  | {
      readonly propagate:
        | {
            readonly named: string
            /** Under which name it goes on. */
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
        /** The claim of the caller's checked token; nothing is sent for a caller who has none. */
        readonly claim?: string | undefined
      }
    }
  | { readonly remove: HeaderChoice }

export interface AnswerRule {
  readonly propagate: {
    readonly named: string
    readonly rename?: string | undefined
    readonly default?: string | undefined
    /** Where several answers have it: all of them in the order in which they came, the first, or the last. */
    readonly algorithm?: 'append' | 'first' | 'last' | undefined
  }
}

export interface HeaderRules {
  readonly request?: readonly RequestRule[] | undefined
  readonly answer?: readonly AnswerRule[] | undefined
}
