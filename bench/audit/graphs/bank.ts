/** Mutations, and fields that are null, not null or failing, whose difference no caller may see. */
import type { Graph } from '../lib/types.ts'

interface Account {
  readonly id: string
  readonly pin: string | null
}
const accounts: readonly Account[] = [
  { id: '1', pin: 'SECRET-pin-1' },
  { id: '2', pin: null },
  { id: '3', pin: 'fails' },
]

const pinOf = ({ pin }: Account): string | null => {
  if (pin === 'fails') throw new Error('SECRET-failure')
  return pin
}

export const bank: Graph = {
  name: 'bank',
  probes: { deferred: '{ accounts { open } ... @defer { again: accounts { open } } }' },
  subgraphs: [
    {
      name: 'ledger',
      sdl: `
        type Query { account(id: ID!): Account accounts: [Account] safe(id: ID!): Safe }
        type Mutation {
          deposit(to: ID!): Receipt @requiresScopes(scopes: [["write"]])
          note(text: String): Receipt
          close(id: ID!): Boolean @requiresScopes(scopes: [["write"]])
        }
        type Receipt { id: ID! line: String balance: String @requiresScopes(scopes: [["balance"]]) }
        type Account @key(fields: "id") {
          id: ID!
          open: String
          pin: String @requiresScopes(scopes: [["pin"]])
          code: String! @requiresScopes(scopes: [["pin"]])
          owner: Owner! @requiresScopes(scopes: [["owner"]])
        }
        type Owner { name: String! }
        type Safe { id: ID! key: String! @requiresScopes(scopes: [["pin"]]) }
      `,
      resolvers: {
        Query: {
          account: (_: unknown, { id }: { id: string }) => accounts.find((one) => one.id === id) ?? null,
          accounts: () => accounts,
          safe: (_: unknown, { id }: { id: string }) => ({ id }),
        },
        Mutation: {
          deposit: (_: unknown, { to }: { to: string }) => ({
            id: `d${to}`,
            line: 'SECRET-line',
            balance: 'SECRET-balance',
          }),
          note: (_: unknown, { text }: { text?: string }) => ({
            id: 'n',
            line: text ?? '',
            balance: 'SECRET-balance',
          }),
          close: () => true,
        },
        Account: {
          __resolveReference: ({ id }: { id: string }) => accounts.find((one) => one.id === id) ?? null,
          open: () => 'open',
          pin: pinOf,
          code: pinOf,
          owner: ({ id }: Account) => ({ name: `SECRET-owner-${id}` }),
        },
        Safe: { key: ({ id }: { id: string }) => (id === '2' ? null : `SECRET-key-${id}`) },
      },
    },
    {
      name: 'cards',
      sdl: `
        type Account @key(fields: "id") { id: ID! limit: String @requiresScopes(scopes: [["limit"]]) plastic: String }
      `,
      resolvers: {
        Account: {
          limit: ({ id }: { id: string }) => (id === '2' ? null : `SECRET-limit-${id}`),
          plastic: ({ id }: { id: string }) => `plastic-${id}`,
        },
      },
    },
  ],
}
