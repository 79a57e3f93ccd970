/**
 * Refused fields at every kind of place: what is around them, what they need, and what each caller gets. Cases
 * about the form of a selection (aliases, fragments) try each form at each place.
 */
import type { Caller, Json, Road } from '../lib/types.ts'

export interface Place {
  readonly name: string
  readonly road: Road
  readonly graph: string
  /** The refused field with its name, its type, and the selection below it. */
  readonly field: string
  readonly type: string
  readonly below: string
  /** The caller who gets it. */
  readonly holder: Caller
  /** The caller who does not. */
  readonly lacking: Caller
  /** The operation around the selection of its type. */
  around(selection: string): string
  /** The response around the data of that selection. */
  answer(fields: (at: number) => { readonly [key: string]: Json }): Json
  /** The field's value in the object at this position. */
  value(at: number): Json
  /** How many objects there are. */
  readonly objects: number
  /** The path of errors, which is that of the object. */
  readonly path: string
  /** Resolvers that must not run. */
  readonly never: readonly string[]
}

const user = {
  type: 'User',
  graph: 'shop',
  objects: 1,
  path: 'user',
  around: (selection: string) => `{ user(id: "1") { name ${selection} } }`,
  answer: (fields: (at: number) => { readonly [key: string]: Json }): Json => ({
    user: { name: 'name-1', ...fields(1) },
  }),
} as const

export const places: readonly Place[] = [
  {
    ...user,
    name: 'a scalar',
    road: 'root',
    field: 'email',
    below: '',
    holder: ['email'],
    lacking: ['other'],
    value: (at) => `SECRET-email-${at}`,
    never: ['User.email'],
  },
  {
    ...user,
    name: 'an object',
    road: 'root',
    field: 'card',
    below: '{ number }',
    holder: ['card'],
    lacking: ['email'],
    value: (at) => ({ number: `SECRET-card-${at}` }),
    never: ['User.card', 'Card.number'],
  },
  {
    ...user,
    name: 'a list',
    road: 'root',
    field: 'grants',
    below: '{ to }',
    holder: ['grants'],
    lacking: ['email'],
    value: (at) => [{ to: `SECRET-grant-${at}` }],
    never: ['User.grants', 'Grant.to'],
  },
  {
    ...user,
    name: 'a type with a rule',
    road: 'root',
    field: 'vault',
    below: '{ gold }',
    holder: ['vault'],
    lacking: ['email'],
    value: (at) => ({ gold: `SECRET-gold-${at}` }),
    never: ['User.vault', 'Vault.gold'],
  },
  {
    ...user,
    name: 'a field for signed-in callers',
    road: 'root',
    field: 'phone',
    below: '',
    holder: [],
    lacking: 'anonymous',
    value: (at) => `SECRET-phone-${at}`,
    never: ['User.phone'],
  },
  {
    ...user,
    name: 'a field of another subgraph',
    road: 'entity',
    field: 'notes',
    below: '',
    holder: ['notes'],
    lacking: 'anonymous',
    value: (at) => `SECRET-notes-${at}`,
    never: ['User.notes'],
  },
  {
    name: 'entities in a list',
    road: 'entity',
    graph: 'shop',
    field: 'email',
    type: 'User',
    below: '',
    holder: ['email'],
    lacking: ['notes'],
    around: (selection) => `{ reviews { body author { name ${selection} } } }`,
    answer: (fields) => ({
      reviews: [1, 2].map((at) => ({ body: `body-${at}`, author: { name: `name-${at}`, ...fields(at) } })),
    }),
    value: (at) => `SECRET-email-${at}`,
    objects: 2,
    path: 'reviews.author',
    never: ['User.email'],
  },
  {
    name: 'an object found by node',
    road: 'node',
    graph: 'shop',
    field: 'email',
    type: 'User',
    below: '',
    holder: ['email'],
    lacking: 'anonymous',
    around: (selection) => `{ node(id: "User:1") { nodeId ... on User { name ${selection} } } }`,
    answer: (fields) => ({ node: { nodeId: 'User:1', name: 'name-1', ...fields(1) } }),
    value: (at) => `SECRET-email-${at}`,
    objects: 1,
    path: 'node',
    never: ['User.email'],
  },
]

/** The same in a deferred part. */
export const deferredPlaces: readonly Place[] = places.map((place) => ({
  ...place,
  name: `${place.name}, deferred`,
  road: 'deferred',
  around: (selection) => place.around(`... @defer { ${selection} }`),
}))

/** The fields of a user in the events of a subscription. */
export const livePlaces: readonly Place[] = places
  .filter(({ path }) => path === user.path)
  .map((place) => ({
    ...place,
    name: `${place.name}, in events`,
    road: 'live',
    around: (selection) => `subscription { userChanged(id: "1") { name ${selection} } }`,
    answer: (fields) => ({ userChanged: { name: 'name-1', ...fields(1) } }),
    path: 'userChanged',
  }))

/** Undefined values are left out. */
export const withKeys = (keys: readonly string[], value: Json): { readonly [key: string]: Json } =>
  Object.fromEntries(keys.map((key) => [key, value]))
