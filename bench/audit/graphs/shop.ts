/** Users in one subgraph, their notes and reviews in another, with rules on fields, types and list items. */
import type { Graph } from '../lib/types.ts'

const users = ['1', '2'].map((id) => ({
  id,
  nodeId: `User:${id}`,
  name: `name-${id}`,
  nick: `nick-${id}`,
  email: `SECRET-email-${id}`,
  phone: `SECRET-phone-${id}`,
  card: { number: `SECRET-card-${id}`, brand: `SECRET-brand-${id}` },
  grants: [{ to: `SECRET-grant-${id}` }],
  vault: { gold: `SECRET-gold-${id}` },
}))
const userOf = (id: string) => users.find((user) => user.id === id) ?? null

const reviews = ['1', '2'].map((id) => ({
  id: `r${id}`,
  body: `body-${id}`,
  internal: `SECRET-internal-${id}`,
  author: { __typename: 'User', id },
}))

/** Every subscription has two events. */
async function* twice<Event>(event: Event): AsyncGenerator<Event> {
  yield event
  yield event
}

export const shop: Graph = {
  name: 'shop',
  probes: {
    deferred: '{ version ... @defer { again: version } }',
    live: 'subscription { userChanged(id: "1") { name } }',
  },
  subgraphs: [
    {
      name: 'accounts',
      sdl: `
        type Query {
          user(id: ID!): User
          users: [User!]
          node(id: ID!): Node
          vault: Vault
          audit: String @requiresScopes(scopes: [["audit"]])
          version: String
        }
        type Subscription {
          userChanged(id: ID!): User
          auditAdded: String @requiresScopes(scopes: [["audit"]])
        }
        interface Node { nodeId: ID! }
        type User implements Node @key(fields: "id") {
          id: ID!
          nodeId: ID!
          name: String
          nick: String
          email: String @requiresScopes(scopes: [["email"]])
          phone: String @authenticated
          card: Card @requiresScopes(scopes: [["card"]])
          grants: [Grant] @requiresScopes(scopes: [["grants"]])
          vault: Vault
          both: String @requiresScopes(scopes: [["a", "b"]])
          either: String @requiresScopes(scopes: [["a"], ["b"]])
        }
        type Card { number: String brand: String }
        type Grant { to: String }
        type Vault @requiresScopes(scopes: [["vault"]]) { gold: String }
      `,
      resolvers: {
        Query: {
          user: (_: unknown, { id }: { id: string }) => userOf(id),
          users: () => users,
          node: (_: unknown, { id }: { id: string }) => {
            const user = users.find(({ nodeId }) => nodeId === id)
            return user === undefined ? null : { __typename: 'User', ...user }
          },
          vault: () => ({ gold: 'SECRET-gold-0' }),
          audit: () => 'SECRET-audit',
          version: () => 'v1',
        },
        Subscription: {
          userChanged: {
            subscribe: (_: unknown, { id }: { id: string }) => twice({ userChanged: userOf(id) }),
          },
          auditAdded: { subscribe: () => twice({ auditAdded: 'SECRET-audit' }) },
        },
        User: {
          __resolveReference: ({ id }: { id: string }) => userOf(id),
          both: () => 'SECRET-both',
          either: () => 'SECRET-either',
        },
      },
    },
    {
      name: 'reviews',
      sdl: `
        type Query { reviews: [Review!] review(id: ID!): Review }
        type Review @key(fields: "id") {
          id: ID!
          body: String
          internal: String @requiresScopes(scopes: [["internal"]])
          author: User
        }
        type User @key(fields: "id") {
          id: ID!
          notes: String @requiresScopes(scopes: [["notes"]])
          reviews: [Review!]
        }
      `,
      resolvers: {
        Query: {
          reviews: () => reviews,
          review: (_: unknown, { id }: { id: string }) => reviews.find((one) => one.id === id) ?? null,
        },
        Review: {
          __resolveReference: ({ id }: { id: string }) => reviews.find((one) => one.id === id) ?? null,
        },
        User: {
          notes: ({ id }: { id: string }) => `SECRET-notes-${id}`,
          reviews: ({ id }: { id: string }) => reviews.filter(({ author }) => author.id === id),
        },
      },
    },
  ],
}
