/** Introspection and helpful errors reveal nothing that is not in the clients' schema. */
import { anything, casesFrom, invalid, part, whole } from './draft.ts'

const rule = 'Neither introspection nor an error names what is inaccessible or belongs to the gateway alone.'
const somebody = ['other']

export const introspectionCases = [
  ...casesFrom('introspection', 'stock', rule, [
    {
      about: 'an inaccessible type by its name',
      operation: '{ __type(name: "Ledger") { kind fields { name } } }',
      neverSays: ['total'],
      steps: [[somebody, { data: [{ __type: null }], at: [], quiet: true }]],
    },
    {
      about: 'the fields of a type',
      operation: '{ __type(name: "Product") { fields { name } } }',
      neverSays: ['"hidden"'],
      steps: [[somebody, anything]],
    },
    {
      about: 'the root fields',
      operation: '{ __schema { queryType { fields { name type { name } } } } }',
      neverSays: ['"ledger"', '"Ledger"', '_entities', '_service'],
      steps: [[somebody, anything]],
    },
    {
      about: 'all types and directives',
      operation: '{ __schema { types { name } directives { name } } }',
      neverSays: ['"Ledger"', 'join__', 'link__', '"_Any"', '"_Entity"', '"_Service"'],
      steps: [[somebody, anything]],
    },
    {
      about: 'a field that is misspelt',
      operation: '{ product(id: "1") { hiden } }',
      neverSays: ['hidden'],
      steps: [[somebody, invalid]],
    },
    {
      about: 'a root field that is misspelt',
      operation: '{ ledgr { total } }',
      neverSays: ['ledger', 'Ledger'],
      steps: [[somebody, invalid]],
    },
    {
      about: 'a type that is misspelt',
      operation: '{ product(id: "1") { ... on Ledgr { total } } }',
      neverSays: ['Ledger'],
      steps: [[somebody, invalid]],
    },
    {
      about: 'the SDL of the service',
      road: 'direct',
      operation: '{ _service { sdl } }',
      neverSays: ['requiresScopes', 'inaccessible'],
      steps: [[somebody, invalid]],
    },
  ]),
  ...casesFrom(
    'introspection',
    'shop',
    'The name of a type says that there is an object: it is refused with it.',
    [
      {
        about: '__typename of a type with a rule',
        operation: '{ user(id: "1") { name vault { __typename } } }',
        never: ['User.vault'],
        steps: [
          [somebody, part({ user: { name: 'name-1', vault: null } }, 'user.vault')],
          [['vault'], whole({ user: { name: 'name-1', vault: { __typename: 'Vault' } } })],
        ],
      },
      {
        about: '__typename under a refused field, by an alias',
        operation: '{ user(id: "1") { name card { kind: __typename } } }',
        never: ['User.card'],
        steps: [
          [somebody, part({ user: { name: 'name-1', card: null } }, 'user.card')],
          [['card'], whole({ user: { name: 'name-1', card: { kind: 'Card' } } })],
        ],
      },
      {
        about: '__typename of a root field with a rule',
        operation: '{ version vault { __typename } }',
        never: ['Query.vault'],
        steps: [
          ['anonymous', part({ version: 'v1', vault: null }, 'vault')],
          [['vault'], whole({ version: 'v1', vault: { __typename: 'Vault' } })],
        ],
      },
    ],
  ),
]
