/**
 * What to do about an error of composition: for each clash that joining our subgraphs with somebody else's
 * is likely to meet, the cure in one sentence.
 */
interface Cure {
  readonly sign: RegExp
  readonly cure: string
}

const cures: readonly Cure[] = [
  {
    sign: /Query\.node\b|Query\.nodes\b|field "node" of|field "nodes" of/,
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
    sign: /scalar|DateTime|UInt64|\bJSON\b/i,
    cure: 'A type of this name is a scalar in one subgraph and something else in another: rename yours.',
  },
  {
    sign: /non-shareable|INVALID_FIELD_SHARING/i,
    cure: 'Two subgraphs resolve this field: mark it @shareable in both, or keep it in one.',
  },
  {
    sign: /federation\/v|link.*version|UNKNOWN_FEDERATION_LINK_VERSION/i,
    cure: 'Our subgraphs link federation v2.9: the composer must know that version, and a link must not be renamed.',
  },
  {
    sign: /kind|TYPE_KIND_MISMATCH/,
    cure: 'The name stands for different kinds of type: rename yours, or match ours in schema/*.graphql.',
  },
  {
    sign: /type of (field|argument)|incompatible|TYPE_MISMATCH/i,
    cure: 'The same field has different types: change yours to the type in our schema/*.graphql.',
  },
]

export function cureFor(message: string): string | undefined {
  return cures.find(({ sign }) => sign.test(message))?.cure
}
