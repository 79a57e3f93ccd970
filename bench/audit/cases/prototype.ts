/** Names that every JavaScript object has, or that mean something to a parser, are names like any other. */
import type { Json } from '../lib/types.ts'
import { casesFrom, part, whole } from './draft.ts'

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '__defineGetter__',
]

/** Has its own keys, whatever their names. */
const objectOf = (...entries: readonly (readonly [string, Json])[]): Json => Object.fromEntries(entries)

export const prototypeCases = casesFrom(
  'prototype',
  'shop',
  'A refused field stays shut, and an open one open, under names that every object has.',
  [
    ...names.map((name) => ({
      about: `a refused field called ${name}`,
      operation: `{ user(id: "1") { ${name}: email name } }`,
      never: ['User.email'],
      steps: [
        [['other'], part({ user: objectOf([name, null], ['name', 'name-1']) }, `user.${name}`)],
        [['email'], whole({ user: objectOf([name, 'SECRET-email-1'], ['name', 'name-1']) })],
      ] as const,
    })),
    ...['__proto__', 'constructor', 'toJSON'].map((name) => ({
      about: `an object of another subgraph called ${name}`,
      road: 'entity' as const,
      operation: `{ reviews { ${name}: author { notes name } } }`,
      never: ['User.notes'],
      steps: [
        [
          ['other'],
          part(
            { reviews: [1, 2].map((at) => objectOf([name, { notes: null, name: `name-${at}` }])) },
            `reviews.${name}.notes`,
          ),
        ],
        [
          ['notes'],
          whole({
            reviews: [1, 2].map((at) =>
              objectOf([name, { notes: `SECRET-notes-${at}`, name: `name-${at}` }]),
            ),
          }),
        ],
      ] as const,
    })),
    ...['constructor', 'toString'].map((name) => ({
      about: `a variable and a fragment called ${name}`,
      operation: `query ($${name}: ID!) { user(id: $${name}) { ...${name} } } fragment ${name} on User { name email }`,
      variables: objectOf([name, '1']) as Readonly<Record<string, Json>>,
      never: ['User.email'],
      steps: [
        [['other'], part({ user: { name: 'name-1', email: null } }, 'user.email')],
        [['email'], whole({ user: { name: 'name-1', email: 'SECRET-email-1' } })],
      ] as const,
    })),
    ...['__proto__', 'constructor', 'then'].flatMap((name) => [
      {
        about: `a deferred refused field called ${name}`,
        road: 'deferred' as const,
        operation: `{ user(id: "1") { name ... @defer { ${name}: email } } }`,
        never: ['User.email'],
        steps: [
          [['other'], part({ user: objectOf(['name', 'name-1'], [name, null]) }, `user.${name}`)],
          [['email'], whole({ user: objectOf(['name', 'name-1'], [name, 'SECRET-email-1']) })],
        ] as const,
      },
      {
        about: `events called ${name}`,
        road: 'live' as const,
        operation: `subscription { ${name}: userChanged(id: "1") { name email } }`,
        never: ['User.email'],
        steps: [
          [['other'], part(objectOf([name, { name: 'name-1', email: null }]), `${name}.email`)],
          [['email'], whole(objectOf([name, { name: 'name-1', email: 'SECRET-email-1' }]))],
        ] as const,
      },
    ]),
    {
      about: 'a scope called constructor is no scope that everybody has',
      operation: '{ user(id: "1") { name email } }',
      never: ['User.email'],
      steps: [[['constructor', '__proto__'], part({ user: { name: 'name-1', email: null } }, 'user.email')]],
    },
  ],
)
