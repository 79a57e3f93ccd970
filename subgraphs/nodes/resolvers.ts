/**
 * `node` and `nodes`: they only read global ids. What an id stands for is looked up by the subgraph that
 * owns its type, which any router asks for as soon as more than the id is selected, in one batch a type.
 */
import { badInput } from '../../contract/errors.ts'
import { fromGlobalId } from '../../contract/global-id.ts'
import { readIdList } from '../kit/id-list.ts'
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

const types = [...keyForms.keys()].join(', ')

/** What an id stands for, or why it stands for nothing that can be looked up. */
function stubFrom(id: string): Stub | string {
  const global = fromGlobalId(id)
  if (global === undefined) return 'is no global id. Take one from the field `id` of an object.'
  const form = keyForms.get(global.type)
  if (form === undefined) return `is the id of something that cannot be looked up by it; ${types} can.`
  if (!form.test(global.key)) return `is no global id: no ${global.type} has a key of that form.`
  return { __typename: global.type, id }
}

export const resolvers: Resolvers = {
  Query: {
    node(_, { id }) {
      const stub = stubFrom(id)
      if (typeof stub === 'string') throw badInput(`\`id\` ${stub}`, { argument: 'id' })
      return stub
    },
    nodes(_, { ids }, { maxIds }) {
      const stubs = new Map<string, Stub | string>()
      const read = (id: string): Stub | string => {
        const stub = stubs.get(id) ?? stubFrom(id)
        stubs.set(id, stub)
        return stub
      }
      // The generated type knows no error in a list.
      return readIdList({
        argument: 'ids',
        ids,
        maxIds,
        expected: `the global ids of objects that can be looked up by them: ${types}`,
        isId: (id) => typeof read(id) === 'object',
        read: (id) => read(id) as Stub,
      }) as Stub[]
    },
  },
}
