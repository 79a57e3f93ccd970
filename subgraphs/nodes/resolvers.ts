/**
 * `node` and `nodes` only read global ids. If more than the id is selected, the router looks up the object in the
 * subgraph that owns its type, in one batch for each type.
 */
import { fromGlobalId } from '../../shared/graphql/global-id.ts'
import { readIdList } from '../kit/id-list.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'
import type { Stub } from './model.ts'
import type { Resolvers } from './types.generated.ts'

/** The type and id of a global id, or why it cannot be looked up. */
function stubFrom(id: string, keys: ReadonlyMap<string, RegExp>): Stub | string {
  const global = fromGlobalId(id)
  if (global === undefined) return 'is not a global id. Use the field `id` of an object.'
  const form = keys.get(global.type)
  if (form === undefined)
    return `is the id of an object that cannot be looked up by it; ${[...keys.keys()].join(', ')} can.`
  if (!form.test(global.key)) return `is not a global id: no ${global.type} has a key of that form.`
  return { __typename: global.type, id }
}

/** `keys` has the types that can be found, each with the form of its key. */
export function createResolvers(keys: ReadonlyMap<string, RegExp>): Resolvers {
  return {
    Query: {
      node(_, { id }) {
        const stub = stubFrom(id, keys)
        if (typeof stub === 'string') throw wrongArgument('id', stub)
        return stub
      },
      nodes(_, { ids }, { maxIds }) {
        const stubs = new Map<string, Stub | string>()
        const read = (id: string): Stub | string => {
          const stub = stubs.get(id) ?? stubFrom(id, keys)
          stubs.set(id, stub)
          return stub
        }
        // The generated type allows no error in a list.
        return readIdList({
          argument: 'ids',
          ids,
          maxIds,
          expected: `a global id of an object that can be looked up by it: ${[...keys.keys()].join(', ')}`,
          isId: (id) => typeof read(id) === 'object',
          readAll: (all) => all.map((id) => read(id) as Stub),
        }) as Stub[]
      },
    },
  }
}
