/** Hints for composition errors that are likely when our subgraphs are composed with others. */
import { append } from '../../../shared/runtime/maps.ts'

interface Hint {
  readonly pattern: RegExp
  readonly hint: string
}

/** The first that matches is used. */
const hints: readonly Hint[] = [
  {
    pattern: /^There are two subgraphs/,
    hint: 'Each subgraph needs a name of its own: give yours another one, NAME=FILE or NAME=URL.',
  },
  {
    pattern: /implementation type of @interfaceObject/,
    hint: 'A type with @interfaceObject adds fields to an interface, and does not tell which object it is: add the fields to the object types instead, and return these.',
  },
  {
    pattern: /@interfaceObject directive can only be applied to entity types/,
    hint: 'A type with @interfaceObject needs a @key. The composer knows both by these names only: import them.',
  },
  {
    pattern: /cannot satisfy @require conditions/,
    hint: 'A subgraph that requires fields of a type must be reachable by its key: no field of that @key may be @external there.',
  },
  {
    pattern: /does not specify necessary @authenticated/,
    hint: 'A field that requires or receives a protected value may reveal that value: give it the same @requiresScopes, @authenticated or @policy as the protected field has in its subgraph (ours: schema/*.graphql).',
  },
  {
    pattern: /cannot be satisfied by the subgraphs/,
    hint: 'A type needs a resolvable @key in each subgraph that adds fields to it, of fields that the other subgraphs have. Our Comment, CommentThread and MessageUser cannot be looked up: return what they belong to instead.',
  },
  {
    pattern: /Query\.nodes?"/,
    hint: 'Both graphs own `node`: leave our nodes subgraph out and let yours hold stubs of our types, or drop yours.',
  },
  {
    pattern: /PageInfo/,
    hint: 'Mark `PageInfo` @shareable in every subgraph, with the four standard fields and the same nullability.',
  },
  {
    pattern: /\bNode\b/,
    hint: 'Declare `interface Node { id: ID! }` the same way in every subgraph.',
  },
  {
    pattern: /version/i,
    hint: 'Link the federation specification in a version that the composer knows; ours link v2.9.',
  },
  {
    pattern: /Unknown directive/,
    hint: 'Import directives of Federation by the link to its specification, https://specs.apollo.dev/federation/v2.9. Define your own.',
  },
  {
    pattern: /for @key|for @provides|for @requires/,
    hint: 'The selection in the directive must name fields of that type in that subgraph.',
  },
  {
    pattern: /^Enum type/,
    hint: 'An enum that is used in inputs and outputs must have the same values everywhere: take those of the other subgraph, or rename yours.',
  },
  {
    pattern: /is required in some subgraphs/,
    hint: 'An argument that one subgraph requires must be in every subgraph that has the field: make yours optional, or remove it.',
  },
  {
    pattern: /mismatched kind.*Scalar Type|Scalar Type.*mismatched kind/,
    hint: 'A type of this name is a scalar in one subgraph and something else in another: rename yours.',
  },
  {
    pattern: /mismatched kind/,
    hint: 'The name stands for different kinds of type: rename yours, or match ours in schema/*.graphql.',
  },
  {
    pattern: /^Non-shareable field "(Video|Channel|Message|Agent|Intent|Comment|CommentThread|MessageUser)\./,
    hint: 'A type of ours that you extend needs its key: @key(fields: …) with the field that you hold, as in schema/*.graphql. Its other fields are @external in yours, or have @override(from: …) with the name of our subgraph.',
  },
  {
    pattern: /^Non-shareable field/,
    hint: 'Two subgraphs resolve this field: mark it @shareable in both, or keep it in one.',
  },
  {
    pattern: /incompatible|is not a proper subtype/,
    hint: 'The same field has different types: change yours to the type in our schema/*.graphql.',
  },
]

/** One message for each cause: a type that cannot be reached fails for each of its fields. */
export function withoutRepeats(messages: readonly string[]): string[] {
  const byCause = new Map<string, string[]>()
  for (const message of messages) append(byCause, causeOf(message), message)
  return [...byCause.values()].map(([first = '', ...others]) =>
    others.length === 0 ? first : `${first}\n(Other errors with this cause: ${others.length}.)`,
  )
}

/** Why a query cannot be satisfied, without the query and the names of fields; any other message as it is. */
function causeOf(message: string): string {
  const at = message.indexOf(unsatisfied)
  return at < 0 ? message : message.slice(at).replaceAll(/"(\w+)\.\w+"/g, '"$1"')
}

const unsatisfied = 'cannot be satisfied by the subgraphs'

export function hintFor(message: string): string | undefined {
  return hints.find(({ pattern }) => pattern.test(message))?.hint
}
