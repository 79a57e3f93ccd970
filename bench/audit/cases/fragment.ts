/** The rule of a field holds wherever the field is in fragments, and under any condition. */
import { casesOf, type Form, fieldOf } from './forms.ts'

const key: Form['keys'] = ({ field }) => [field]

const forms: readonly Form[] = [
  { name: 'in an inline fragment', write: (place) => `... { ${fieldOf(place)} }`, keys: key },
  {
    name: 'in an inline fragment on its type',
    write: (place) => `... on ${place.type} { ${fieldOf(place)} }`,
    keys: key,
  },
  {
    name: 'in a fragment',
    write: () => '...F',
    fragments: (place) => `fragment F on ${place.type} { ${fieldOf(place)} }`,
    keys: key,
  },
  {
    name: 'in a fragment of a fragment, beside itself',
    write: (place) => `${fieldOf(place)} ...G`,
    fragments: (place) =>
      `fragment F on ${place.type} { ${fieldOf(place)} }\nfragment G on ${place.type} { ... on ${place.type} { ...F } }`,
    keys: key,
  },
  {
    name: 'included by a variable',
    write: ({ field, below }) => `${field} @include(if: $yes) ${below}`,
    declares: '$yes: Boolean!',
    variables: { yes: true },
    keys: key,
  },
  {
    name: 'not skipped, in a fragment that is not skipped',
    write: (place) => `... @skip(if: $no) { ... on ${place.type} @include(if: true) { ${fieldOf(place)} } }`,
    declares: '$no: Boolean!',
    variables: { no: false },
    keys: key,
  },
]

export const fragmentCases = casesOf(
  'fragment',
  'A field has its rule wherever in fragments it stands, and whatever condition it is under.',
  forms,
)
