/** Interfaces and unions whose types have different rules. */
import type { Graph } from '../lib/types.ts'

const animals = [
  { __typename: 'Dog', id: 'd', name: 'dog', tag: 'SECRET-dog-tag', bark: 'SECRET-bark' },
  { __typename: 'Cat', id: 'c', name: 'cat', tag: 'cat-tag', meow: 'meow' },
]
const animalOf = (id: string) => animals.find((one) => one.id === id) ?? null
const results = [...animals, { __typename: 'Keeper', id: 'k', title: 'SECRET-title', shift: 'SECRET-shift' }]

export const zoo: Graph = {
  name: 'zoo',
  probes: { deferred: '{ animals { id } ... @defer { again: animals { id } } }' },
  subgraphs: [
    {
      name: 'animals',
      sdl: `
        type Query { animals: [Animal!] animal(id: ID!): Animal search: [Result] found(id: ID!): Result sealed: Sealed }
        interface Animal { id: ID! name: String tag: String }
        type Dog implements Animal @key(fields: "id") {
          id: ID!
          name: String
          tag: String @requiresScopes(scopes: [["dog"]])
          bark: String @requiresScopes(scopes: [["dog"]])
        }
        type Cat implements Animal @key(fields: "id") { id: ID! name: String tag: String meow: String }
        type Keeper @key(fields: "id") @requiresScopes(scopes: [["keeper"]]) { id: ID! title: String shift: String }
        union Result = Dog | Cat | Keeper
        interface Sealed { id: ID! code: String }
        type Box implements Sealed @requiresScopes(scopes: [["sealed"]]) { id: ID! code: String }
      `,
      resolvers: {
        Query: {
          animals: () => animals,
          animal: (_: unknown, { id }: { id: string }) => animalOf(id),
          search: () => results,
          found: (_: unknown, { id }: { id: string }) => results.find((one) => one.id === id) ?? null,
          sealed: () => ({ __typename: 'Box', id: 'b', code: 'SECRET-code' }),
        },
        Dog: { __resolveReference: ({ id }: { id: string }) => animalOf(id) },
        Cat: { __resolveReference: ({ id }: { id: string }) => animalOf(id) },
      },
    },
    {
      name: 'vets',
      sdl: `
        type Dog @key(fields: "id") { id: ID! chip: String @requiresScopes(scopes: [["vet"]]) weight: Int }
        type Cat @key(fields: "id") { id: ID! chip: String weight: Int }
      `,
      resolvers: {
        Dog: { chip: () => 'SECRET-dog-chip', weight: () => 30 },
        Cat: { chip: () => 'cat-chip', weight: () => 4 },
      },
    },
  ],
}
