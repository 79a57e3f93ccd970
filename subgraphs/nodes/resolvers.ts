/**
 * `node` and `nodes`: they only read global ids. What an id stands for is looked up by the subgraph that
 * owns its type, which any router asks for as soon as more than the id is selected, in one batch a type.
 */
import { badInput } from '../lib/errors.ts'
import { fromGlobalId } from '../lib/global-id.ts'
import type { Stub } from './model.ts'
import type { Resolvers } from './types.generated.ts'

/** The types that can be looked up by one key, and the form of that key. */
const keyForms: ReadonlyMap<string, RegExp> = new Map([
  ['Agent', /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/],
  ['Channel', /^[A-Za-z0-9_-]{1,64}$/],
  ['Intent', /^projects\/[^/\p{Cc}]+\/agent\/intents\/[^/\p{Cc}]+$/u],
  ['Message', /^[1-9][0-9]{0,18}$/],
  ['Video', /^[A-Za-z0-9_-]{1,64}$/],
])

function stubOf(id: string, at: string): Stub {
  const global = fromGlobalId(id)
  if (global === undefined) {
    throw badInput(`\`${at}\` is no global id. Take one from the field \`id\` of an object.`, {
      argument: at,
    })
  }
  const form = keyForms.get(global.type)
  if (form === undefined) {
    throw badInput(
      `\`${at}\` is the id of something that cannot be looked up by it; ${[...keyForms.keys()].join(', ')} can.`,
      { argument: at },
    )
  }
  if (!form.test(global.key)) {
    throw badInput(`\`${at}\` is no global id: no ${global.type} has a key of that form.`, { argument: at })
  }
  return { __typename: global.type, id }
}

export const resolvers: Resolvers = {
  Query: {
    node: (_, { id }) => stubOf(id, 'id'),
    // A broken id fails at its own position alone.
    nodes: (_, { ids }) => ids.map(async (id, index) => stubOf(id, `ids[${index}]`)),
  },
}
