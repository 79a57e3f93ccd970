/** Hints for composition errors that are likely when our subgraphs are composed with others. */
interface Cure {
  readonly sign: RegExp
  readonly cure: string
}

/** The first that matches is used. */
const cures: readonly Cure[] = [
  {
    sign: /^There are two subgraphs/,
    cure: 'Each subgraph needs a name of its own: give yours another one, NAME=FILE or NAME=URL.',
  },
  {
    sign: /Query\.nodes?"/,
    cure: 'Both graphs own `node`: leave our nodes subgraph out and let yours hold stubs of our types, or drop yours.',
  },
  {
    sign: /PageInfo/,
    cure: 'Mark `PageInfo` @shareable in every subgraph, with the four standard fields and the same nullability.',
  },
  {
    sign: /\bNode\b/,
    cure: 'Declare `interface Node { id: ID! }` the same way in every subgraph.',
  },
  {
    sign: /version/i,
    cure: 'Link the federation specification in a version that the composer knows; ours link v2.9.',
  },
  {
    sign: /for @key|for @provides|for @requires/,
    cure: 'The selection in the directive must name fields of that type in that subgraph.',
  },
  {
    sign: /^Enum type/,
    cure: 'An enum that is given and answered must have the same values everywhere: take ours from schema/*.graphql.',
  },
  {
    sign: /is required in some subgraphs/,
    cure: 'What one subgraph requires all that know the field must have: make yours optional, or leave it out.',
  },
  {
    sign: /mismatched kind.*Scalar Type|Scalar Type.*mismatched kind/,
    cure: 'A type of this name is a scalar in one subgraph and something else in another: rename yours.',
  },
  {
    sign: /mismatched kind/,
    cure: 'The name stands for different kinds of type: rename yours, or match ours in schema/*.graphql.',
  },
  {
    sign: /^Non-shareable field "(Video|Channel|Message|Agent|Intent|Comment|CommentThread|MessageUser)\./,
    cure: 'A type of ours that you extend needs its key: @key(fields: …) with the field that you hold, as in schema/*.graphql.',
  },
  {
    sign: /^Non-shareable field/,
    cure: 'Two subgraphs resolve this field: mark it @shareable in both, or keep it in one.',
  },
  {
    sign: /incompatible|is not a proper subtype/,
    cure: 'The same field has different types: change yours to the type in our schema/*.graphql.',
  },
]

export function hintFor(message: string): string | undefined {
  return cures.find(({ sign }) => sign.test(message))?.cure
}
